/** Renders the reply while a task is running. No I/O. */
import { moneyOf } from "../../i18n/money.ts";
import type { OpenRemoteTask } from "@atelier/media-protocol/remote-task";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { quoteName } from "../../i18n/quote.ts";
import { toTimestampS } from "../../i18n/message-param-values.ts";
import type { AttemptFailureKind, FailedAttempts } from "./failed-attempts.ts";
import { promptLine } from "./format-result.ts";
import { taskStatusOf } from "./task-status.ts";
import { isPending, PING_AFTER_MS, type Task } from "./task.ts";
import { canBotFindReply } from "../delivery/delivery-routes.ts";
import type { ProgressUpdate } from "../delivery/reply-client.ts";

/** The state of a task at its last poll. */
export interface Progress extends Pick<OpenRemoteTask, "phase" | "progressPercent" | "queuePosition"> {
	/** The estimated end, if there is one. It may have passed. */
	readonly readyAtMs: number | null;
	/** The end of its time in the queue, as far as it is known. */
	readonly runningSinceMs: number;
}

/** The reply reports failures that have lasted this long: one or two failed polls are no news. */
export const FAILURES_SHOWN_AFTER_MS = 30_000;
/** The same for an unconfirmed submit. */
const UNCONFIRMED_SHOWN_AFTER_MS = 10_000;
/** From this time before the token expires, the reply says that the result comes later. */
const DELAY_SHOWN_BEFORE_EXPIRY_MS = 60_000;
/** The kinds of failures of a submitted task that the reply reports. */
const SHOWN_FAILURES: ReadonlySet<AttemptFailureKind> = new Set(["unavailable", "download", "machine"]);
const BAR_CELLS = 10;
const OVERDUE_AFTER_MS_MIN = 10_000;
/** The time between two edits: a countdown that reached its end would show a time in the past until the next edit. */
const ALMOST_DONE_BEFORE_MS = 5_000;

/**
 * Renders the reply of a running task. Returns `undefined` if the task has an outcome. `lastProgress` is the progress at the last poll,
 * if there was one.
 */
export function renderProgress(
	task: Task,
	lastProgress: Progress | undefined,
	failures: FailedAttempts,
	nowMs: number,
): ProgressUpdate | undefined {
	if (!isPending(task)) return undefined;
	const { request, presentation, locale, cancel } = task;
	const { costCredits, mediaType, modelName } = request;
	const money = moneyOf(costCredits, presentation.creditPrice);
	const progress = task.state === "submitted" && !cancel ? lastProgress : undefined;
	const headParts = [stateMessage(task, progress, nowMs), ...estimateMessages(task, progress, nowMs)];
	const lines = [
		headParts.map((part) => t(locale, part)).join(" · "),
		...noticesOf(task, failures, nowMs).map((notice) => t(locale, notice)),
		t(locale, { key: "progress.cost", params: { mediaType, model: quoteName(modelName), costCredits, money } }),
	];
	const textWithoutPrompt = lines.join("\n");
	const pingLabel = t(locale, { key: "button.ping" });
	const pingButton = { action: "ping", label: pingLabel, isDisabled: task.ping === "requested" } as const;
	return {
		taskId: task.id,
		text: `${promptLine(request.prompt)}\n${textWithoutPrompt}`,
		textWithoutPrompt,
		buttons: [
			{ action: "cancel", label: t(locale, { key: "button.cancel" }), isDisabled: cancel !== undefined },
			...(offersPing(task, progress, nowMs) ? [pingButton] : []),
		],
	};
}

/** Returns the time of the first notice that a reply of the time `shownAtMs` lacks; infinity if there is none. */
export function nextNoticeAtMs(task: Task, failures: FailedAttempts, shownAtMs: number): number {
	const timesMs = [failuresShownAtMs(task, failures), delayShownAtMs(task)];
	return Math.min(...timesMs.filter((atMs) => atMs > shownAtMs), Number.POSITIVE_INFINITY);
}

function noticesOf(task: Task, failures: FailedAttempts, nowMs: number): readonly MessageDescriptor[] {
	const comesLaterKey = canBotFindReply(task.reply) ? "result.comesLaterHere" : "result.comesLaterDirectly";
	return [
		...(nowMs >= failuresShownAtMs(task, failures) ? [failuresMessageOf(task, failures)] : []),
		...(nowMs >= delayShownAtMs(task) ? [{ key: comesLaterKey } as const] : []),
	];
}

function delayShownAtMs({ reply }: Task): number {
	return reply.tokenExpiresAtMs - DELAY_SHOWN_BEFORE_EXPIRY_MS;
}

/**
 * Returns the time from which the reply reports problems that last until then: a submit that has to wait or is unconfirmed,
 * or failed polls or downloads. Infinity without problems.
 */
