import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import { isPending, type Task } from "./task.ts";
import type { TaskCredits } from "./task-credits.ts";
import { RemoteIdTakenError, type LoadedTask, type TaskStore } from "./task-store.ts";
import { failed, type Moved, type Settled } from "./steps/step.ts";

interface TransitionDeps {
	readonly taskStore: Pick<TaskStore, "load" | "move">;
	readonly taskCredits: Pick<TaskCredits, "settle">;
}

/**
 * Writes the result of a step. Retries after a concurrent write that leaves the result valid (`isStillValid`); resolves to
 * `undefined` after any other.
 */
export async function writeTransition(
	deps: TransitionDeps,
	from: LoadedTask,
	result: Moved | Settled,
	logger: Logger,
): Promise<LoadedTask | undefined> {
	const accepted = result.kind === "moved" && result.task.state === "submitted" ? result.task : undefined;
	try {
		const written = await write(deps, from, result, logger);
		if (written) return written;
	} catch (error) {
		if (!(error instanceof RemoteIdTakenError && isPending(from.task))) throw error;
		// The task of that id is neither canceled nor shown.
		logger.error({ remoteId: accepted?.remoteId, otherTaskId: error.ownerId }, error.message);
		return await writeTransition(deps, from, failed({ key: "service.invalidAnswer" }), logger);
	}
	const reloaded = await deps.taskStore.load(from.task.id);
	if (!reloaded) return undefined;
	const { task: current } = reloaded;
	if (isStillValid(current, from.task, result)) return await writeTransition(deps, reloaded, result, logger);
	// The key also identifies a task that has ended since.
	if (accepted && current.remoteKey !== accepted.remoteKey) {
		const { remoteId } = accepted;
		logger.error({ remoteId, state: current.state }, "abandoned task accepted by the service");
	}
	return undefined;
}

async function write(
	{ taskStore, taskCredits }: TransitionDeps,
	from: LoadedTask,
	result: Moved | Settled,
	logger: Logger,
): Promise<LoadedTask | undefined> {
	const { task } = from;
	if (result.kind === "moved") return await taskStore.move(from, withRequestsOf(task, result.task), result.writes);
	if (!isPending(task)) throw new Error(`Cannot settle task ${task.id}: it has an outcome.`);
	const { outcome, presentation = task.presentation } = result;
	return await taskCredits.settle(from, { ...task, presentation }, outcome, logger);
}

/** Adds the requests for a cancel or a ping that were stored after the step began. Only a pending task receives them. */
function withRequestsOf<NextTask extends Task>(stored: Task, next: NextTask): NextTask {
	if (!isPending(stored)) return next;
	const { cancel, ping } = stored;
	return { ...next, ...(cancel && { cancel }), ...(ping && { ping }) };
}

/**
 * Returns whether a step's result for `from` is still valid for the current task: the only writes since were a request for a
 * cancel or a ping, or the discovery that an unconfirmed submit had arrived. A task that was canceled is not submitted.
 */
function isStillValid(current: Task, from: Task, result: Moved | Settled): boolean {
	const nextState = result.kind === "moved" ? result.task.state : "settled";
	if (from.state === "reserved" && nextState === "submitting" && current.cancel) return false;
	if (current.state === "unconfirmed" && "sentAtMs" in from && nextState === "submitted") {
		return current.sentAtMs === from.sentAtMs;
	}
	return isSameExceptRequests(current, from);
}

/** Returns whether two tasks are equal, apart from requests for a cancel or a ping. */
export function isSameExceptRequests(one: Task, other: Task): boolean {
	return isDeepStrictEqual(withoutRequests(one), withoutRequests(other));
}

/** Returns the task as it is stored, without fields that are `undefined`. */
function withoutRequests({ cancel: _cancel, ping: _ping, ...rest }: Task): unknown {
	return JSON.parse(JSON.stringify(rest));
}
