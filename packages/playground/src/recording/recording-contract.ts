/**
 * A recorded session: the actions of users and changes of settings, and the requests of the bot, in order. Ids, tokens and
 * times are replaced by placeholders such as `{{message 1}}`, numbered in order of appearance, so that recordings of the same
 * session are equal.
 */
export interface Recording {
	/** `RECORDING_FORMAT` of the version that made it. */
	readonly format: number;
	readonly steps: readonly RecordedStep[];
	/** False if the session was longer than a recording can be. */
	readonly isComplete: boolean;
}

/** Increased by each change after which older recordings cannot be replayed. */
export const RECORDING_FORMAT = 5;

export type RecordedStep = RecordedAction | RecordedRequest;

/**
 * A request to the page API, such as `typeCommand`, or to the admin API, such as `admin/advanceClock`. The body of `upload` is a form;
 * it is recorded as `filename` and, in base64, `content`.
 */
export interface RecordedAction {
	readonly kind: "action";
	readonly route: string;
	/** The acting user; absent for the admin API. */
	readonly user?: string;
	/** The guild that the request names by `?guild=`; absent without one. */
	readonly guild?: string;
	readonly body: unknown;
	/** True if no bot was connected. A replay compares requests only from the first action without this flag. */
	readonly isBeforeBot?: boolean;
}

export interface RecordedRequest {
	readonly kind: "request";
	/** The interaction that the request answers; `null` for other requests. Requests are compared in order within each interaction. */
	readonly interaction: string | null;
	readonly method: string;
	readonly path: string;
	readonly body: unknown;
	readonly files: readonly RecordedFile[];
}

interface RecordedFile {
	readonly field: string;
	readonly name: string;
	readonly bytes: number;
	readonly hash: string;
}
