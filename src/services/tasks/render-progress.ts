/** What the reply says while its result is being made: pure. */
import type { OpenRemoteTask } from "@atelier/media-protocol/remote-task";
import { say } from "../../i18n/messages.ts";
import { quoteName } from "../../i18n/quote.ts";
import { toTimestampS } from "../../i18n/timestamp.ts";
import { isCancelable } from "./request-cancel.ts";
import type { Task } from "./task.ts";
import type { ProgressUpdate } from "../delivery/reply-client.ts";
import type { ProgressState } from "../../i18n/params.ts";

/** What the last look found out about something that is being made. */
export interface Progress extends Pick<OpenRemoteTask, "phase" | "progressPercent" | "queuePosition"> {
	/** When it should be ready, as far as anybody can guess. */
	readonly readyAtMs: number | null;
}

/** A poll or two that fail are no news. */
export const TROUBLE_SHOWN_AFTER_MS = 30_000;
const BAR_CELLS = 10;

/** `undefined` where there is nothing to tell: it is ready, or the reply has more important news already. */
export function renderProgress(task: Task, known: Progress | undefined, nowMs: number): ProgressUpdate | undefined {
	if (!isCancelable(task) || (task.state === "submitting" && task.unknown)) return undefined;
	const { order, locale, cancel } = task;
	const { costCredits, mediaType, modelName } = order;
	const isMaking = task.state === "submitted" ? known : undefined;
	const readyAtMs = isMaking?.readyAtMs ?? null;
	const percent = isMaking?.progressPercent ?? null;
	const what = {
		state: stateOf(task, known),
		queuePosition: isMaking?.phase === "queued" ? isMaking.queuePosition : null,
		bar: percent === null ? null : barOf(percent),
		// A time that is over helps nobody.
		readyAtS: readyAtMs !== null && readyAtMs > nowMs ? toTimestampS(readyAtMs) : null,
	};
	const lines = [
		say(locale, { key: "progress", params: what }),
		...(nowMs >= troubleShownAtMs(task) ? [say(locale, { key: troubleKeyOf(task) })] : []),
		say(locale, { key: "progressCost", params: { mediaType, model: quoteName(modelName), costCredits } }),
	];
	const label = say(locale, { key: "buttonCancel" });
	return {
		taskId: task.id,
		text: lines.join("\n"),
		buttons: [{ action: "cancel", label, isDisabled: cancel !== undefined }],
	};
}

/** When the reply says that the service or the disk is in trouble, or has taken no order yet, unless that is over by then. */
export function troubleShownAtMs(task: Task): number {
	if (task.state === "reserved") return task.createdAtMs + TROUBLE_SHOWN_AFTER_MS;
	const sinceMs = task.state === "submitted" ? task.trouble?.sinceMs : undefined;
	return sinceMs === undefined ? Number.POSITIVE_INFINITY : sinceMs + TROUBLE_SHOWN_AFTER_MS;
}

function troubleKeyOf(task: Task): "progressBusy" | "progressDiskFull" | "progressTrouble" {
	if (task.state === "reserved") return "progressBusy";
	return task.state === "submitted" && task.trouble?.isDiskFull ? "progressDiskFull" : "progressTrouble";
}

function stateOf({ state, cancel }: Task, known: Progress | undefined): ProgressState {
	if (cancel) return "canceling";
	if (state !== "submitted") return "sending";
	return known?.phase === "queued" ? "queued" : "making";
}

/** In tenths, so that it is not edited for every percent; never full before the end. */
function barOf(percent: number): string {
	const full = Math.min(BAR_CELLS - 1, Math.max(0, Math.floor((percent / 100) * BAR_CELLS)));
	return `${"▰".repeat(full)}${"▱".repeat(BAR_CELLS - full)} ${full * BAR_CELLS} %`;
}
