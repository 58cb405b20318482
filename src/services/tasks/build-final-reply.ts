/** Builds the final reply of a task: its texts, its stored files and its buttons. */
import { t } from "../../i18n/messages.ts";
import { plainLine } from "../../i18n/quote.ts";
import type { FinalReply } from "../delivery/final-reply.ts";
import type { ResultLinks } from "../delivery/result-links.ts";
import type { ResultStore } from "../delivery/result-store.ts";
import { storedFiles } from "../delivery/stored-files.ts";
import type { ModelCatalog } from "../generation/model-catalog.ts";
import { formatFinalReply, type MissingFilesReason } from "./format-result.ts";
import { imageLabels, resultButtons } from "./result-buttons.ts";
import type { Failure, Success, TaskWithOutcome } from "./task.ts";

const THREAD_NAME_CHARS_MAX = 60;

interface FinalReplyDeps {
	readonly results: Pick<ResultStore, "open">;
	readonly resultLinks: Pick<ResultLinks, "find">;
	readonly catalog: Pick<ModelCatalog, "known">;
}

interface BuiltReply extends FinalReply {
	/** The reason why the reply of a result has no files; absent if it has them. */
	readonly whyMissing?: MissingFilesReason;
}

export async function buildFinalReply(deps: FinalReplyDeps, task: TaskWithOutcome): Promise<BuiltReply> {
	const { outcome } = task;
	return outcome.kind === "failed" ? buildFailure(deps, task, outcome) : await buildResult(deps, task, outcome);
}

function buildFailure({ catalog }: FinalReplyDeps, task: TaskWithOutcome, { cause }: Failure): FinalReply {
	// A withheld result may also be posted to the moderators.
	const isForMemberOnly = cause === "withheld";
	const locale = isForMemberOnly ? task.userLocale : task.locale;
	return {
		...commonFieldsOf(task, catalog, locale),
		...formatFinalReply({ ...task, locale }),
		...(isForMemberOnly && { publicText: t(task.locale, { key: "result.endedPrivately" }) }),
		tone: "failure",
		files: [],
	};
}

/** Attaches all files or none: a text replaces files that Discord rejected, or that are no longer stored. */
async function buildResult(
	{ results, resultLinks, catalog }: FinalReplyDeps,
	task: TaskWithOutcome,
	outcome: Success,
): Promise<BuiltReply> {
	const { files: resultFiles } = outcome;
	const { id: taskId, request, presentation, locale } = task;
	const { isSpoiler, opensThread } = presentation;
	const links = await resultLinks.find(taskId, resultFiles.length);
	const common = commonFieldsOf(task, catalog, locale);
	const files = await storedFiles(results, { taskId, prompt: request.prompt, files: resultFiles, isSpoiler });
	const whyMissing = missingFilesReason(outcome, files.length);
	if (whyMissing)
		return { ...common, ...formatFinalReply(task, { links, whyMissing }), tone: "warning", files: [], whyMissing };
	const images = imageLabels(task, catalog);
	return {
		...common,
		...formatFinalReply(task, { links }),
		tone: "success",
		files,
		...(images.length > 0 && { images }),
		...(opensThread && { thread: threadOf(task) }),
	};
}

/** Returns why the reply cannot have the files of a result, of which so many are stored; `undefined` if it can. */
function missingFilesReason(
	{ files, areFilesRejected = false }: Success,
	storedCount: number,
): MissingFilesReason | undefined {
	if (storedCount < files.length) return "notStored";
	if (files.some(({ isNotConverted }) => isNotConverted)) return "notConverted";
	return areFilesRejected ? "rejected" : undefined;
}

function commonFieldsOf(task: TaskWithOutcome, catalog: FinalReplyDeps["catalog"], locale: string) {
	return {
		taskId: task.id,
		guildId: task.guildId,
		recipientId: task.userId,
		buttons: resultButtons(task, catalog),
		moreLabel: t(locale, { key: "form.more" }),
		...(task.isRestored && { isEditOnly: true }),
	};
}

function threadOf({ request, reply, locale }: TaskWithOutcome): NonNullable<FinalReply["thread"]> {
	return {
		name: plainLine(request.prompt, THREAD_NAME_CHARS_MAX),
		// A thread has the id of its first message.
		pointer: t(locale, { key: "result.inThread", params: { channelId: reply.messageId } }),
	};
}
