/** Formats the texts of a task's final reply. No I/O. */
import { moneyOf } from "../../i18n/money.ts";
import { countOf } from "@atelier/media-protocol/model";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import type { FinalReply, PromptedText } from "../delivery/final-reply.ts";
import type { MediaFile } from "../delivery/media-file.ts";
import { noteMessage } from "../delivery/transcode-messages.ts";
import { quoteName, quotePrompt } from "../../i18n/quote.ts";
import { isUpscale } from "../generation/request.ts";
import type { Failure, Success, Task, TaskWithOutcome } from "./task.ts";
import type { ResultLink } from "../delivery/result-links.ts";

/** Discord's maximum is 2,000. A direct message needs some of it for its heading. */
const TEXT_CHARS_MAX = 1850;

/** The messages about a result without its files, by the reason. */
const MISSING_FILES_KEYS = {
	notConverted: "result.notConverted",
	rejected: "result.fileRejected",
	notStored: "result.filesGone",
} as const;
export type MissingFilesReason = keyof typeof MISSING_FILES_KEYS;

interface ResultFiles {
	/** The link to each full-size file, if there is one. */
	readonly links: readonly (ResultLink | undefined)[];
	/** The reason why the reply has no files; absent if it has them. */
	readonly whyMissing?: MissingFilesReason | undefined;
}

/** Formats the texts of a final reply. `resultFiles` is for results only. */
export function formatFinalReply(
	task: TaskWithOutcome,
	resultFiles: ResultFiles = { links: [] },
): PromptedText & Pick<FinalReply, "direct"> {
	const { reply, locale, userLocale } = task;
	const lead = t(userLocale, { key: "result.directLead", params: { channelId: reply.channelId } });
	const direct = formatTexts(task, resultFiles, userLocale, false);
	return {
		...formatTexts(task, resultFiles, locale, !reply.isEphemeral),
		direct: { text: `${lead}\n${direct.text}`, textWithoutPrompt: `${lead}\n${direct.textWithoutPrompt}` },
	};
}

function formatTexts(
	task: TaskWithOutcome,
	{ links, whyMissing }: ResultFiles,
	locale: string,
	isPublic: boolean,
): PromptedText {
	const { outcome } = task;
	if (outcome.kind === "failed") return failureTexts(task, outcome, locale);
	return whyMissing
		? textsWithoutFiles(task, whyMissing, links, locale)
		: resultTexts(task, outcome, links, locale, isPublic);
}

function failureTexts({ request }: TaskWithOutcome, { why }: Failure, locale: string): PromptedText {
	const reason = `${t(locale, why)}\n-# ${t(locale, { key: "result.nothingCharged" })}`;
	return { text: `${promptLine(request.prompt)}\n${reason}`, textWithoutPrompt: reason };
}

/** Explains why the files are not attached, with the links to them. */
function textsWithoutFiles(
	{ id: taskId, chargedCredits: costCredits }: TaskWithOutcome,
	whyMissing: MissingFilesReason,
	links: ResultFiles["links"],
	locale: string,
): PromptedText {
	const text = appendSmallPrint(
		t(locale, { key: MISSING_FILES_KEYS[whyMissing], params: { costCredits, taskId } }),
		links.flatMap((link) => (link ? [t(locale, { key: "result.link", params: link })] : [])),
	);
	return { text, textWithoutPrompt: text };
}

function resultTexts(
	task: TaskWithOutcome,
	outcome: Success,
	links: ResultFiles["links"],
	locale: string,
	isPublic: boolean,
): PromptedText {
	const { request, chargedCredits: costCredits, leftCredits } = task;
	const money = moneyOf(costCredits, task.presentation.creditPrice);
	const lateCancel = task.cancel ? ` · ${t(locale, { key: "result.canceledTooLate" })}` : "";
	const details = formatDetails(task, outcome, locale, isPublic) + lateCancel;
	const line = t(
		locale,
		leftCredits === null
			? { key: "result.recordsDamaged", params: { details, costCredits } }
			: { key: "result.made", params: { details, costCredits, money, leftCredits } },
	);
	const notes = [
		...missingFilesMessages(outcome, countOf(request.options)).map((message) => t(locale, message)),
		...formatFileNotes(task.id, outcome.files, links, locale),
	];
	return {
		text: appendSmallPrint(`${promptLine(request.prompt)}\n${line}`, notes),
		textWithoutPrompt: appendSmallPrint(`${line}\n${t(locale, { key: "result.promptBlocked" })}`, notes),
	};
}

/** Returns the first line of messages about a task: its prompt, as a quotation. */
export function promptLine(prompt: string): string {
	return `> ${quotePrompt(prompt)}`;
}

/** Returns the messages about files that the message does not have, and about fewer files than requested. */
function missingFilesMessages(
	{ files, leftOutCount = 0, unusableCount = 0 }: Success,
	requested: number,
): readonly MessageDescriptor[] {
	const shown = files.length + unusableCount;
	const generated = shown + leftOutCount;
	const messages: MessageDescriptor[] = [];
	if (leftOutCount > 0) messages.push({ key: "result.truncated", params: { generated, shown } });
	else if (generated < requested) messages.push({ key: "result.partial", params: { generated, requested } });
	if (unusableCount > 0) messages.push({ key: "result.unusableFiles", params: { count: unusableCount } });
	return messages;
}

/** Formats what was changed so that the files fit the upload limit, each change once, and links to the full-size files. */
export function formatFileNotes(
	taskId: string,
	files: readonly MediaFile[],
	links: readonly (ResultLink | undefined)[],
	locale: string,
): readonly string[] {
	const notes = files.map(({ note, isNotConverted }, index): MessageDescriptor | undefined => {
		const link = links[index];
		if (isNotConverted && link) return { key: "result.link", params: link };
		return note && noteMessage(note, taskId, link);
	});
	return [...new Set(notes.flatMap((note) => (note ? [t(locale, note)] : [])))];
}

/** Appends lines in Discord's small text (`-#`), without those for which the message has no room. */
export function appendSmallPrint(text: string, lines: readonly string[]): string {
	let result = text;
	for (const line of lines) {
		const longer = `${result}\n-# ${line}`;
		if (longer.length <= TEXT_CHARS_MAX) result = longer;
	}
	return result;
}

/** Formats the line of details under the prompt. It names the member if the reply is public. */
function formatDetails(
	{ request, userId, source }: Task,
	{ seed, files }: Success,
	locale: string,
	isPublic: boolean,
): string {
	const { modelName, options } = request;
	const { aspect_ratio: aspectRatio, resolution, duration } = options;
	// An upscale has no options: its result is what it changes.
	const size = isUpscale(request) ? files[0]?.imageSize : undefined;
	const details = [
		isPublic ? t(locale, { key: "result.detailAuthor", params: { userId } }) : "",
		source ? t(locale, { key: "result.detailSource", params: source }) : "",
		quoteName(modelName),
		aspectRatio === undefined ? "" : quoteName(String(aspectRatio)),
		size ? t(locale, { key: "result.detailSize", params: size }) : "",
		resolution === undefined ? "" : quoteName(String(resolution)),
		duration === undefined ? "" : t(locale, { key: "result.detailSeconds", params: { seconds: Number(duration) } }),
		seed === null ? "" : t(locale, { key: "result.detailSeed", params: { seed } }),
	];
	return details.filter((detail) => detail !== "").join(" · ");
}
