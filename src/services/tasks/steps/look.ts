import { collectResult } from "../../delivery/collect-result.ts";
import { FitPutOff } from "../../delivery/fit/fit-processes.ts";
import { DownloadFailed } from "../../../download.ts";
import {
	MediaHttp,
	MediaRefused,
	MediaTimeout,
	MediaUnavailable,
	type RemoteOutput,
	type RemoteTask,
} from "../../generation/media-api.ts";
import type { ComingFile } from "../../delivery/messenger.ts";
import type { Saying } from "../../messages/messages.ts";
import { UserError } from "../../user-error.ts";
import type { TaskIn } from "../task.ts";
import { askToCancel } from "./ask-to-cancel.ts";
import { logTrouble } from "./log-trouble.ts";
import {
	FAILURES_MAX,
	abandonedOutcome,
	failed,
	finished,
	moved,
	sayingOfCancel,
	waitAfterFailure,
	waitForFitting,
	type StepContext,
	type StepDeps,
	type StepResult,
} from "./step.ts";

/** Of what nobody has looked at yet. */
const UNSEEN = { phase: "unknown", progressPercent: null, queuePosition: null } as const;
/** A fresh link that is over at once will not be better the next time. */
const EXPIRED_LINKS_MAX = 3;

/**
 * submitted -> finished, when the service says so and the files are in our own hands, or when the deadline is over. Whoever
 * asked for its end is passed on to the service, which may be done first.
 */
export async function look(deps: StepDeps, task: TaskIn<"submitted">, context: StepContext): Promise<StepResult> {
	if (task.cancel && task.cancelAnswer === undefined) {
		const cancelAnswer = await askToCancel(deps, task.remoteId, context);
		if (cancelAnswer) return moved({ ...task, cancelAnswer });
	}
	const notBeforeMs = deps.polling.notBeforeMs(task);
	if (notBeforeMs > deps.clock.nowMs()) {
		const known = { ...UNSEEN, readyAtMs: deps.polling.readyAtMs(task) };
		return { kind: "wait", untilMs: notBeforeMs, failed: false, known };
	}
	let remote: RemoteTask;
	try {
		remote = await deps.media.read(task.remoteId, context.signal);
	} catch (error) {
		return await afterFailedRead(deps, task, context, error);
	}
	switch (remote.state) {
		case "open": {
			const nowMs = deps.clock.nowMs();
			if (nowMs > task.deadlineAtMs) return await giveUp(deps, task, context);
			const { untilMs, runningSinceMs } = deps.polling.afterOpen(task, remote);
			const { phase, progressPercent, queuePosition } = remote;
			const known = { phase, progressPercent, queuePosition, readyAtMs: deps.polling.readyAtMs(task) };
			const wait = { kind: "wait", untilMs, failed: false, known } as const;
			return runningSinceMs === undefined ? wait : { ...wait, note: { ...task, runningSinceMs } };
		}
		case "failed":
			deps.polling.afterEnd(task, remote);
			context.logger.info({ code: remote.code }, "making failed");
			return failed(task, sayingOf(remote.code, task));
		case "success":
			deps.polling.afterEnd(task, remote);
			return await collect(deps, task, remote.outputs, context);
	}
}

/** A failed read says nothing about the task: it may well be done while the service is away. */
async function afterFailedRead(
	deps: StepDeps,
	task: TaskIn<"submitted">,
	context: StepContext,
	error: unknown,
): Promise<StepResult> {
	const broken = error instanceof MediaHttp && error.status >= 500;
	const away = error instanceof MediaUnavailable || error instanceof MediaTimeout || broken;
	const useless = (error instanceof MediaHttp && !broken) || error instanceof MediaRefused;
	if (!away && !useless) throw error;
	logTrouble(context.logger, error, "look failed");
	if (useless && (context.failures.nonsense ?? 0) + 1 >= FAILURES_MAX) {
		return finished(task, abandonedOutcome(deps, { key: "serviceConfused" }, task.remoteId));
	}
	if (deps.clock.nowMs() > task.deadlineAtMs) return await giveUp(deps, task, context);
	if (useless) return waitAfterFailure(deps, context, "nonsense");
	return waitAfterFailure(deps, context, "away", error instanceof MediaUnavailable ? error.retryAfterMs : undefined);
}

/** Told to stop before anything is given back; where it cannot be told now, it is told afterwards. */
async function giveUp(deps: StepDeps, task: TaskIn<"submitted">, context: StepContext): Promise<StepResult> {
	if (task.cancelAnswer === undefined) await askToCancel(deps, task.remoteId, context);
	const why: Saying = task.cancel ? sayingOfCancel(task.cancel) : { key: "timedOut" };
	return finished(task, abandonedOutcome(deps, why, task.remoteId));
}

async function collect(
	deps: StepDeps,
	task: TaskIn<"submitted">,
	outputs: readonly RemoteOutput[],
	context: StepContext,
): Promise<StepResult> {
	const { logger, failures, signal } = context;
	const [first] = outputs;
	if (!first) {
		// It may have been read between its last state and its files: one more look, then a clear end.
		return failures.noFile ? failed(task, { key: "nothingMade" }) : waitAfterFailure(deps, context, "noFile");
	}
	try {
		const bytesMax = await deps.uploadLimits.read(task.guildId, task.reply.attachmentBytesMax);
		const begin = (file: ComingFile) => deps.messenger.begin(task.reply, file, signal);
		// What was put off here may have been moved on by somebody else before that was noted.
		const isFetched = task.isFetched === true || (failures.busy ?? 0) > 0;
		const { mediaType } = task.order;
		const collection = { taskId: task.id, mediaType, outputs, bytesMax, isFetched, begin };
		const work = () => collectResult(deps, collection, { logger, signal });
		const files = await deps.lateNotice.during(task, work, signal, logger);
		const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
		logger.info({ files: files.length, sizeBytes }, "result collected");
		return finished(task, { kind: "made", files, seed: first.seed });
	} catch (error) {
		if (error instanceof UserError) {
			logger.warn({ reason: error.saying.key, err: error.cause }, "result of no use");
			return failed(task, error.saying);
		}
		if (error instanceof FitPutOff) {
			const wait = waitForFitting(deps, context, error);
			return task.isFetched ? wait : { ...wait, note: { ...task, isFetched: true } };
		}
		if (!(error instanceof DownloadFailed)) throw error;
		logger.warn({ err: error, isExpired: error.isExpired }, "result not fetched");
		// Each try reads the task anew, which is all that helps against a link that is over; where the fresh one is too, nothing does.
		const triesMax = error.isExpired ? EXPIRED_LINKS_MAX : FAILURES_MAX;
		if ((failures.fetch ?? 0) + 1 >= triesMax) return failed(task, { key: "resultLost" });
		return waitAfterFailure(deps, context, "fetch");
	}
}

function sayingOf(code: string, { cancel }: TaskIn<"submitted">): Saying {
	switch (code) {
		case "canceled":
			return cancel ? sayingOfCancel(cancel) : { key: "canceledByService" };
		case "content_policy":
			return { key: "contentPolicy" };
		case "no_output":
			return { key: "nothingMade" };
		case "timeout":
			return { key: "timedOut" };
		default:
			return { key: "makingFailed" };
	}
}
