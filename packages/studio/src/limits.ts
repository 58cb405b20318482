import type { MediaType } from "./engines/engine.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MEBIBYTE = 1024 * 1024;

/** Every bound of the service. All of them are our choice: the specification shows none. */
export interface StudioLimits {
	readonly bodyBytesMax: number;
	readonly promptCharsMax: number;
	/** Runs of an engine for one task, the first included. */
	readonly attemptsMax: number;
	readonly retryDelayFirstMs: number;
	readonly retryDelayMaxMs: number;
	/** Crashes of the service that one task may live through: a task that kills the process must not do so for ever. */
	readonly interruptionsMax: number;
	/** From the submit to the first start. */
	readonly queueDeadlineMs: number;
	/** From the first start to the end, retries included. */
	readonly runDeadlineMs: Readonly<Record<MediaType, number>>;
	/** Open tasks of one account; the rest of the world still gets its turn. */
	readonly openTasksPerAccountMax: number;
	readonly openTasksMax: number;
	/** Requests of one key in a window: those that cost or change something, and those that look. */
	readonly rateWindowMs: number;
	readonly changesPerWindowMax: number;
	readonly readsPerWindowMax: number;
	/** Tasks that one engine works on at a time, where it does not say. */
	readonly engineConcurrency: number;
	readonly inputBytesMax: number;
	/** Of an uploaded video or audio; an image may have what an input may have. */
	readonly uploadBytesMax: number;
	/** Each is in memory as a whole. */
	readonly uploadsAtOnceMax: number;
	/** How long an upload, the files of a task from its end, and its record are kept. */
	readonly uploadRetentionMs: number;
	readonly mediaRetentionMs: number;
	readonly recordRetentionMs: number;
	/** How long a link to a file is good from when it was shown, as long as the file is kept. */
	readonly linkLifetimeMs: number;
	readonly inputTimeoutMs: number;
	/** What a receiver of a callback has to answer. */
	readonly callbackTimeoutMs: number;
	readonly callbackConcurrency: number;
	/** Event streams that may be open at a time. */
	readonly streamsMax: number;
	readonly streamsPerAccountMax: number;
	/** How old the stored progress may be. */
	readonly progressIntervalMs: number;
	/** How often what is open in the store is compared with what is being worked on. */
	readonly sweepIntervalMs: number;
}

export const DEFAULT_LIMITS = {
	bodyBytesMax: MEBIBYTE,
	promptCharsMax: 10_000,
	attemptsMax: 3,
	retryDelayFirstMs: 2 * SECOND_MS,
	retryDelayMaxMs: MINUTE_MS,
	interruptionsMax: 25,
	queueDeadlineMs: 60 * MINUTE_MS,
	runDeadlineMs: { image: 10 * MINUTE_MS, video: 60 * MINUTE_MS, music: 30 * MINUTE_MS },
	openTasksPerAccountMax: 100,
	openTasksMax: 10_000,
	rateWindowMs: 10 * SECOND_MS,
	changesPerWindowMax: 20,
	readsPerWindowMax: 100,
	engineConcurrency: 2,
	inputBytesMax: 20 * MEBIBYTE,
	uploadBytesMax: 100 * MEBIBYTE,
	uploadsAtOnceMax: 4,
	uploadRetentionMs: DAY_MS,
	mediaRetentionMs: 7 * DAY_MS,
	recordRetentionMs: 60 * DAY_MS,
	linkLifetimeMs: DAY_MS,
	inputTimeoutMs: 15 * SECOND_MS,
	callbackTimeoutMs: 10 * SECOND_MS,
	callbackConcurrency: 32,
	streamsMax: 1000,
	streamsPerAccountMax: 50,
	progressIntervalMs: SECOND_MS,
	sweepIntervalMs: 30 * SECOND_MS,
} as const satisfies StudioLimits;
