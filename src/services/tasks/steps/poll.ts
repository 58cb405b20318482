import { isDiskFull } from "../../delivery/durable-file.ts";
import { downloadResult } from "../../delivery/download-result.ts";
import { FILES_MAX } from "../../delivery/result-store.ts";
import { DownloadFailedError } from "@atelier/common/download";
import { MediaError, MediaHttpError, MediaRejectedError, MediaUnavailableError } from "../../generation/media-api.ts";
import { httpStatusOf } from "@atelier/media-protocol/parse-envelope";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import type { StreamedFile } from "../../delivery/reply-client.ts";
import { TROUBLE_SHOWN_AFTER_MS } from "../render-progress.ts";
import type { MessageDescriptor } from "../../../i18n/message-descriptor.ts";
import { UserError } from "../../user-error.ts";
import { isForOperator } from "../operator-alerts.ts";
import type { FailureKind } from "../failure-counts.ts";
import type { FailureDetails, TaskIn } from "../task.ts";
import { finishReviewed } from "./review-result.ts";
import { cancelRemote } from "./withdraw.ts";
import {
	logMediaError,
	classifyFailure,
	failureDetailsOf,
	messageOfFailure,
	messageOfRejection,
	type ClassifiedFailure,
} from "./service-error.ts";
import {
	abandonedOutcome,
	failed,
	finished,
	moved,
	messageOfCancel,
	untilDeadline,
	waitAfterFailure,
	type StepContext,
	type StepDeps,
	type StepResult,
} from "./step.ts";

/** Statuses that deny the poll itself, and say nothing about the task. */
const REQUEST_DENIED = new Set([401, 403, 404]);

/** The progress of a task before its first successful poll. */
const UNKNOWN_PROGRESS = { phase: "unknown", progressPercent: null, queuePosition: null } as const;

/**
 * submitted -> finished, when the service reports the end and the files are stored, or at the deadline. Passes a
 * cancellation on to the service, which may finish first.
 */
export async function poll(deps: StepDeps, task: TaskIn<"submitted">, context: StepContext): Promise<StepResult> {
	if (task.cancel && task.cancelResponse === undefined) {
		const cancelResponse = await cancelRemote(deps, task.remoteId, context);
		if (cancelResponse) return moved({ ...task, cancelResponse });
	}
	const isRetry = Object.keys(context.failures).length > 0;
	const firstPollAtMs = isRetry ? 0 : deps.polling.planFirstPoll(task);
	if (firstPollAtMs > deps.clock.nowMs()) {
		const progress = { ...UNKNOWN_PROGRESS, readyAtMs: deps.polling.readyAtMs(task) };
		return { kind: "wait", untilMs: firstPollAtMs, progress };
	}
	let remote: RemoteTask;
	try {
		remote = await deps.media.read(task.remoteId, task.request, context.signal);
	} catch (error) {
		return await afterFailedRead(deps, task, context, error);
	}
	switch (remote.state) {
		case "open": {
			const nowMs = deps.clock.nowMs();
			if (nowMs > task.deadlineAtMs) return await abandon(deps, task, context, { key: "service.timedOut" });
			const untilMs = deps.polling.planNextPoll(task, remote);
			const { phase, progressPercent, queuePosition } = remote;
			const progress = { phase, progressPercent, queuePosition, readyAtMs: deps.polling.readyAtMs(task) };
			const wait = { kind: "wait", untilMs, progress } as const;
			const isUnknownState = remote.shape !== undefined && !task.isUnknownStateLogged;
			if (isUnknownState) context.logger.warn({ word: remote.word, shape: remote.shape }, "unknown state of a task");
			if (task.trouble === undefined && !isUnknownState) return wait;
			logEndOfTrouble(deps, task, context);
			const { trouble: _over, ...rest } = task;
			return { ...wait, updatedTask: { ...rest, ...(isUnknownState && { isUnknownStateLogged: true }) } };
		}
		case "failed": {
			deps.polling.recordEnd(task, remote);
			const error = classifyFailure(remote, task.request);
			const { meaning, serviceError } = error;
			context.logger.info(serviceError, "task failed at the service");
			deps.operatorAlerts.report(meaning, serviceError, context.logger);
			const cancelRequest = meaning === "canceled" && task.cancel;
			return failed(task, cancelRequest ? messageOfCancel(cancelRequest) : messageOfFailure(error), serviceError);
		}
		case "success":
			deps.polling.recordEnd(task, remote);
			return await storeResult(deps, task, remote, context);
	}
}

