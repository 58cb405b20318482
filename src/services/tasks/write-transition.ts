import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import { CorruptDocumentError, isStoreFailure } from "@atelier/store/store-errors";
import { LedgerRejectedError, type Ledger } from "@atelier/ledger/operations";
import type { LowCreditsWarner } from "../credits/low-credits.ts";
import { baseOf, isPending, type Outcome, type Task } from "./task.ts";
import { RemoteIdTakenError, type LoadedTask, type TaskStore } from "./task-store.ts";
import { isPaidFromOneAccount } from "./steps/reserve.ts";
import { settleInOneWrite } from "./steps/settle.ts";
import type { Moved } from "./steps/step.ts";

interface TransitionDeps {
	readonly taskStore: Pick<TaskStore, "load" | "move" | "moveWith">;
	readonly ledger: Ledger;
	readonly lowCredits: LowCreditsWarner;
}

/**
 * Writes the result of a step. Retries after a concurrent write that leaves the result valid (`isStillValid`); resolves to
 * `undefined` after any other.
 */
export async function writeTransition(
	deps: TransitionDeps,
	from: LoadedTask,
	{ task: result, writes }: Pick<Moved, "task" | "writes">,
	logger: Logger,
): Promise<LoadedTask | undefined> {
	const next = withRequestsOf(from.task, result);
	const settled = await trySettleInOneWrite(deps, from, next, logger);
	if (settled) return settled;
	try {
		const moved = await deps.taskStore.move(from, next, writes);
		if (moved) return moved;
	} catch (error) {
		if (!(error instanceof RemoteIdTakenError)) throw error;
		return await rejectRemoteId(deps, from, next, error, logger);
	}
	const reloaded = await deps.taskStore.load(from.task.id);
	if (!reloaded) return undefined;
	const { task: current } = reloaded;
	if (isStillValid(current, from.task, next))
		return await writeTransition(deps, reloaded, { task: next, writes }, logger);
	if (next.state === "submitted" && !("remoteId" in current && current.remoteId === next.remoteId)) {
		const { remoteId } = next;
		logger.error({ remoteId, state: current.state }, "abandoned task accepted by the service");
	}
	return undefined;
}

/**
 * Writes the outcome of the task and its charge in one transaction. Resolves to `undefined` if the ledger or the store does not
 * accept that: `finished` and `settled` are separate writes then. This also applies after a store outage: without a stored outcome,
 * the step, such as a submit, would run again.
 */
async function trySettleInOneWrite(
	deps: TransitionDeps,
	from: LoadedTask,
	next: Task,
	logger: Logger,
): Promise<LoadedTask | undefined> {
	if (next.state !== "finished" || !isPaidFromOneAccount(next)) return undefined;
	try {
		return await deps.taskStore.moveWith(from, (taskKey) => settleInOneWrite(deps, next, taskKey, logger));
	} catch (error) {
		// The task or its hold has changed, or the account is corrupt.
		const isRejected = error instanceof LedgerRejectedError || error instanceof CorruptDocumentError;
		if (!isRejected && !isStoreFailure(error)) throw error;
		logger.debug({ err: error }, "task not settled in one write");
		return undefined;
	}
}

/** Fails a task whose remote id belongs to another task. That task is neither canceled nor shown. */
async function rejectRemoteId(
	deps: TransitionDeps,
	from: LoadedTask,
	next: Task,
	{ ownerId, message }: RemoteIdTakenError,
	logger: Logger,
): Promise<LoadedTask | undefined> {
	logger.error({ remoteId: "remoteId" in next && next.remoteId, otherTaskId: ownerId }, message);
	const outcome: Outcome = { kind: "failed", why: { key: "service.invalidAnswer" } };
	return await writeTransition(deps, from, { task: { ...baseOf(from.task), state: "finished", outcome } }, logger);
}

/** Adds the requests for a cancel or a ping that were stored after the step began. Only a pending task receives them. */
function withRequestsOf(stored: Task, next: Task): Task {
	if (!isPending(stored)) return next;
	const { cancel, ping } = stored;
	return { ...next, ...(cancel && { cancel }), ...(ping && { ping }) };
}

/**
 * Returns whether a step's result for `from` is still valid for the current task: the only writes since were a request for a
 * cancel or a ping, or the discovery that a submit of unknown outcome had arrived. A task that was canceled is not submitted.
 */
function isStillValid(current: Task, from: Task, next: Task): boolean {
	if (from.state === "reserved" && next.state === "submitting" && current.cancel) return false;
	if (current.state === "submitting" && from.state === "submitting" && next.state === "submitted") {
		return current.sinceMs === from.sinceMs;
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
