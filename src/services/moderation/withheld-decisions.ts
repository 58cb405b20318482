import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { toTimestampS } from "../../i18n/message-param-values.ts";
import type { Member } from "../access/member.ts";
import type { ResultStore } from "../delivery/result-store.ts";
import { isWithheld, withoutDelivery, type Task, type TaskIn, type WithheldTask } from "../tasks/task.ts";
import { requireGuildTask, type TaskStore } from "../tasks/task-store.ts";
import { UserError } from "../user-error.ts";

export const WITHHELD_ACTIONS = ["show", "discard"] as const;
export type WithheldAction = (typeof WITHHELD_ACTIONS)[number];

/** The decision about a withheld result, and its task before the decision. */
export interface WithheldDecision {
	readonly task: Task;
	readonly action: WithheldAction;
	readonly byUserId: string;
	readonly atS: number;
}

/** A member whose permission to moderate the caller has checked. */
interface Moderator extends Member {
	readonly isManager: boolean;
}

interface WithheldDecisionsDeps {
	readonly taskStore: Pick<TaskStore, "load" | "move">;
	readonly results: Pick<ResultStore, "open" | "remove">;
	readonly runner: { wake(taskId: string): void };
	readonly clock: Clock;
}

/** The decisions of the moderators about withheld results: each result is decided once. Throws denials. */
export function createWithheldDecisions({ taskStore, results, runner, clock }: WithheldDecisionsDeps) {
	return {
		/** Only managers show their own results. */
		async decide(
			{ guildId, userId, isManager }: Moderator,
			taskId: string,
			action: WithheldAction,
			logger: Logger,
		): Promise<WithheldDecision> {
			const loaded = await requireGuildTask(taskStore, guildId, taskId);
			const { task } = loaded;
			if (!isWithheld(task)) throw new UserError({ key: "withheld.decided" });
			// The task is being delivered: the member does not know its outcome yet.
			if (task.state !== "delivered") throw new UserError({ key: "job.notDone" });
			if (action === "show" && task.userId === userId && !isManager) throw new UserError({ key: "withheld.own" });
			if (action === "show" && !(await results.open(taskId, 0))) throw new UserError({ key: "job.filesGone" });
			const decided = action === "show" ? reopenedTask(task) : discardedTask(task);
			if (!(await taskStore.move(loaded, decided))) throw new UserError({ key: "withheld.decided" });
			if (action === "show") runner.wake(taskId);
			else await results.remove(taskId);
			logger.info({ taskId, action, moderatorId: userId }, "withheld result decided");
			return { task, action, byUserId: userId, atS: toTimestampS(clock.nowMs()) };
		},
	};
}

/** Returns the task for the delivery of its result. It stays free, as the member was told. */
function reopenedTask(task: TaskIn<"delivered"> & WithheldTask): Task {
	const { cause: _cause, categories: _categories, isPosted: _posted, ...result } = task.outcome.withheld;
	return { ...withoutDelivery(task), outcome: { kind: "succeeded", ...result } };
}

function discardedTask(task: TaskIn<"delivered"> & WithheldTask): Task {
	const { withheld: _discarded, ...outcome } = task.outcome;
	return { ...task, outcome };
}
