/**
 * Downloads a file as a bounded stream. The URL comes from another service and is not trusted: each hop must be http
 * or https, its name is resolved once, every resolved address must be public, and the connection goes to one of these
 * addresses, even if the name resolves to another one later. The addresses of configured services are not checked. A body that is
 * compressed although the request asks for `identity` is not decompressed.
 */
import type { Dispatcher } from "undici";
import type { Clock } from "./clock.ts";
import { AddressNotPublicError, discardBody, requestPublic, type AddressRules } from "./public-request.ts";
import { orAborted } from "./or-aborted.ts";
import { USER_AGENT } from "./user-agent.ts";

const DOWNLOAD_BYTES_MAX = 256 * 1024 * 1024;
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;
/** Aborts slow servers: each window must receive a minimum of bytes. */
const PACE_WINDOW_MS = 20_000;
const PACE_BYTES_MIN = 64 * 1024;
const REDIRECTS_MAX = 5;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** Responses for an expired link; the service may have a fresh one. */
const EXPIRED_STATUSES = new Set([401, 403, 404, 410]);

/** The download failed; a retry may work. */
export class DownloadFailedError extends Error {
	override readonly name = "DownloadFailedError";
	/** True if the link has expired: only a new link can be downloaded. */
	readonly isExpired: boolean;

	constructor(message: string, options: ErrorOptions & { readonly isExpired?: boolean } = {}) {
		super(message, options);
		this.isExpired = options.isExpired ?? false;
	}
}

/** The file exceeds the size limit; a retry would fail the same way. */
export class DownloadTooLargeError extends Error {
	override readonly name = "DownloadTooLargeError";
	readonly limitBytes: number;

	constructor(sizeBytes: number, limitBytes: number) {
		super(`not downloaded: ${sizeBytes} bytes or more exceed the limit of ${limitBytes}`);
		this.limitBytes = limitBytes;
	}
}

/** The URL is not allowed; a retry would fail the same way. */
export class DownloadRejectedError extends Error {
	override readonly name = "DownloadRejectedError";
}

/**
 * Streams a file. Reading throws one of the errors above, or the reason of the signal. `onSize` receives the declared size, if there
 * is one.
 */
export type Download = (
	url: string,
	signal: AbortSignal,
	onSize?: (sizeBytes: number) => void,
) => AsyncIterable<Uint8Array>;

interface DownloadDeps extends AddressRules {
	readonly clock: Clock;
	readonly bytesMax?: number;
}

export function createDownload({ clock, bytesMax = DOWNLOAD_BYTES_MAX, ...rules }: DownloadDeps): Download {
	async function get(url: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
		if (url.protocol !== "http:" && url.protocol !== "https:")
			throw new DownloadRejectedError(`not downloaded: ${url.protocol} is not supported`);
		return await requestPublic(url, { signal, headers: headersFor(url) }, rules).catch((error: unknown) => {
			if (!(error instanceof AddressNotPublicError)) throw error;
			throw new DownloadRejectedError(`not downloaded: ${url.host} is not on the public internet`);
		});
	}

	/** Follows redirects, and checks each like the first URL. */
	async function follow(start: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
		let url = start;
		for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
			const response = await get(url, signal);
			const { statusCode: status, headers } = response;
			if (status >= 200 && status < 300) return response;
			discardBody(response);
			const [location] = [headers["location"] ?? []].flat();
			if (!REDIRECT_STATUSES.has(status) || location === undefined)
				throw new DownloadFailedError(`not downloaded: ${url.host} responded with ${status}`, {
					isExpired: EXPIRED_STATUSES.has(status),
				});
			url = parse(location, url);
		}
		throw new DownloadRejectedError(`not downloaded: more than ${REDIRECTS_MAX} redirects from ${start.host}`);
	}

	async function* fetchFile(
		start: URL,
		signal: AbortSignal,
		onSize?: (sizeBytes: number) => void,
	): AsyncGenerator<Uint8Array> {
		const finished = new AbortController();
		const tooSlow = new AbortController();
		let receivedBytes = 0;
		watchPace(clock, () => receivedBytes, finished.signal).then(
			(problem) => tooSlow.abort(new DownloadFailedError(`not downloaded: ${start.host} ${problem}`)),
			() => {},
		);
		const stop = AbortSignal.any([signal, tooSlow.signal]);
		try {
			// The client passes an abort on only when it is connected.
			const response = await orAborted(follow(start, AbortSignal.any([stop, finished.signal])), stop);
			const declaredBytes = Number(response.headers["content-length"] ?? 0);
			if (declaredBytes > bytesMax) {
				discardBody(response);
				throw new DownloadTooLargeError(declaredBytes, bytesMax);
			}
			if (declaredBytes > 0) onSize?.(declaredBytes);
			// Leaving this loop destroys the response and its connection.
			for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
				receivedBytes += chunk.byteLength;
				if (receivedBytes > bytesMax) throw new DownloadTooLargeError(receivedBytes, bytesMax);
				yield chunk;
			}
		} catch (error) {
			stop.throwIfAborted();
			if (isDownloadError(error)) throw error;
			throw new DownloadFailedError(`not downloaded: no response from ${start.host}`, { cause: error });
		} finally {
			// With a reason, `abort` creates no error with a stack.
			finished.abort("finished");
		}
	}

	return (url, signal, onSize) => (url.startsWith("data:") ? readDataUri(url) : fetchFile(parse(url), signal, onSize));
}

/** Resolves once the download is too slow, to the predicate of its error message. Rejects when `finished` is aborted. */
async function watchPace(clock: Clock, received: () => number, finished: AbortSignal): Promise<string> {
	let before = 0;
	for (let waitedMs = 0; waitedMs < DOWNLOAD_TIMEOUT_MS; waitedMs += PACE_WINDOW_MS) {
		await clock.sleep(PACE_WINDOW_MS, finished);
		if (received() - before < PACE_BYTES_MIN) return "sends too slowly";
		before = received();
	}
	return `needs more than ${DOWNLOAD_TIMEOUT_MS / 60_000} minutes`;
}

const HEADERS = { accept: "*/*", "accept-encoding": "identity", "user-agent": USER_AGENT } as const;

/** Includes the credentials in the URL, which the client ignores. */
function headersFor({ username, password }: URL): Record<string, string> {
	if (username === "") return HEADERS;
	const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
	return { ...HEADERS, authorization: `Basic ${credentials.toString("base64")}` };
}

/** Decodes a file inside the response of a service, whose size limit also bounds the file. */
async function* readDataUri(uri: string): AsyncGenerator<Uint8Array> {
	const [, base64] = /^data:[^,]{0,200};base64,([\w+/\s-]*={0,2})$/.exec(uri) ?? [];
	if (base64 === undefined) throw new DownloadRejectedError("not decoded: the data URI is not base64");
	yield Buffer.from(base64, "base64");
}

function parse(url: string, base?: URL): URL {
	const parsed = URL.parse(url, base?.href);
	if (!parsed) throw new DownloadRejectedError("not downloaded: not an http URL");
	return parsed;
}

function isDownloadError(error: unknown): boolean {
	return (
		error instanceof DownloadFailedError ||
		error instanceof DownloadTooLargeError ||
		error instanceof DownloadRejectedError
	);
}
