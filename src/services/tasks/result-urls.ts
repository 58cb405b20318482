import { wholeIndexOf } from "../delivery/transcode-output.ts";
import type { ResultLinks } from "../delivery/result-links.ts";
import type { Task } from "./task.ts";
import type { ResultLink } from "../../i18n/params.ts";

/** Of each file of a result, in order, where it can be fetched in full. */
export async function resultUrls(
	resultLinks: Pick<ResultLinks, "find">,
	task: Task,
): Promise<readonly (ResultLink | undefined)[]> {
	if (!("outcome" in task) || task.outcome.kind === "failed") return [];
	return await Promise.all(
		task.outcome.files.map(
			async (_file, index) =>
				(await resultLinks.find(task.id, wholeIndexOf(index))) ?? (await resultLinks.find(task.id, index)),
		),
	);
}
