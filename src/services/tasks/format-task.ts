/** Formats tasks for `/job`. No I/O. */
import { languageOf } from "../../i18n/languages.ts";
import { formatFileNotes, appendSmallPrint, promptLine } from "./format-result.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { plainLine, quote, quoteName } from "../../i18n/quote.ts";
import { toTimestampS } from "../../i18n/message-param-values.ts";
import { formatCancel } from "./format-cancel.ts";
import { taskStatusOf } from "./task-status.ts";
import { messageLinkOf } from "./delivered-result.ts";
import { isPending, type Task } from "./task.ts";
import type { PromptedText } from "../delivery/final-reply.ts";
import type { MediaFile } from "../delivery/media-file.ts";
import type { ResultLink } from "../delivery/result-links.ts";

const MINUTE_MS = 60_000;
const PROMPT_CHARS_LISTED = 40;
const PROMPT_CHARS_CHOICE = 50;

function formatState(task: Task): MessageDescriptor {
	return { key: `state.${taskStatusOf(task)}` };
}

/** Formats the credits that a task has charged or holds. */
function creditsOf(task: Task): MessageDescriptor {
	const isCharged = "chargedCredits" in task;
	const credits = isCharged ? task.chargedCredits : task.request.costCredits;
	if (credits === 0) return { key: "job.creditsNone" };
	return { key: isCharged ? "credits.amount" : "job.creditsHeld", params: { credits } };
}

/** Formats one line of a list. */
export function formatTaskLine(task: Task): MessageDescriptor {
	const { request, createdAtMs } = task;
	return {
		key: "job.line",
		params: {
			cost: creditsOf(task),
			state: formatState(task),
			mediaType: request.mediaType,
			prompt: quote(request.prompt, PROMPT_CHARS_LISTED),
			createdAtS: toTimestampS(createdAtMs),
		},
	};
}

/** Formats every detail of a task, with its prompt and without. */
export function formatTaskDetails(
	task: Task,
	locale: string,
	links: readonly (ResultLink | undefined)[] = [],
): PromptedText {
	const { id, request, reply, createdAtMs, deadlineAtMs } = task;
	const details = {
		state: formatState(task),
		mediaType: request.mediaType,
		model: quoteName(request.modelName),
		createdAtS: toTimestampS(createdAtMs),
	};
	const lines: MessageDescriptor[] = [
		{ key: "job.details", params: details },
		...("outcome" in task && task.outcome.kind === "failed" ? [task.outcome.why] : []),
		{ key: "job.cost", params: { cost: creditsOf(task) } },
		...(isPending(task) ? [{ key: "job.deadline", params: { deadlineAtS: toTimestampS(deadlineAtMs) } } as const] : []),
		...(isPending(task) && task.cancel ? [formatCancel(task)] : []),
		{ key: "job.where", params: { taskId: id, link: reply.isEphemeral ? null : messageLinkOf(task) } },
	];
	const text = lines.map((line) => t(locale, line)).join("\n");
	const files = "outcome" in task && task.outcome.kind === "succeeded" ? task.outcome.files : [];
	const notes = [...provenanceLines(files, locale), ...formatFileNotes(id, files, links, locale)];
	return {
		text: appendSmallPrint(`${promptLine(request.prompt)}\n${text}`, notes),
		textWithoutPrompt: appendSmallPrint(`${text}\n${t(locale, { key: "result.promptBlocked" })}`, notes),
	};
}

/** Renders what the marks in the files say, each text once. The message calls a file type that has no place for a mark `other`. */
function provenanceLines(files: readonly MediaFile[], locale: string): readonly string[] {
	const found = new Set(files.flatMap(({ provenance }) => provenance ?? []));
	return [...found].map((each) =>
		t(locale, { key: "job.provenance", params: { provenance: each === "none" ? "other" : each } }),
	);
}

/** Formats a choice of autocomplete, as plain text. */
export function formatTaskChoice(task: Task, nowMs: number, locale: string): string {
	const prompt = plainLine(task.request.prompt, PROMPT_CHARS_CHOICE);
	const minutes = Math.floor((nowMs - task.createdAtMs) / MINUTE_MS);
	const age = languageOf(locale).formatAge(minutes);
	return t(locale, {
		key: "job.choice",
		params: { prompt, mediaType: task.request.mediaType, state: formatState(task), age },
	});
}
