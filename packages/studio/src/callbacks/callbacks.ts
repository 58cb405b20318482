/**
 * Reports the end of a task to the callback URL of its request: one event per task, signed with Standard Webhooks, at
 * least once. The store has every due callback; the state of this module can be rebuilt from it.
 */
import { bulkhead, type BulkheadPolicy } from "cockatiel";
import type { Logger } from "pino";
import { Webhook } from "standardwebhooks";
import type { Clock } from "@atelier/common/clock";
import type { StudioLimits } from "../limits.ts";
import { isEnded, type EndedTask, type Task } from "../task.ts";
import { withAttempt, type CallbackAttempt, type CallbackLog, type CallbackLogs } from "./callback-log.ts";
import type { CallbackSender } from "./callback-sender.ts";
import { USER_AGENT } from "@atelier/common/user-agent";

export interface CallbacksDeps {
	readonly logs: CallbackLogs;
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
	/** Resolves once the event will be sent even after a crash. Idempotent. */
	schedule(task: EndedTask): Promise<void>;
	/** Continues every callback that has been overdue for this long; 0 continues all. */
	recover(overdueMs: number): Promise<void>;
	/** Returns the log of a task's callback; `undefined` for a task without one. */
	logOf(taskId: string): Promise<CallbackLog | undefined>;
	stop(): Promise<void>;
}

/** Returns the `webhook-id` of a task: the same for all retries, so that receivers can detect duplicates. */
export function eventIdOf(taskId: string): string {
	return `msg_${taskId.slice("task_".length)}`;
}

export function createCallbacks(deps: CallbacksDeps): Callbacks {
	const { logs, limits, clock } = deps;
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

	function deliverInBackground(taskId: string): void {
		if (active.has(taskId) || stopping.signal.aborted) return;
		const logger = deps.logger.child({ taskId });
		const work = deliver(taskId, logger)
			.catch((error: unknown) => {
				if (!stopping.signal.aborted) logger.error({ err: error }, "callback postponed to the next sweep");
			})
			.finally(() => active.delete(taskId));
		active.set(taskId, work);
	}

	async function deliver(taskId: string, logger: Logger): Promise<void> {
		for (;;) {
			const stored = await logs.read(taskId);
			const task = await deps.readTask(taskId);
			if (stored?.value.state !== "pending" || !task || !isEnded(task)) return await logs.close(taskId);
			const waitMs = stored.value.dueAtMs - clock.nowMs();
			if (waitMs > 0) await clock.sleep(waitMs, stopping.signal);
			const callInTurn = (): Promise<CallbackAttempt> => slots.execute(() => call(task, stored.value), stopping.signal);
			const accountSlots = slotsOf(task.account);
			const attempt = await accountSlots.execute(callInTurn, stopping.signal).finally(() => {
				const isIdle = accountSlots.executionSlots === limits.callbackConcurrencyPerAccount;
				if (isIdle) slotsByAccount.delete(task.account);
			});
			const next = withAttempt(stored.value, attempt);
			const { httpStatus, error, durationMs } = attempt;
			logger.info(
				{ state: next.state, attempts: next.attempts.length, httpStatus, error, durationMs },
				"callback sent",
			);
			await logs.write(stored, next);
		}
	}

	async function call(task: EndedTask, { url }: CallbackLog): Promise<CallbackAttempt> {
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
		const durationMs = clock.nowMs() - atMs;
		return "httpStatus" in result
			? { atMs, durationMs, httpStatus: result.httpStatus, error: null }
			: { atMs, durationMs, httpStatus: null, error: result.error };
	}

	async function isOverdue(taskId: string, byMs: number): Promise<boolean> {
		const stored = await logs.read(taskId);
		return stored === undefined || stored.value.dueAtMs <= clock.nowMs() - byMs;
	}

	return {
		async schedule(task) {
			const { taskId, callbackUrl } = task;
			if (callbackUrl === null) return;
			await logs.create({ taskId, url: callbackUrl, state: "pending", dueAtMs: clock.nowMs(), attempts: [] });
			deliverInBackground(taskId);
		},
		async recover(overdueMs) {
			for await (const taskId of logs.dueTaskIds()) {
				if (active.has(taskId) || (overdueMs > 0 && !(await isOverdue(taskId, overdueMs)))) continue;
				deliverInBackground(taskId);
			}
		},
		logOf: async (taskId) => (await logs.read(taskId))?.value,
		async stop() {
			stopping.abort(new Error("the studio is stopping"));
			await Promise.all(active.values());
		},
	};
}
