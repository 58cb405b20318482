/**
 * Downloads a result as a bounded stream. The URL comes from another service and is not trusted: each hop must be http
 * or https, its name is resolved once, every resolved address must be public, and the connection goes to exactly that
 * address, whatever the name resolves to later.
 */
import { lookup } from "node:dns/promises";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Clock } from "./clock.ts";
import { isPublicAddress } from "./ssrf-guard.ts";
import { USER_AGENT } from "./user-agent.ts";

const DOWNLOAD_BYTES_MAX = 256 * 1024 * 1024;
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;
/** Aborts slow servers: each window must receive a minimum of bytes. */
const PACE_WINDOW_MS = 20_000;
const PACE_BYTES_MIN = 64 * 1024;
const KEPT_CONNECTIONS_MAX = 8;
/** Most servers keep idle connections for at least five seconds; this closes them earlier. */
const KEPT_CONNECTION_MS = 4_000;
const REDIRECTS_MAX = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Responses for an expired link; the service may have a fresh one. */
const EXPIRED = new Set([401, 403, 404, 410]);

/** The download failed; a retry may work. */
export class DownloadFailedError extends Error {
	override readonly name = "DownloadFailedError";
	/** True if the link has expired, so that only a fresh one helps. */
	readonly isExpired: boolean;

	constructor(message: string, options: ErrorOptions & { readonly isExpired?: boolean } = {}) {
		super(message, options);
		this.isExpired = options.isExpired ?? false;
	}
}

/** The result exceeds the size limit; a retry would fail the same way. */
export class DownloadTooLargeError extends Error {
	override readonly name = "DownloadTooLargeError";
	readonly limitBytes: number;

	constructor(sizeBytes: number, limitBytes: number) {
		super(`not downloaded: ${sizeBytes} bytes or more exceed the limit of ${limitBytes}`);
		this.limitBytes = limitBytes;
	}
}

/** The URL is not allowed, for any task. */
export class DownloadRefusedError extends Error {
	override readonly name = "DownloadRefusedError";
}

/**
 * Streams the bytes of a file. Reading throws one of the errors above. `onSize` receives the declared size, if there is
 * one.
 */
export type Download = (
	url: string,
	signal: AbortSignal,
	onSize?: (sizeBytes: number) => void,
) => AsyncIterable<Uint8Array>;

interface DownloadDeps {
	readonly clock: Clock;
	/** Origins that may be private, because the service is configured to be there. */
	readonly trustedOrigins: readonly string[];
	readonly bytesMax?: number;
	/** Resolves a name to all of its addresses. */
	readonly resolve?: (hostname: string) => Promise<readonly string[]>;
	readonly mayReach?: (address: string) => boolean;
}

