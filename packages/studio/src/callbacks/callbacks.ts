/**
 * Reports the end of a task to the callback URL of its request: one event per task, signed with Standard Webhooks, at
 * least once. The task has the log of its attempts. `studio-callback:TASK` exists while attempts remain; the state of this
 * module can be rebuilt from these documents.
 */
import { bulkhead, type BulkheadPolicy } from "cockatiel";
import type { Logger } from "pino";
import { Webhook } from "standardwebhooks";
import { isoTime } from "../envelope.ts";
import type { CallbacksResponse, ResponseData } from "../response-schemas.ts";
import {
	isEnded,
	recordCallbackAttempt,
	type CallbackAttempt,
	type EndedTask,
	type StudioTask,
} from "../studio-task.ts";
import type { StudioContext } from "../studio-context.ts";
import type { DocumentWrite } from "@atelier/store/store";
import type { CallbackSender } from "./callback-sender.ts";
import { USER_AGENT } from "@atelier/common/user-agent";

export interface CallbacksDeps extends StudioContext {
	readonly send: CallbackSender;
	/** Returns the body of the event. */
	readonly bodyOf: (task: EndedTask) => object;
	readonly secretOf: (account: string) => Promise<string>;
}

export type Callbacks = ReturnType<typeof createCallbacks>;

/** A callback that has attempts left. */
interface DueCallback {
	readonly taskId: string;
	/** The first attempt is due from then on. */
	readonly settledAtMs: number;
}

const PREFIX = "studio-callback:";
/** The delays after the first, second, … attempt. After the last one there is no retry. */
export const RETRY_DELAYS_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000] as const;
/** The receiver wants no more callbacks. */
const GONE = 410;

export function createCallbacks(deps: CallbacksDeps) {
	const { store, taskStore, limits, clock } = deps;
	const stopping = new AbortController();
	const active = new Map<string, Promise<void>>();
	const slots = bulkhead(limits.callbackConcurrency, Number.POSITIVE_INFINITY);
	const slotsByAccount = new Map<string, BulkheadPolicy>();

	function slotsOf(account: string): BulkheadPolicy {
		const found = slotsByAccount.get(account);
		if (found) return found;
		const accountSlots = bulkhead(limits.callbackConcurrencyPerAccount, Number.POSITIVE_INFINITY);
		slotsByAccount.set(account, accountSlots);
		return accountSlots;
	}

	/**
	 * Sends the callback of a task in the background, if it has one. One promise makes all attempts and sleeps between them,
	 * which may take over an hour.
	 */
	function deliver(taskId: string): void {
		if (active.has(taskId) || stopping.signal.aborted) return;
		const logger = deps.logger.child({ taskId });
		const work = attemptUntilDone(taskId, logger)
			.catch((error: unknown) => {
				if (!stopping.signal.aborted) logger.error({ err: error }, "callback postponed to the next sweep");
			})
			.finally(() => active.delete(taskId));
		active.set(taskId, work);
	}

	async function attemptUntilDone(taskId: string, logger: Logger): Promise<void> {
		for (;;) {
			const task = await taskStore.read(taskId);
			const due = task && nextAttemptOf(task);
			if (!due) return await store.delete(PREFIX + taskId);
			const waitMs = due.atMs - clock.nowMs();
			if (waitMs > 0) await clock.sleep(waitMs, stopping.signal);
			const callInTurn = (): Promise<CallbackAttempt | undefined> =>
				slots.execute(() => callIfCurrent(due), stopping.signal);
			const attempt = await slotsOf(task.account).execute(callInTurn, stopping.signal);
			if (!attempt) continue;
			logger.info(attempt, isAccepted(attempt) ? "callback sent" : "callback failed");
			// Another process made the same attempt at the same time, and continues.
			if (!(await taskStore.move(taskId, recordCallbackAttempt(attempt, due.attemptsBefore)))) return;
		}
	}

	function logCorrupt(key: string, error: unknown): void {
		deps.logger.error({ err: error, key }, "callback cannot be read");
	}

	/** Resolves to `undefined` without a call if another process made the attempt during the wait. */
	async function callIfCurrent(due: NextAttempt): Promise<CallbackAttempt | undefined> {
		const task = await taskStore.read(due.task.taskId);
		return task && attemptsOf(task).length === due.attemptsBefore ? await call(due) : undefined;
	}

	async function call({ task, url }: NextAttempt): Promise<CallbackAttempt> {
		const atMs = clock.nowMs();
		const body = Buffer.from(JSON.stringify(deps.bodyOf(task)));
		const eventId = eventIdOf(task.taskId);
		const webhook = new Webhook(await deps.secretOf(task.account));
		const headers = {
			"content-type": "application/json",
			"user-agent": USER_AGENT,
			"webhook-id": eventId,
			"webhook-timestamp": String(Math.floor(atMs / 1000)),
			"webhook-signature": webhook.sign(eventId, new Date(atMs), body),
		};
		const result = await deps.send(url, { account: task.account, headers, body }, stopping.signal);
		return { atMs, durationMs: clock.nowMs() - atMs, ...result };
	}

	return {
		/** Returns the document that makes the callback of an ended task due; none for a task without a callback. */
		writesAtSettlement({ taskId, callbackUrl }: EndedTask): readonly DocumentWrite[] {
			if (callbackUrl === null) return [];
			return [{ key: PREFIX + taskId, value: { taskId, settledAtMs: clock.nowMs() } satisfies DueCallback }];
		},
		deliver,
		/** Continues the callbacks whose next attempt has been overdue for this long, and those whose task cannot be read. */
		async recover(overdueMs: number): Promise<void> {
			for await (const { value } of store.scan<DueCallback>(PREFIX, { onCorrupt: logCorrupt })) {
				if (active.has(value.taskId)) continue;
				// The delivery reads an unreadable task again, and reports it.
				const task = await taskStore.read(value.taskId).catch(() => undefined);
				const next = task && nextAttemptOf(task);
				const isInTime = next && Math.max(next.atMs, value.settledAtMs) > clock.nowMs() - overdueMs;
				// Without a next attempt, the delivery only removes the document.
				if (!isInTime) deliver(value.taskId);
			}
		},
		async stop(): Promise<void> {
			stopping.abort(new Error("the studio is stopping"));
			await Promise.all(active.values());
		},
	};
}

