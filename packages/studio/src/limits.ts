import type { MediaType } from "@atelier/media-protocol/model";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MEBIBYTE = 1024 * 1024;

/** The limits of the service. They are our choice: the specification defines none. */
export const DEFAULT_LIMITS = {
	bodyBytesMax: MEBIBYTE,
	promptCharsMax: 10_000,
	/** Runs of an engine per task, the first included, without those that the engine refused. */
	attemptsMax: 3,
	/** Refused runs per task, such as those at an overloaded or unreachable engine: with the delays, about four minutes. */
	refusalsMax: 6,
	/** Doubles with each attempt. */
	retryDelayFirstMs: 2 * SECOND_MS,
	retryDelayMsMax: MINUTE_MS,
	/** Crashes and stops of the service during one task: a task that crashes the process must end eventually. */
	interruptionsMax: 25,
	/** From the submit to the first start. */
	queueDeadlineMs: 60 * MINUTE_MS,
	/** From the first start to the end, retries included. */
	runDeadlineMs: { image: 10 * MINUTE_MS, video: 60 * MINUTE_MS, music: 30 * MINUTE_MS } satisfies Readonly<
		Record<MediaType, number>
	>,
	/** Open tasks per account, so that one account cannot fill the queue. */
	openTasksPerAccountMax: 100,
	openTasksMax: 10_000,
	/** The window in which the requests of a key are counted. */
	rateWindowMs: 10 * SECOND_MS,
	/** Requests to operations with the scope `generate`. */
	changesPerWindowMax: 20,
	/** Requests to operations with the scope `read`. */
	readsPerWindowMax: 100,
	/** Concurrent tasks per engine by default. */
	engineConcurrency: 2,
	inputBytesMax: 20 * MEBIBYTE,
	/** All inputs of a task, which are in memory together until the engine has accepted it. */
	inputTotalBytesMax: 64 * MEBIBYTE,
	/** Uploads are read into memory. */
	uploadsAtOnceMax: 16,
	uploadsAtOncePerAccountMax: 4,
	/** The time in which a client must send its file. */
	uploadTimeoutMs: MINUTE_MS,
	/** The bytes that an account may upload within the retention of uploads. */
	uploadBytesPerAccountMax: 4096 * MEBIBYTE,
	uploadRetentionMs: DAY_MS,
	/** The time for which the files of a task are kept after its end. */
	mediaRetentionMs: 7 * DAY_MS,
	/** The time for which the record of a task is kept after its end. */
	recordRetentionMs: 60 * DAY_MS,
	/** The shortest lifetime of a link, counted from the response that contains it. Only the end of its file ends it before. */
	linkLifetimeMs: DAY_MS,
	inputTimeoutMs: 15 * SECOND_MS,
	callbackTimeoutMs: 10 * SECOND_MS,
	callbackConcurrency: 32,
	/** So that slow receivers of one account do not delay the callbacks of others. */
	callbackConcurrencyPerAccount: 8,
	/** Open event streams of all accounts. */
	streamsMax: 1000,
	streamsPerAccountMax: 50,
	/** The shortest interval between two writes of a task's progress. */
	progressIntervalMs: SECOND_MS,
	/** Interval of the comparison between open tasks in the store and running ones. */
	sweepIntervalMs: 30 * SECOND_MS,
};

export type StudioLimits = Readonly<typeof DEFAULT_LIMITS>;
