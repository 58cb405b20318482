import type { ResultLink, ResultLinks } from "../delivery/result-links.ts";
import type { Task } from "./task.ts";

/** Returns the link to each full-size file of a result, in order. */
export async function findResultLinks(
	resultLinks: Pick<ResultLinks, "find">,
	task: Task,
): Promise<readonly (ResultLink | undefined)[]> {
	if (!("outcome" in task) || task.outcome.kind === "failed") return [];
	return await Promise.all(task.outcome.files.map((_file, index) => resultLinks.find(task.id, index)));
}