/**
 * Retries until the deadline, because a failed poll says nothing about the task: it may finish during an outage. Only a rejection of
 * the content in response to the poll fails the task at once.
 */
async function afterFailedRead(
	deps: StepDeps,
	task: TaskIn<"submitted">,
	context: StepContext,
	error: unknown,
): Promise<StepResult> {
	if (!(error instanceof MediaError)) throw error;
	logMediaError(context, "unavailable", error, "poll failed");
	const rejection = error instanceof MediaRejectedError ? classifyFailure(error, task.request) : undefined;
	if (rejection) deps.operatorAlerts.report(rejection.meaning, rejection.serviceError, context.logger);
	if (rejection?.meaning === "contentPolicy" && isAboutTask(error))
		return failed(task, { key: "service.contentPolicy" }, rejection.serviceError);
	if (deps.clock.nowMs() > task.deadlineAtMs) {
		const { trouble } = task;
		const hasLasted = trouble !== undefined && deps.clock.nowMs() - trouble.sinceMs >= TROUBLE_SHOWN_AFTER_MS;
		const wasStopped = context.retryBudgetStartMs > task.deadlineAtMs;
		const why: MessageDescriptor =
			hasLasted || wasStopped ? messageOfTrouble(error, rejection) : { key: "service.timedOut" };
		return await abandon(deps, task, context, why, failureDetailsOf(error, task.request));
	}
	const requestedMs = error instanceof MediaUnavailableError ? error.retryAfterMs : undefined;
	return retryLater(deps, task, context, "unavailable", requestedMs);
}

/** Returns whether an error in response to a poll is about the task, not about the poll itself, as with 403. */
function isAboutTask(error: MediaError): boolean {
	if (!(error instanceof MediaRejectedError)) return false;
	const { code, httpStatus = 200 } = error;
	return httpStatus < 400 && !REQUEST_DENIED.has(httpStatusOf(code, httpStatus));
}

/** Selects the message: the operator has to act, the service was unreachable, or its responses were invalid. */
function messageOfTrouble(error: MediaError, rejection: ClassifiedFailure | undefined): MessageDescriptor {
	if (rejection && isForOperator(rejection.meaning)) return messageOfRejection(rejection);
	const isInvalidResponse = rejection !== undefined || (error instanceof MediaHttpError && error.status < 500);
	return { key: isInvalidResponse ? "service.invalidAnswer" : "service.down" };
}

/** Waits before the next attempt, and records since when attempts fail. */
function retryLater(
	deps: StepDeps,
	task: TaskIn<"submitted">,
	context: StepContext,
	kind: FailureKind,
	requestedMs?: number,
): StepResult {
	const wait = untilDeadline(waitAfterFailure(deps, context, kind, requestedMs), task);
	const { trouble } = task;
	const isForDisk = kind === "disk";
	if (trouble && (trouble.isDiskFull ?? false) === isForDisk) return wait;
	const sinceMs = trouble?.sinceMs ?? deps.clock.nowMs();
	return { ...wait, updatedTask: { ...task, trouble: { sinceMs, ...(isForDisk && { isDiskFull: true }) } } };
}

/** Alerts the operator, and retries until the deadline: only a stored result is charged. */
function afterFullDisk(deps: StepDeps, task: TaskIn<"submitted">, context: StepContext, error: Error): StepResult {
	deps.operatorAlerts.report("diskFull", { code: "ENOSPC", reason: error.message }, context.logger);
	logMediaError(context, "disk", error, "result not stored");
	if (deps.clock.nowMs() > task.deadlineAtMs) return failed(task, { key: "service.diskFull" });
	return retryLater(deps, task, context, "disk");
}

