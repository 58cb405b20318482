/** Renders the reply while a task is running. No I/O. */
import { moneyOf } from "../../i18n/money.ts";
import type { OpenRemoteTask } from "@atelier/media-protocol/remote-task";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { quoteName } from "../../i18n/quote.ts";
import { toTimestampS } from "../../i18n/timestamp.ts";
import type { FailureKind, Failures } from "./failure-counts.ts";
import { promptLine } from "./format-result.ts";
import { jobStateOf } from "./job-state.ts";
import { isPending, type Task } from "./task.ts";
import { canBotFindReply } from "../delivery/delivery-routes.ts";
import type { ProgressUpdate } from "../delivery/reply-client.ts";

/** The state of a task at its last poll. */
export interface Progress extends Pick<OpenRemoteTask, "phase" | "progressPercent" | "queuePosition"> {
	/** The estimated end, if there is one. */
	readonly readyAtMs: number | null;
}

/** The reply reports failures that have lasted this long: one or two failed polls are no news. */
export const FAILURES_SHOWN_AFTER_MS = 30_000;
/** The same for an unconfirmed submit. */
const UNCONFIRMED_SHOWN_AFTER_MS = 10_000;
/** From this time before the token expires, the reply says that the result comes later. */
const DELAY_SHOWN_BEFORE_EXPIRY_MS = 60_000;
/** The kinds of failures of a submitted task that the reply reports. */
const SHOWN_FAILURES: ReadonlySet<FailureKind> = new Set(["unavailable", "download", "disk"]);
const BAR_CELLS = 10;

/**
 * Renders the reply of a running task. Returns `undefined` if the task has an outcome. `lastProgress` is the progress at the last poll,
 * if there was one.
 */
export function renderProgress(
	task: Task,
	lastProgress: Progress | undefined,
	failures: Failures,
	nowMs: number,
): ProgressUpdate | undefined {
	if (!isPending(task)) return undefined;
	const { request, presentation, locale, cancel } = task;
	const { costCredits, mediaType, modelName } = request;
	const money = moneyOf(costCredits, presentation.creditPrice);
	const progress = task.state === "submitted" ? lastProgress : undefined;
	const readyAtMs = progress?.readyAtMs ?? null;
	const headParts = [t(locale, stateMessage(task, progress))];
	// An estimate in the past is not shown.
	if (readyAtMs !== null && readyAtMs > nowMs) {
		headParts.push(t(locale, { key: "progress.readyAt", params: { readyAtS: toTimestampS(readyAtMs) } }));
	}
	const lines = [
		headParts.join(" · "),
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
			...(task.ping === "off" ? [] : [pingButton]),
		],
	};
}

/** Returns the time of the first notice that a reply of the time `shownAtMs` lacks; infinity if there is none. */
export function nextNoticeAtMs(task: Task, failures: Failures, shownAtMs: number): number {
	const timesMs = [failuresShownAtMs(task, failures), delayShownAtMs(task)];
	return Math.min(...timesMs.filter((atMs) => atMs > shownAtMs), Number.POSITIVE_INFINITY);
}

function noticesOf(task: Task, failures: Failures, nowMs: number): readonly MessageDescriptor[] {
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
function failuresShownAtMs(task: Task, { sinceMs, latestKind }: Failures): number {
	if (task.state === "reserved") return task.createdAtMs + FAILURES_SHOWN_AFTER_MS;
	if (task.state === "unconfirmed") return task.sinceMs + UNCONFIRMED_SHOWN_AFTER_MS;
	const isShown = latestKind !== undefined && SHOWN_FAILURES.has(latestKind);
	return isShown && sinceMs !== undefined ? sinceMs + FAILURES_SHOWN_AFTER_MS : Number.POSITIVE_INFINITY;
}

function failuresMessageOf(task: Task, { latestKind }: Failures): MessageDescriptor {
	if (task.state === "reserved") return { key: "progress.busy" };
	if (task.state === "unconfirmed") {
		const params = { costCredits: task.request.costCredits, deadlineAtS: toTimestampS(task.deadlineAtMs) };
		return { key: "service.outcomePending", params };
	}
	return { key: latestKind === "disk" ? "progress.diskFull" : "progress.serviceProblems" };
}

/** Formats the state of a task, with its place in the queue or its progress where the service reports one. */
function stateMessage(task: Task, lastProgress: Progress | undefined): MessageDescriptor {
	const state: MessageDescriptor = { key: `state.${jobStateOf(task)}` };
	const progress = task.cancel ? undefined : lastProgress;
	const { phase, queuePosition = null, progressPercent = null } = progress ?? {};
	if (phase === "queued" && queuePosition !== null) {
		return { key: "progress.queuedAt", params: { state, queuePosition } };
	}
	if (phase !== "queued" && progressPercent !== null) {
		return { key: "progress.bar", params: { state, ...barOf(progressPercent) } };
	}
	return { key: "progress.state", params: { state } };
}

/** Draws a bar in steps of 10 %, to avoid an edit per percent. It is never full before the end. */
function barOf(percent: number): { bar: string; progress: number } {
	const fullCells = Math.min(BAR_CELLS - 1, Math.max(0, Math.floor((percent / 100) * BAR_CELLS)));
	return { bar: "▰".repeat(fullCells) + "▱".repeat(BAR_CELLS - fullCells), progress: fullCells / BAR_CELLS };
}
