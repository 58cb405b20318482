/**
 * Reports the end of a task to the callback URL of its request: one event per task, signed with Standard Webhooks, at
 * least once. `studio-callback:TASK` exists until the last attempt; the state of this module can be rebuilt from these documents.
 */
import { bulkhead, type BulkheadPolicy } from "cockatiel";
import type { Logger } from "pino";
import { Webhook } from "standardwebhooks";
import type { Clock } from "@atelier/common/clock";
import type { StudioLimits } from "../limits.ts";
import { isEnded, type EndedTask, type Task } from "../task.ts";
import type { DocumentWrite, Store } from "@atelier/store/store";
import type { CallbackResult, CallbackSender } from "./callback-sender.ts";
import { USER_AGENT } from "@atelier/common/user-agent";

export interface CallbacksDeps {
	readonly store: Store;
	readonly send: CallbackSender;
	readonly readTask: (taskId: string) => Promise<Task | undefined>;
	/** Returns the body of the event. */
	readonly bodyOf: (task: EndedTask) => object;
	readonly secretOf: (account: string) => Promise<string>;
	readonly limits: Pick<StudioLimits, "callbackConcurrency" | "callbackConcurrencyPerAccount">;
	readonly clock: Clock;
	readonly logger: Logger;
}

export interface Callbacks {
	/** Returns the document that makes the callback of an ended task due; none for a task without a callback. */
	writesAtEnd(task: EndedTask): readonly DocumentWrite[];
	/** Sends the callback of a task in the background, if it has one. */
	deliver(taskId: string): void;
	/** Continues every callback that has been overdue for this long; 0 continues all. */
	recover(overdueMs: number): Promise<void>;
	stop(): Promise<void>;
}

/** A callback that has attempts left. */
interface DueCallback {
	readonly taskId: string;
	/** The number of failed attempts. */
	readonly attempts: number;
	readonly dueAtMs: number;
}

const PREFIX = "studio-callback:";
/** The delays after the first, second, … attempt. After the last one there is no retry. */
export const RETRY_DELAYS_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000] as const;
/** The receiver wants no more callbacks. */
const GONE = 410;

export function createCallbacks(deps: CallbacksDeps): Callbacks {
	const { store, limits, clock } = deps;
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
			const stored = await store.get<DueCallback>(PREFIX + taskId);
			if (!stored) return;
			const task = await deps.readTask(taskId);
			if (!task || !isEnded(task) || task.callbackUrl === null) return await store.delete(stored.key);
			const { callbackUrl } = task;
			const waitMs = stored.value.dueAtMs - clock.nowMs();
			if (waitMs > 0) await clock.sleep(waitMs, stopping.signal);
			const callInTurn = (): Promise<CallbackResult> => slots.execute(() => call(task, callbackUrl), stopping.signal);
			const accountSlots = slotsOf(task.account);
			const result = await accountSlots.execute(callInTurn, stopping.signal).finally(() => {
				const isIdle = accountSlots.executionSlots === limits.callbackConcurrencyPerAccount;
				if (isIdle) slotsByAccount.delete(task.account);
			});
			const attempts = stored.value.attempts + 1;
			const delayMs = isFinal(result) ? undefined : RETRY_DELAYS_MS[attempts - 1];
			logger.info({ ...result, attempts, retryAfterMs: delayMs }, "callback sent");
			if (delayMs === undefined) return await store.delete(stored.key);
			const next: DueCallback = { taskId, attempts, dueAtMs: clock.nowMs() + delayMs };
			await store.compareAndSet(stored.key, stored.raw, next);
		}
	}

	function onCorrupt(key: string, error: unknown): void {
		deps.logger.error({ err: error, key }, "callback cannot be read");
	}

	async function call(task: EndedTask, url: string): Promise<CallbackResult> {
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
		return await deps.send(url, { account: task.account, headers, body }, stopping.signal);
	}

	return {
		writesAtEnd({ taskId, callbackUrl }) {
			if (callbackUrl === null) return [];
			const due: DueCallback = { taskId, attempts: 0, dueAtMs: clock.nowMs() };
			return [{ key: PREFIX + taskId, value: due }];
		},
		deliver,
		async recover(overdueMs) {
			for await (const { value } of store.scan<DueCallback>(PREFIX, { onCorrupt })) {
				const isDue = overdueMs === 0 || value.dueAtMs <= clock.nowMs() - overdueMs;
				if (isDue) deliver(value.taskId);
			}
		},
		async stop() {
			stopping.abort(new Error("the studio is stopping"));
			await Promise.all(active.values());
		},
	};
}

function isFinal(result: CallbackResult): boolean {
	if (!("httpStatus" in result)) return false;
	const { httpStatus } = result;
	return (httpStatus >= 200 && httpStatus < 300) || httpStatus === GONE;
}

/** Returns the `webhook-id` of a task: the same for all retries, so that receivers can detect duplicates. */
function eventIdOf(taskId: string): string {
	return `msg_${taskId.slice("task_".length)}`;
}