/** Logs that attempts succeed again, if the last one had failed. */
function logEndOfTrouble({ clock }: StepDeps, { trouble }: TaskIn<"submitted">, { logger }: StepContext): void {
	if (!trouble) return;
	const message = trouble.isDiskFull ? "disk trouble over" : "service trouble over";
	logger.info({ troubleMs: clock.nowMs() - trouble.sinceMs }, message);
}

/** Asks the service to cancel the task before its hold is voided. The withdraw step repeats the request, which may have failed. */
async function abandon(
	deps: StepDeps,
	task: TaskIn<"submitted">,
	context: StepContext,
	why: MessageDescriptor,
	serviceError?: FailureDetails,
): Promise<StepResult> {
	if (task.cancelResponse === undefined) await cancelRemote(deps, task.remoteId, context);
	const shownReason = task.cancel ? messageOfCancel(task.cancel) : why;
	return finished(task, abandonedOutcome(deps, shownReason, task.remoteId, serviceError));
}

/** Downloads, transcodes and reviews the files of a task that succeeded at the service. */
async function storeResult(
	deps: StepDeps,
	task: TaskIn<"submitted">,
	{ outputs, shape }: Extract<RemoteTask, { state: "success" }>,
	context: StepContext,
): Promise<StepResult> {
	const { logger, failures, signal } = context;
	const [first] = outputs;
	if (!first) {
		if (!failures.missingFile) logger.warn({ shape }, "task done without a file");
		// The service may report the end before it lists the files: poll once more, then fail.
		return failures.missingFile
			? failed(task, { key: "service.nothingMade" })
			: waitAfterFailure(deps, context, "missingFile");
	}
	try {
		const bytesMax = task.reply.attachmentBytesMax;
		// The upload to the reply starts during the download, except for two kinds: a reviewed result is uploaded after its review, and
		// the files of a thread are not part of the reply.
		const isUploadedLater = deps.reviewer !== undefined || task.reply.opensThread === true;
		const startUpload = (file: StreamedFile) =>
			isUploadedLater ? undefined : deps.replyClient.startUpload(task.reply, file, signal);
		const { mediaType } = task.request;
		const mark = deps.markOf(task.request);
		const { id: taskId, guildId } = task;
		const download = { taskId, guildId, mediaType, outputs, bytesMax, startUpload, mark };
		const downloadAndReview = async (): Promise<StepResult> => {
			const files = await downloadResult(deps, download, { logger, signal });
			logEndOfTrouble(deps, task, context);
			const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
			logger.info({ files: files.length, sizeBytes }, "result downloaded");
			const leftOutCount = outputs.length - FILES_MAX;
			const outcome = {
				kind: "succeeded",
				files,
				seed: first.seed,
				...(leftOutCount > 0 && { leftOutCount }),
			} as const;
			return await finishReviewed(deps, task, outcome, context);
		};
		return await deps.delayNotice.during(task, downloadAndReview, signal, logger);
	} catch (error) {
		return afterFailedStore(deps, task, context, error);
	}
}

/** Fails the task if its result is unusable, and retries otherwise. */
function afterFailedStore(deps: StepDeps, task: TaskIn<"submitted">, context: StepContext, error: unknown): StepResult {
	if (error instanceof UserError) {
		context.logger.warn({ reason: error.messageDescriptor.key, err: error.cause }, "result rejected");
		return failed(task, error.messageDescriptor);
	}
	if (isDiskFull(error)) return afterFullDisk(deps, task, context, error);
	if (!(error instanceof DownloadFailedError)) throw error;
	logMediaError(context, "fetch", error, "result not fetched", { isExpired: error.isExpired });
	// Each attempt polls again: an expired link may have been replaced, and a file may appear late.
	if (deps.clock.nowMs() > task.deadlineAtMs) return failed(task, { key: "service.resultLost" });
	return retryLater(deps, task, context, "fetch");
}
