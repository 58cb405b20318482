import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { ResultStore } from "../delivery/result-store.ts";
import { isEnded } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

interface RetentionDeps {
	readonly tasks: Pick<TaskStore, "all" | "remove">;
	readonly results: Pick<ResultStore, "open" | "remove">;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly retentionMs: number;
}

/** Removes tasks that ended that long ago, with what is left of their files. Reads no further than the first that is younger. */
export async function removeOldTasks({ tasks, results, clock, logger, retentionMs }: RetentionDeps): Promise<void> {
	const beforeMs = clock.nowMs() - retentionMs;
	let count = 0;
	for await (const task of tasks.all()) {
		if (task.createdAtMs >= beforeMs) break;
		if (!isEnded(task) || !("deliveredAtMs" in task) || task.deliveredAtMs >= beforeMs) continue;
		if (await results.open(task.id, 0)) await results.remove(task.id);
		await tasks.remove(task);
		count++;
	}
	if (count > 0) logger.info({ tasks: count }, "old tasks removed");
}