export function createDownload({
	clock,
	trustedOrigins,
	bytesMax = DOWNLOAD_BYTES_MAX,
	resolve = resolveByDns,
	mayReach = isPublicAddress,
}: DownloadDeps): Download {
	// Reuses connections only for trusted origins: any other connection must be checked anew.
	const kept = { keepAlive: true, maxFreeSockets: KEPT_CONNECTIONS_MAX, timeout: KEPT_CONNECTION_MS } as const;
	const trusted: Agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };
	const once: Agents = { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false }) };

	/** Returns the allowed addresses of a URL; `undefined` for a trusted origin. */
	async function addressesFor({ protocol, origin, hostname, host }: URL): Promise<readonly string[] | undefined> {
		if (protocol !== "http:" && protocol !== "https:")
			throw new DownloadRefusedError(`not downloaded: ${protocol} is not supported`);
		if (trustedOrigins.includes(origin)) return undefined;
		const literal = hostname.replace(/^\[(.*)\]$/, "$1");
		const addresses = isIP(literal) === 0 ? await resolve(hostname) : [literal];
		// One private address is enough for a denial, because the choice among them is random.
		if (addresses.length === 0 || !addresses.every(mayReach))
			throw new DownloadRefusedError(`not downloaded: ${host} is not on the public internet`);
		return addresses;
	}

	/** Follows redirects, and checks each like the first URL. */
	async function follow(start: URL, signal: AbortSignal): Promise<IncomingMessage> {
		let url = start;
		for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
			const addresses = await addressesFor(url);
			const route = addresses ? { agents: once, lookup: pinnedTo(addresses) } : { agents: trusted };
			const response = await get(url, route, signal);
			const { statusCode: status = 0, headers } = response;
			if (status >= 200 && status < 300) return response;
			response.destroy();
			if (!REDIRECTS.has(status) || headers.location === undefined)
				throw new DownloadFailedError(`not downloaded: ${url.host} responded with ${status}`, {
					isExpired: EXPIRED.has(status),
				});
			url = parse(headers.location, url);
		}
		throw new DownloadRefusedError(`not downloaded: more than ${REDIRECTS_MAX} redirects from ${start.host}`);
	}

	async function* fetchFile(
		start: URL,
		signal: AbortSignal,
		onSize?: (sizeBytes: number) => void,
	): AsyncGenerator<Uint8Array> {
		const over = new AbortController();
		const giveUp = new AbortController();
		let receivedBytes = 0;
		watchPace(clock, () => receivedBytes, over.signal).then(
			(why) => giveUp.abort(new DownloadFailedError(`not downloaded: ${start.host} ${why}`)),
			() => {},
		);
		const both = AbortSignal.any([signal, giveUp.signal]);
		try {
			const response = await follow(start, both);
			const announcedBytes = Number(response.headers["content-length"] ?? 0);
			if (announcedBytes > bytesMax) {
				response.destroy();
				throw new DownloadTooLargeError(announcedBytes, bytesMax);
			}
			if (announcedBytes > 0) onSize?.(announcedBytes);
			// Leaving this loop destroys the response and its connection.
			for await (const chunk of response as AsyncIterable<Buffer>) {
				receivedBytes += chunk.byteLength;
				if (receivedBytes > bytesMax) throw new DownloadTooLargeError(receivedBytes, bytesMax);
				yield chunk;
			}
		} catch (error) {
			both.throwIfAborted();
			if (isOurs(error)) throw error;
			throw new DownloadFailedError(`not downloaded: no response from ${start.host}`, { cause: error });
		} finally {
			// A reason avoids the default error with its stack.
			over.abort("over");
		}
	}

	return (url, signal, onSize) => (url.startsWith("data:") ? readDataUri(url) : fetchFile(parse(url), signal, onSize));
}

/** Resolves to the problem once there is one. Rejects when `over` is aborted. */
async function watchPace(clock: Clock, received: () => number, over: AbortSignal): Promise<string> {
	let before = 0;
	for (let waitedMs = 0; waitedMs < DOWNLOAD_TIMEOUT_MS; waitedMs += PACE_WINDOW_MS) {
		await clock.sleep(PACE_WINDOW_MS, over);
		if (received() - before < PACE_BYTES_MIN) return "sends too slowly";
		before = received();
	}
	return `needs more than ${DOWNLOAD_TIMEOUT_MS / 60_000} minutes`;
}

interface Agents {
	readonly http: HttpAgent;
	readonly https: HttpsAgent;
}

/** Sends one request; with a `lookup`, only to the addresses that it returns. */
function get(
	url: URL,
	{ agents, ...pinned }: { readonly agents: Agents; readonly lookup?: LookupFunction },
	signal: AbortSignal,
): Promise<IncomingMessage> {
	const isEncrypted = url.protocol === "https:";
	const request = isEncrypted ? httpsRequest : httpRequest;
	return new Promise((resolve, reject) => {
		const options = {
			signal,
			agent: isEncrypted ? agents.https : agents.http,
			headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": USER_AGENT },
			...pinned,
		};
		request(url, options, resolve).on("error", reject).end();
	});
}

function pinnedTo(addresses: readonly string[]): LookupFunction {
	const found = addresses.map((address) => ({ address, family: isIP(address) }));
	return (_hostname, { all }, callback) => {
		const [first] = found;
		if (all) callback(null, found);
		else callback(null, first?.address ?? "", first?.family);
	};
}

async function resolveByDns(hostname: string): Promise<readonly string[]> {
	return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

/** Decodes a file inside the response. The size limit of the response bounds it. */
async function* readDataUri(uri: string): AsyncGenerator<Uint8Array> {
	const [, base64] = /^data:[^,]{0,200};base64,([\w+/\s-]*={0,2})$/.exec(uri) ?? [];
	if (base64 === undefined) throw new DownloadRefusedError("not decoded: the data URI is not base64");
	yield Buffer.from(base64, "base64");
}

function parse(url: string, base?: URL): URL {
	const parsed = URL.parse(url, base?.href);
	if (!parsed) throw new DownloadRefusedError("not downloaded: not an http URL");
	return parsed;
}

function isOurs(error: unknown): boolean {
	return (
		error instanceof DownloadFailedError ||
		error instanceof DownloadTooLargeError ||
		error instanceof DownloadRefusedError
	);
}
