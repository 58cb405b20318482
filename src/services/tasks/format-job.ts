/** Formats tasks for `/job`. Pure. */
import { notesOf, withLines } from "./render-result.ts";
import { t, type MessageRef } from "../../i18n/messages.ts";
import { plainLine, quote, quoteName } from "../../i18n/quote.ts";
import { toTimestampS } from "../../i18n/timestamp.ts";
import { formatCancel, wasCanceled } from "./format-cancel.ts";
import { isCancelable } from "./request-cancel.ts";
import type { Task } from "./task.ts";
import type { JobState, JobCredits, ResultLink } from "../../i18n/params.ts";

const MINUTE_MS = 60_000;
const PROMPT_CHARS_LISTED = 40;
const PROMPT_CHARS_SHOWN = 280;
const PROMPT_CHARS_CHOICE = 50;

function stateOf(task: Task): JobState {
	switch (task.state) {
		case "created":
		case "reserved":
			return "waiting";
		case "submitting":
			return task.unknown ? "unknown" : "sending";
		case "submitted":
			return task.cancel ? "canceling" : "making";
		case "finished":
		case "settled":
			return "delivering";
		case "delivered":
		case "withdrawn":
			if (task.outcome.kind === "succeeded") return "done";
			return wasCanceled(task) ? "canceled" : "failed";
	}
}

function creditsOf(task: Task): { readonly credits: number; readonly are: JobCredits } {
	if ("chargedCredits" in task) {
		return { credits: task.chargedCredits, are: task.chargedCredits > 0 ? "charged" : "none" };
	}
	return { credits: task.request.costCredits, are: task.request.costCredits > 0 ? "aside" : "none" };
}

/** Links to the message of the result. A direct message has no link in the guild, so the reply's is used. */
function linkOf({ guildId, reply, ...task }: Task): string {
	const shown = "shown" in task && task.shown.kind === "delivered" ? task.shown : undefined;
	const messageId = shown && shown.route !== "directMessage" ? shown.messageId : reply.messageId;
	return `https://discord.com/channels/${guildId}/${reply.channelId}/${messageId}`;
}

/** Formats one line of a list. */
export function formatJobLine(task: Task): MessageRef {
	const { id, request, createdAtMs } = task;
	return {
		key: "jobLine",
		params: {
			...creditsOf(task),
			taskId: id,
			state: stateOf(task),
			mediaType: request.mediaType,
			prompt: quote(request.prompt, PROMPT_CHARS_LISTED),
			createdAtS: toTimestampS(createdAtMs),
			link: linkOf(task),
		},
	};
}

/** Formats every detail of a task. */
export function formatJobLines(task: Task, locale: string, links: readonly (ResultLink | undefined)[] = []): string {
	const { id, request, createdAtMs, deadlineAtMs } = task;
	const isRunning = isCancelable(task);
	const what = {
		state: stateOf(task),
		mediaType: request.mediaType,
		model: quoteName(request.modelName),
		createdAtS: toTimestampS(createdAtMs),
	};
	const lines: MessageRef[] = [
		{ key: "jobPrompt", params: { prompt: quote(request.prompt, PROMPT_CHARS_SHOWN) } },
		{ key: "jobWhat", params: what },
		...("outcome" in task && task.outcome.kind === "failed" ? [task.outcome.why] : []),
		{ key: "jobCredits", params: creditsOf(task) },
		...(isRunning ? [{ key: "jobDeadline", params: { deadlineAtS: toTimestampS(deadlineAtMs) } } as const] : []),
		...(isRunning && task.cancel ? [formatCancel(task)] : []),
		{ key: "jobWhere", params: { taskId: id, link: linkOf(task) } },
	];
	const text = lines.map((line) => t(locale, line)).join("\n");
	const hasResult = "outcome" in task && task.outcome.kind === "succeeded";
	return hasResult ? withLines(text, notesOf(task.outcome.files, links, locale)) : text;
}

/** Formats a choice of autocomplete, as plain text. */
export function formatJobChoice(task: Task, nowMs: number): MessageRef {
	const prompt = plainLine(task.request.prompt, PROMPT_CHARS_CHOICE);
	const minutes = Math.floor((nowMs - task.createdAtMs) / MINUTE_MS);
	return { key: "jobChoice", params: { prompt, state: stateOf(task), minutes } };
}
