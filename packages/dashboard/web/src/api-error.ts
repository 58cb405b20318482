/** A request that failed. `message` is in the reader's language if the bot wrote it. */
export class ApiError extends Error {
	override readonly name = "ApiError";
	/** `null`: no response. */
	readonly status: number | null;
	/** The code of the bot, such as `conflict`; `no_answer` or `invalid_answer` otherwise. */
	readonly code: string;
	/** The paths of the settings that the bot denied. */
	readonly settings: readonly string[];

	constructor(
		status: number | null,
		code: string,
		message: string,
		{ settings = [], ...options }: ErrorOptions & { readonly settings?: readonly string[] | undefined } = {},
	) {
		super(message, options);
		this.status = status;
		this.code = code;
		this.settings = settings;
	}
}

/**
 * Returns true if the write may have happened although it failed: there was no response, or not one of the bot's
 * refusals. A retry must repeat the same operation.
 */
export function isOutcomeUnknown(error: unknown): boolean {
	if (!(error instanceof ApiError) || error.status === null) return true;
	return error.code === "invalid_answer" || error.status >= 500;
}

export function isLoggedOut(error: unknown): boolean {
	return error instanceof ApiError && error.status === 401;
}

/** Returns true if a service of the bot denied a valid request. */
export function isDenied(error: unknown): boolean {
	return error instanceof ApiError && error.code === "denied";
}

export function isConflict(error: unknown): boolean {
	return error instanceof ApiError && error.status === 409 && error.code === "conflict";
}
