/**
 * Fetches a finished file from where the service says that it is, as a stream with bounds. The address comes from outside,
 * so nothing of it is believed: each hop is http or https, its name is resolved once, every address behind the name has to
 * be public, and the connection goes to that address and no other, whatever the name resolves to a moment later.
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
/** A server that drips is cut off: in each window something worth waiting for has to come. */
const PACE_WINDOW_MS = 20_000;
const PACE_BYTES_MIN = 64 * 1024;
const KEPT_CONNECTIONS_MAX = 8;
/** Most servers keep one for at least five seconds; what is left unused for longer is closed from here. */
const KEPT_CONNECTION_MS = 4_000;
const REDIRECTS_MAX = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What a signed link answers when its time is over; the service may have a fresh one. */
const EXPIRED = new Set([401, 403, 404, 410]);

/** A result that could not be fetched, for a reason that another try may not share. */
export class DownloadFailedError extends Error {
	override readonly name = "DownloadFailedError";
	/** Whether the link is over, so that only a fresh one can help. */
	readonly isExpired: boolean;

	constructor(message: string, options: ErrorOptions & { readonly isExpired?: boolean } = {}) {
		super(message, options);
		this.isExpired = options.isExpired ?? false;
	}
}

/** A result that is larger than anything this fetches; another try would find the same. */
export class DownloadTooLargeError extends Error {
	override readonly name = "DownloadTooLargeError";
	readonly limitBytes: number;

	constructor(sizeBytes: number, limitBytes: number) {
		super(`not fetched: ${sizeBytes} bytes or more, and ${limitBytes} is the limit`);
		this.limitBytes = limitBytes;
	}
}

/** A place that results are not fetched from, however often the service names it. */
export class DownloadRefusedError extends Error {
	override readonly name = "DownloadRefusedError";
}

/** The file's bytes, as they come; reading them throws one of the errors above. `onSize` hears how many they are said to be, if so. */
export type Download = (
	url: string,
	signal: AbortSignal,
	onSize?: (sizeBytes: number) => void,
) => AsyncIterable<Uint8Array>;

interface DownloadDeps {
	readonly clock: Clock;
	/** Where files are fetched from even in a private network, because the service itself is configured to be there. */
	readonly trustedOrigins: readonly string[];
	readonly bytesMax?: number;
	/** Every address behind a name. */
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
	// Kept for the next file only where nothing has to be checked: elsewhere it would be a connection that nobody has checked.
	const kept = { keepAlive: true, maxFreeSockets: KEPT_CONNECTIONS_MAX, timeout: KEPT_CONNECTION_MS } as const;
	const trusted: Agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };
	const once: Agents = { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false }) };

	/** The addresses that may be connected to for this URL; `undefined` where the operator vouches for it. */
	async function addressesFor({ protocol, origin, hostname, host }: URL): Promise<readonly string[] | undefined> {
		if (protocol !== "http:" && protocol !== "https:")
			throw new DownloadRefusedError(`not fetched: ${protocol} is no web address`);
		if (trustedOrigins.includes(origin)) return undefined;
		const literal = hostname.replace(/^\[(.*)\]$/, "$1");
		const addresses = isIP(literal) === 0 ? await resolve(hostname) : [literal];
		// One private address among public ones is reason enough: which of them is taken is chance.
		if (addresses.length === 0 || !addresses.every(mayReach))
			throw new DownloadRefusedError(`not fetched: ${host} is not on the public internet`);
		return addresses;
	}

	/** The answer at the end of the redirects, each of which is looked at like the first. */
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
				throw new DownloadFailedError(`not fetched: ${url.host} answered ${status}`, {
					isExpired: EXPIRED.has(status),
				});
			url = parse(headers.location, url);
		}
		throw new DownloadRefusedError(`not fetched: more than ${REDIRECTS_MAX} redirects from ${start.host}`);
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
			(why) => giveUp.abort(new DownloadFailedError(`not fetched: ${start.host} ${why}`)),
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
			// Leaving this loop early destroys the response, and its connection with it.
			for await (const chunk of response as AsyncIterable<Buffer>) {
				receivedBytes += chunk.byteLength;
				if (receivedBytes > bytesMax) throw new DownloadTooLargeError(receivedBytes, bytesMax);
				yield chunk;
			}
		} catch (error) {
			both.throwIfAborted();
			if (isOurs(error)) throw error;
			throw new DownloadFailedError(`not fetched: no answer from ${start.host}`, { cause: error });
		} finally {
			// With a reason: without one an error is made, with its stack, for nobody.
			over.abort("over");
		}
	}

	return (url, signal, onSize) => (url.startsWith("data:") ? readDataUri(url) : fetchFile(parse(url), signal, onSize));
}

/** Resolves to what is wrong, once something is; rejects when `over`. */
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

/** One request; where there is a `lookup`, to what it names and to nothing else. */
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

/** A file that stands in the answer itself. Its size is bounded by that of the answer, which was read before. */
async function* readDataUri(uri: string): AsyncGenerator<Uint8Array> {
	const [, base64] = /^data:[^,]{0,200};base64,([\w+/\s-]*={0,2})$/.exec(uri) ?? [];
	if (base64 === undefined) throw new DownloadRefusedError("not read: a data URI that is not in base64");
	yield Buffer.from(base64, "base64");
}

function parse(url: string, base?: URL): URL {
	const parsed = URL.parse(url, base?.href);
	if (!parsed) throw new DownloadRefusedError("not fetched: no web address");
	return parsed;
}

function isOurs(error: unknown): boolean {
	return (
		error instanceof DownloadFailedError ||
		error instanceof DownloadTooLargeError ||
		error instanceof DownloadRefusedError
	);
}
