import type { MediaType } from "./engines/engine.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MEBIBYTE = 1024 * 1024;

/** Every bound of the service. All of them are our choice: the specification shows none. */
export const DEFAULT_LIMITS = {
	bodyBytesMax: MEBIBYTE,
	promptCharsMax: 10_000,
	/** Runs of an engine for one task, the first included. */
	attemptsMax: 3,
	retryDelayFirstMs: 2 * SECOND_MS,
	retryDelayMaxMs: MINUTE_MS,
	/** Crashes of the service that one task may live through: a task that kills the process must not do so for ever. */
	interruptionsMax: 25,
	/** From the submit to the first start. */
	queueDeadlineMs: 60 * MINUTE_MS,
	/** From the first start to the end, retries included. */
	runDeadlineMs: { image: 10 * MINUTE_MS, video: 60 * MINUTE_MS, music: 30 * MINUTE_MS } satisfies Readonly<
		Record<MediaType, number>
	>,
	/** Open tasks of one account; the rest of the world still gets its turn. */
	openTasksPerAccountMax: 100,
	openTasksMax: 10_000,
	/** Requests of one key in a window: those that cost or change something, and those that look. */
	rateWindowMs: 10 * SECOND_MS,
	changesPerWindowMax: 20,
	readsPerWindowMax: 100,
	/** Tasks that one engine works on at a time, where it does not say. */
	engineConcurrency: 2,
	inputBytesMax: 20 * MEBIBYTE,
	/** Of an uploaded video or audio; an image may have what an input may have. */
	uploadBytesMax: 100 * MEBIBYTE,
	/** Each is in memory as a whole. */
	uploadsAtOnceMax: 4,
	/** How long an upload, the files of a task from its end, and its record are kept. */
	uploadRetentionMs: DAY_MS,
	mediaRetentionMs: 7 * DAY_MS,
	recordRetentionMs: 60 * DAY_MS,
	/** How long a link to a file is good from when it was shown, as long as the file is kept. */
	linkLifetimeMs: DAY_MS,
	inputTimeoutMs: 15 * SECOND_MS,
	/** What a receiver of a callback has to answer. */
	callbackTimeoutMs: 10 * SECOND_MS,
	callbackConcurrency: 32,
	/** Event streams that may be open at a time. */
	streamsMax: 1000,
	streamsPerAccountMax: 50,
	/** How old the stored progress may be. */
	progressIntervalMs: SECOND_MS,
	/** How often what is open in the store is compared with what is being worked on. */
	sweepIntervalMs: 30 * SECOND_MS,
};

export type StudioLimits = Readonly<typeof DEFAULT_LIMITS>;
