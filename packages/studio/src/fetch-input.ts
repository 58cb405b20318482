import { BodyTooLargeError, readBounded } from "@atelier/common/read-bounded";
import { USER_AGENT } from "@atelier/common/user-agent";
import { EngineError } from "./engines/engine.ts";
import { detectMedia, isInputImage } from "./media-format.ts";

/** Input media cannot be used. The engine is not the cause. */
export class InputMediaError extends EngineError {}

/** Fetches images whose URLs were checked when the task was submitted. Rejects with an `InputMediaError`. */
export type InputFetcher = (urls: readonly string[], signal: AbortSignal) => Promise<readonly Uint8Array[]>;

export interface InputFetcherDeps {
	/** The only origins that inputs are fetched from. */
	readonly inputOrigins: () => readonly string[];
	/** Returns the name of the file on disk for a URL of the studio's own media. */
	readonly ownFileOf: (url: string) => string | undefined;
	readonly readOwnFile: (file: string) => Promise<Uint8Array | undefined>;
	/** The maximum of one input. */
	readonly bytesMax: number;
	/** The maximum of all inputs of a task, which are in memory together. */
	readonly totalBytesMax: number;
	readonly timeoutMs: number;
}

/** The only module that downloads from URLs that clients chose. */
export function createInputFetcher(deps: InputFetcherDeps): InputFetcher {
	async function readOwnImage(file: string): Promise<Uint8Array> {
		const bytes = await deps.readOwnFile(file).catch((error: unknown) => {
			throw unreachableError("cannot be read", error);
		});
		if (!bytes) throw invalidInputError("has expired");
		if (bytes.byteLength > deps.bytesMax) throw invalidInputError(`is larger than ${deps.bytesMax} bytes`);
		return bytes;
	}

	async function fetchImage(url: string, signal: AbortSignal): Promise<Uint8Array> {
		const ownFile = deps.ownFileOf(url);
		const bytes = ownFile === undefined ? await fetchBytes(url, signal) : await readOwnImage(ownFile);
		const kind = await detectMedia(bytes);
		if (!kind || !isInputImage(kind)) throw invalidInputError("is not a PNG, JPEG, WebP or GIF image");
		return bytes;
	}

	async function fetchBytes(url: string, signal: AbortSignal): Promise<Uint8Array> {
		// Checked again: the task may have been created under another configuration.
		if (!deps.inputOrigins().includes(new URL(url).origin))
			throw invalidInputError("comes from an origin that is not allowed");
		const response = await request(url, signal);
		const { status } = response;
		if (!response.ok) {
			await response.body?.cancel();
			if (status >= 300 && status < 400) throw invalidInputError("redirects elsewhere");
			const createError = status === 429 || status >= 500 ? unreachableError : invalidInputError;
			throw createError(`cannot be fetched: HTTP ${status}`);
		}
		try {
			return await readBounded(response, deps.bytesMax);
		} catch (error) {
			if (error instanceof BodyTooLargeError) throw invalidInputError(`is larger than ${deps.bytesMax} bytes`);
			throw unreachableError("cannot be read to its end", error);
		}
	}

	return async (urls, signal) => {
		const images: Uint8Array[] = [];
		let totalBytes = 0;
		for (const url of urls) {
			const boundedSignal = AbortSignal.any([signal, AbortSignal.timeout(deps.timeoutMs)]);
			const bytes = await fetchImage(url, boundedSignal);
			totalBytes += bytes.byteLength;
			if (totalBytes > deps.totalBytesMax) {
				throw invalidInputError(`are together larger than ${deps.totalBytesMax} bytes`);
			}
			images.push(bytes);
		}
		return images;
	};
}

async function request(url: string, signal: AbortSignal): Promise<Response> {
	try {
		return await fetch(url, { redirect: "manual", signal, headers: { accept: "image/*", "user-agent": USER_AGENT } });
	} catch (cause) {
		throw unreachableError("cannot be reached", cause);
	}
}

function invalidInputError(problem: string): InputMediaError {
	return new InputMediaError("invalid_input", `the input media ${problem}`, { retryable: false });
}

function unreachableError(problem: string, cause?: unknown): InputMediaError {
	return new InputMediaError("upstream_error", `the input media ${problem}`, { retryable: true, cause });
}
