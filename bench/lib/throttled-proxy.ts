/**
 * A TCP proxy that behaves like the line of a home or a small server: each direction has a rate, shared by all connections, and
 * half of the round trip as delay. A new connection costs one round trip. Loss is modeled as connections that are reset, repeatably.
 * The proxy does not model TCP slow start, nor lost packets that TCP sends again.
 */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../test/simulation/random.ts";

export interface LineProfile {
	/** Towards the program behind the line: its downloads. */
	readonly downMbit: number;
	readonly upMbit: number;
	readonly rttMs: number;
	/** The mean number of bytes, of both directions and all connections, between two resets. No connection is reset by default. */
	readonly resetEveryBytes?: number;
}

export interface ThrottledProxy {
	/** Opens a port through which the program behind the line reaches `origin`. Resolves to the origin of that port. */
	open(origin: string): Promise<string>;
	/** Opens a port through which others reach the server at `origin` behind the line. */
	openInbound(origin: string): Promise<string>;
	/** Returns the number of connections that were reset. */
	resets(): number;
	close(): void;
}

/** Small enough for the delay of a slow line, large enough for the timers of a fast one. */
const CHUNK_MS = 2;
const CHUNK_BYTES_MIN = 1460;
const CHUNK_BYTES_MAX = 64 * 1024;
/** The sender waits while more than this is queued, like a modem's buffer. */
const BUFFERED_MS_MAX = 100;

interface RateLimiter {
	readonly chunkBytes: number;
	/** Takes the number of sent bytes, and resolves to the time at which they have passed at this rate. Waits while too much is queued. */
	readonly pass: (bytes: number) => Promise<number>;
}

function createRateLimiter(mbit: number): RateLimiter {
	const bytesPerMs = (mbit * 1000) / 8;
	let freeAtMs = 0;
	return {
		chunkBytes: Math.min(CHUNK_BYTES_MAX, Math.max(CHUNK_BYTES_MIN, Math.round(bytesPerMs * CHUNK_MS))),
		async pass(bytes) {
			const nowMs = performance.now();
			freeAtMs = Math.max(freeAtMs, nowMs) + bytes / bytesPerMs;
			const sentAtMs = freeAtMs;
			if (freeAtMs - nowMs > BUFFERED_MS_MAX) await sleep(freeAtMs - nowMs - BUFFERED_MS_MAX);
			return sentAtMs;
		},
	};
}

export function createThrottledProxy(profile: LineProfile): ThrottledProxy {
	const { downMbit, upMbit, rttMs, resetEveryBytes = Number.POSITIVE_INFINITY } = profile;
	const [down, up] = [createRateLimiter(downMbit), createRateLimiter(upMbit)];
	const random = createRandom(1);
	const servers: Server[] = [];
	let resetConnections = 0;

	async function forward(from: Socket, to: Socket, { chunkBytes, pass }: RateLimiter): Promise<void> {
		const arriving: { readonly atMs: number; readonly bytes: Uint8Array | undefined }[] = [];
		let isDelivering = false;
		async function deliver(): Promise<void> {
			if (isDelivering) return;
			isDelivering = true;
			for (let next = arriving[0]; next; next = arriving[0]) {
				const waitMs = next.atMs - performance.now();
				if (waitMs > 0) await sleep(waitMs);
				arriving.shift();
				if (next.bytes) to.write(next.bytes);
				else to.end();
			}
			isDelivering = false;
		}
		for await (const chunk of from as AsyncIterable<Buffer>) {
			for (let at = 0; at < chunk.byteLength; at += chunkBytes) {
				const bytes = chunk.subarray(at, at + chunkBytes);
				arriving.push({ atMs: (await pass(bytes.byteLength)) + rttMs / 2, bytes });
				if (random.chance(bytes.byteLength / resetEveryBytes)) {
					resetConnections++;
					for (const socket of [from, to]) socket.resetAndDestroy();
					return;
				}
				void deliver();
			}
		}
		arriving.push({ atMs: performance.now() + rttMs / 2, bytes: undefined });
		void deliver();
	}

	async function listen(origin: string, outgoing: RateLimiter, incoming: RateLimiter): Promise<string> {
		const { hostname, port } = new URL(origin);
		const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
			const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
			// A socket that fails ends the other one; later writes to it fail too.
			near.on("error", () => far.destroy());
			far.on("error", () => near.destroy());
			void (async () => {
				await sleep(rttMs);
				await Promise.allSettled([forward(near, far, outgoing), forward(far, near, incoming)]);
			})();
		});
		servers.push(server);
		server.listen(0, "127.0.0.1");
		await once(server, "listening");
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	}

	return {
		open: (origin) => listen(origin, up, down),
		openInbound: (origin) => listen(origin, down, up),
		resets: () => resetConnections,
		close: () => {
			for (const server of servers) server.close();
		},
	};
}