function failuresShownAtMs(task: Task, { sinceMs, latestKind }: FailedAttempts): number {
	if (task.state === "reserved") return task.createdAtMs + FAILURES_SHOWN_AFTER_MS;
	if (task.state === "unconfirmed") return task.sinceMs + UNCONFIRMED_SHOWN_AFTER_MS;
	const isShown = latestKind !== undefined && SHOWN_FAILURES.has(latestKind);
	return isShown && sinceMs !== undefined ? sinceMs + FAILURES_SHOWN_AFTER_MS : Number.POSITIVE_INFINITY;
}

function failuresMessageOf(task: Task, { latestKind }: FailedAttempts): MessageDescriptor {
	if (task.state === "reserved") return { key: "progress.busy" };
	if (task.state === "unconfirmed") {
		const params = { costCredits: task.request.costCredits, deadlineAtS: toTimestampS(task.deadlineAtMs) };
		return { key: "service.outcomePending", params };
	}
	return { key: latestKind === "machine" ? "progress.resultNotStored" : "progress.serviceProblems" };
}

/** Formats the state of a task with its place in the queue, or with its progress: that of the service or of the estimate. */
function stateMessage(task: Task, progress: Progress | undefined, nowMs: number): MessageDescriptor {
	const state: MessageDescriptor = { key: `state.${taskStatusOf(task)}` };
	const { phase, queuePosition = null, progressPercent = null } = progress ?? {};
	if (phase === "queued") {
		return queuePosition === null
			? { key: "progress.state", params: { state } }
			: { key: "progress.queuedAt", params: { state, queuePosition } };
	}
	const expected = expectedRun(task, progress);
	const elapsedPercent = expected && ((nowMs - expected.fromMs) / expected.lengthMs) * 100;
	if (progressPercent === null && elapsedPercent === undefined) return { key: "progress.state", params: { state } };
	return { key: "progress.bar", params: { state, ...barOf(Math.max(progressPercent ?? 0, elapsedPercent ?? 0)) } };
}

/** Formats the estimated end. A task that has waited in the queue until then is not almost done. */
function estimateMessages(task: Task, progress: Progress | undefined, nowMs: number): readonly MessageDescriptor[] {
	const expected = expectedRun(task, progress);
	if (!expected) return [];
	const { untilMs, almostDoneFromMs, overdueFromMs } = expected;
	if (nowMs < almostDoneFromMs) return [{ key: "progress.readyAt", params: { readyAtS: toTimestampS(untilMs) } }];
	if (progress?.phase === "queued") return [];
	return [{ key: nowMs < overdueFromMs ? "progress.almostDone" : "progress.overdue" }];
}

/** A short task offers no ping. One that is longer than expected offers it from the time when a ping would be sent. */
function offersPing({ ping, createdAtMs }: Task, progress: Progress | undefined, nowMs: number): boolean {
	if (ping !== undefined) return ping === "requested";
	const readyAtMs = progress?.readyAtMs ?? null;
	return readyAtMs === null || Math.max(readyAtMs, nowMs) - createdAtMs > PING_AFTER_MS;
}

/** Returns the time after `shownAtMs` at which the estimate changes the reply without a poll; infinity if there is none. */
export function nextEstimateChangeAtMs(task: Task, progress: Progress | undefined, shownAtMs: number): number {
	const expected = expectedRun(task, progress);
	if (!expected) return Number.POSITIVE_INFINITY;
	const { fromMs, lengthMs, almostDoneFromMs, overdueFromMs } = expected;
	const cellsMs = Array.from({ length: BAR_CELLS }, (_, cell) => fromMs + (lengthMs * (cell + 1)) / BAR_CELLS);
	return Math.min(
		...[...cellsMs, almostDoneFromMs, overdueFromMs].filter((atMs) => atMs > shownAtMs),
		Number.POSITIVE_INFINITY,
	);
}

/** Returns the expected time of a submitted task with an estimate. It is overdue after twice that time, but not by a few seconds. */
function expectedRun(task: Task, progress: Progress | undefined) {
	if (task.state !== "submitted" || !progress || progress.readyAtMs === null) return undefined;
	const { runningSinceMs: fromMs, readyAtMs: untilMs } = progress;
	const lengthMs = Math.max(1, untilMs - fromMs);
	return {
		fromMs,
		untilMs,
		lengthMs,
		almostDoneFromMs: untilMs - ALMOST_DONE_BEFORE_MS,
		overdueFromMs: untilMs + Math.max(lengthMs, OVERDUE_AFTER_MS_MIN),
	};
}

/** Draws a bar in steps of 10 %, to avoid an edit per percent. It is never full before the end. */
function barOf(percent: number): { bar: string; progress: number } {
	const fullCells = Math.min(BAR_CELLS - 1, Math.max(0, Math.floor((percent / 100) * BAR_CELLS)));
	return { bar: "▰".repeat(fullCells) + "▱".repeat(BAR_CELLS - fullCells), progress: fullCells / BAR_CELLS };
}
