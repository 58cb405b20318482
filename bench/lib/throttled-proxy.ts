/**
 * A TCP proxy that behaves like the line of a home or a small server: each direction has a rate, shared by all connections, and
 * half of the round trip as delay. A new connection costs one round trip. The proxy does not model loss or TCP slow start.
 */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface LineProfile {
	/** Towards the program that connects: its downloads. */
	readonly downMbit: number;
	readonly upMbit: number;
	readonly rttMs: number;
}

const CHUNK_BYTES = 4 * 1024;
/** The sender waits while more than this is queued, like a modem's buffer. */
const BUFFERED_MS_MAX = 100;

/** Takes the number of sent bytes, and resolves to the time at which they have passed at this rate. */
type RateLimiter = (bytes: number) => Promise<number>;

/** Waits while too much is queued. */
function createRateLimiter(mbit: number): RateLimiter {
	let freeAtMs = 0;
	return async (bytes) => {
		const nowMs = performance.now();
		freeAtMs = Math.max(freeAtMs, nowMs) + (bytes * 8) / (mbit * 1000);
		const sentAtMs = freeAtMs;
		if (freeAtMs - nowMs > BUFFERED_MS_MAX) await sleep(freeAtMs - nowMs - BUFFERED_MS_MAX);
		return sentAtMs;
	};
}

export function createThrottledProxy({ downMbit, upMbit, rttMs }: LineProfile): {
	/** Opens a port that forwards to `origin`; resolves to the origin of that port. */
	readonly open: (origin: string) => Promise<string>;
} {
	const [limitDown, limitUp] = [createRateLimiter(downMbit), createRateLimiter(upMbit)];

	async function forward(from: Socket, to: Socket, limit: RateLimiter): Promise<void> {
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
			for (let at = 0; at < chunk.byteLength; at += CHUNK_BYTES) {
				const bytes = chunk.subarray(at, at + CHUNK_BYTES);
				arriving.push({ atMs: (await limit(bytes.byteLength)) + rttMs / 2, bytes });
				void deliver();
			}
		}
		arriving.push({ atMs: performance.now() + rttMs / 2, bytes: undefined });
		void deliver();
	}

	return {
		async open(origin) {
			const { hostname, port } = new URL(origin);
			const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
				const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
				for (const [one, other] of [
					[near, far],
					[far, near],
				] as const)
					one.once("error", () => other.destroy());
				void (async () => {
					await sleep(rttMs);
					await Promise.allSettled([forward(near, far, limitUp), forward(far, near, limitDown)]);
				})();
			});
			server.listen(0, "127.0.0.1");
			await once(server, "listening");
			return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		},
	};
}
