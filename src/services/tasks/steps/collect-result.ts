import { DownloadFailedError } from "@atelier/common/download";
import { isMachineError } from "@atelier/common/is-errno";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import type { MessageDescriptor } from "../../../i18n/message-descriptor.ts";
import { isDiskFull } from "../../delivery/durable-file.ts";
import { downloadAndStoreResult } from "../../delivery/download-result.ts";
import type { StreamedFile } from "../../delivery/reply-client.ts";
import { FILES_MAX } from "../../delivery/result-store.ts";
import { messageOfWithheld } from "../../moderation/format-withheld.ts";
import { UserError } from "../../user-error.ts";
import type { Success, TaskIn } from "../task.ts";
import { logFailedAttempt } from "../service-error.ts";
import {
	failed,
	settled,
	untilDeadline,
	waitAfterFailure,
	type StepContext,
	type StepDeps,
	type StepResult,
} from "./step.ts";

/** The consecutive failed attempts after which a task whose deadline has passed fails. */
const ATTEMPTS_AFTER_DEADLINE = 4;
/** After this time and as many attempts, a result is delivered without a file whose link has expired. It may only appear late. */
const EXPIRED_MS_MIN = 60_000;

/** submitted -> settled: downloads, transcodes, stores and reviews the files of a task that succeeded at the service. */
export async function collectResult(
	deps: StepDeps,
	task: TaskIn<"submitted">,
	{ outputs, shape }: Extract<RemoteTask, { state: "success" }>,
	context: StepContext,
): Promise<StepResult> {
	const { logger, failures, signal } = context;
	if (outputs.length === 0) {
		if (!failures.counts.missingFile) logger.warn({ shape }, "task done without a file");
		// The service may report the end before it lists the files: poll once more, then fail.
		return failures.counts.missingFile
			? failed({ key: "service.nothingMade" })
			: waitAfterFailure(deps, context, "missingFile");
	}
	try {
		const bytesMax = task.reply.attachmentBytesMax;
		// The upload to the reply starts during the download, except for two kinds: a reviewed result is uploaded after its review, and
		// the files of a thread are not part of the reply.
		const isUploadedLater = deps.resultReviewer !== undefined || task.presentation.opensThread;
		const startUpload = (file: StreamedFile) =>
			isUploadedLater ? undefined : deps.replyClient.startUpload(task.reply, file, signal);
		const { mediaType } = task.request;
		const mark = deps.provenanceMarkOf(task);
		const { id: taskId, guildId } = task;
		const failedSinceMs = failures.sinceMs ?? Number.POSITIVE_INFINITY;
		const mayLeaveOut = ({ isExpired }: DownloadFailedError) =>
			hasEnoughAttempts("download", context) &&
			(isPastDeadline(deps, task) || (isExpired && deps.clock.nowMs() - failedSinceMs >= EXPIRED_MS_MIN));
		const download = { taskId, guildId, mediaType, outputs, bytesMax, startUpload, mark, mayLeaveOut };
		const { files, seed, unusableCount } = await downloadAndStoreResult(deps, download, { logger, signal });
		const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
		logger.info({ files: files.length, sizeBytes }, "result downloaded");
		const leftOutCount = outputs.length - FILES_MAX;
		const outcome = {
			kind: "succeeded",
			files,
			seed,
			...(leftOutCount > 0 && { leftOutCount }),
			...(unusableCount > 0 && { unusableCount }),
		} as const;
		return await reviewResult(deps, task, outcome, context);
	} catch (error) {
		return afterFailedDownload(deps, task, context, error);
	}
}

/**
 * submitted -> settled with the stored result, as the moderation service of the operator and the rules of the server allow it.
 * A withheld result is a failure, so that it costs nothing; its files stay if the moderators may see them.
 */
async function reviewResult(
	{ resultReviewer, results }: StepDeps,
	task: TaskIn<"submitted">,
	outcome: Success,
	{ signal, logger }: StepContext,
): Promise<StepResult> {
	if (!resultReviewer) return settled(outcome);
	const ruling = await resultReviewer.review(task, outcome.files, { signal, logger });
	if (ruling.kind === "show") {
		const isSpoiler = task.presentation.isSpoiler || ruling.isSpoiler;
		return { ...settled(outcome), presentation: { ...task.presentation, isSpoiler } };
	}
	const { cause, categories, isForModerators } = ruling;
	const failure = { kind: "failed", cause: "withheld", why: messageOfWithheld(cause, isForModerators) } as const;
	if (!isForModerators) {
		await results.remove(task.id);
		return settled(failure);
	}
	const { kind: _succeeded, ...result } = outcome;
	return settled({ ...failure, withheld: { ...result, cause, categories } });
}

/** Fails the task if its result is unusable, and retries otherwise. */
function afterFailedDownload(
	deps: StepDeps,
	task: TaskIn<"submitted">,
	context: StepContext,
	error: unknown,
): StepResult {
	const { logger } = context;
	if (error instanceof UserError) {
		logger.warn({ reason: error.messageDescriptor.key, err: error.cause }, "result rejected");
		return failed(error.messageDescriptor);
	}
	// The download wraps errors of the network.
	if (isMachineError(error)) {
		const { code = "", message: reason } = error;
		deps.operatorAlerts.report(isDiskFull(error) ? "diskFull" : "machine", { code, reason }, logger);
		logFailedAttempt(context, "machine", error, "result not stored");
		return retryOrFail(deps, task, context, "machine", { key: "service.resultNotStored" });
	}
	if (!(error instanceof DownloadFailedError)) throw error;
	logFailedAttempt(context, "download", error, "result not downloaded", { isExpired: error.isExpired });
	return retryOrFail(deps, task, context, "download", { key: "service.resultLost" });
}

/**
 * Retries until the deadline. Each attempt polls again: an expired link may have been replaced, and a file may appear late. A
 * result that is ready shortly before the deadline, or that a process finds after it, still gets some attempts.
 */
function retryOrFail(
	deps: StepDeps,
	task: TaskIn<"submitted">,
	context: StepContext,
	kind: "download" | "machine",
	why: MessageDescriptor,
): StepResult {
	if (isPastDeadline(deps, task) && hasEnoughAttempts(kind, context)) return failed(why);
	const wait = waitAfterFailure(deps, context, kind);
	return isPastDeadline(deps, task) ? wait : untilDeadline(wait, task);
}

const isPastDeadline = ({ clock }: StepDeps, { deadlineAtMs }: TaskIn<"submitted">): boolean =>
	clock.nowMs() > deadlineAtMs;

/** Returns whether the attempts suffice, if the present one fails in this way. */
function hasEnoughAttempts(kind: "download" | "machine", { failures }: StepContext): boolean {
	return (failures.counts[kind] ?? 0) + 1 >= ATTEMPTS_AFTER_DEADLINE;
}