/** Returns the log of a task's callback, as the API shows it. */
export function callbackLogOf(task: StudioTask): ResponseData<typeof CallbacksResponse> {
	const { taskId, callbackUrl: url } = task;
	if (url === null) return { callbacks: [] };
	const attempts = attemptsOf(task);
	const next = nextAttemptOf(task);
	const isPending = next !== undefined || !isEnded(task);
	return {
		callbacks: [
			{
				id: eventIdOf(taskId),
				url,
				state: isPending ? "pending" : attempts.some(isAccepted) ? "delivered" : "failed",
				nextAttemptAt: next ? isoTime(next.atMs) : null,
				attempts: attempts.map(({ atMs, ...attempt }) => ({
					at: isoTime(atMs),
					httpStatus: null,
					error: null,
					...attempt,
				})),
			},
		],
	};
}

interface NextAttempt {
	readonly task: EndedTask;
	readonly url: string;
	readonly atMs: number;
	readonly attemptsBefore: number;
}

/** Returns the next attempt of a task's callback; `undefined` for an open task, and after the last attempt. */
function nextAttemptOf(task: StudioTask): NextAttempt | undefined {
	const { callbackUrl: url } = task;
	if (!isEnded(task) || url === null) return undefined;
	const attempts = attemptsOf(task);
	const attemptsBefore = attempts.length;
	const last = attempts.at(-1);
	if (!last) return { task, url, atMs: task.completedAtMs, attemptsBefore };
	const delayMs = RETRY_DELAYS_MS[attemptsBefore - 1];
	if (attempts.some(isAccepted) || last.httpStatus === GONE || delayMs === undefined) return undefined;
	return { task, url, atMs: last.atMs + last.durationMs + delayMs, attemptsBefore };
}

function attemptsOf(task: StudioTask): readonly CallbackAttempt[] {
	return isEnded(task) ? (task.callbackAttempts ?? []) : [];
}

function isAccepted({ httpStatus = 0 }: CallbackAttempt): boolean {
	return httpStatus >= 200 && httpStatus < 300;
}

/** Returns the `webhook-id` of a task: the same for all retries, so that receivers can detect duplicates. */
function eventIdOf(taskId: string): string {
	return `msg_${taskId.slice("task_".length)}`;
}
