/** Server-sent events: one stream per open page. */
import type { ServerResponse } from "node:http";
import type { Clock } from "@atelier/common/clock";
import type { PageEvent } from "./page-contract.ts";

/** Shorter than the half minute after which proxies close silent connections. */
const KEEP_ALIVE_MS = 20_000;
/** A page with more unread bytes is disconnected; it reconnects and reads the state again. */
const UNREAD_BYTES_MAX = 8 * 1024 * 1024;
const STREAMS_MAX = 256;

/** Passes every event to `send` until the returned function is called. */
type Subscribe = (send: (event: PageEvent) => void) => () => void;

export type EventStreams = ReturnType<typeof createEventStreams>;

export function createEventStreams(clock: Clock) {
	const openResponses = new Set<ServerResponse>();

	return {
		/** Keeps `response` open until the page or the playground closes; `false` above the limit of streams. */
		open(response: ServerResponse, headers: { readonly [header: string]: string }, subscribe: Subscribe): boolean {
			if (openResponses.size >= STREAMS_MAX) return false;
			const closed = new AbortController();
			const write = (text: string): void => {
				if (response.writableLength > UNREAD_BYTES_MAX) response.destroy();
				else response.write(text);
			};
			response.writeHead(200, { ...headers, "content-type": "text/event-stream", "cache-control": "no-store" });
			write("retry: 1000\n\n");
			openResponses.add(response);
			const unsubscribe = subscribe((event) => write(`data: ${JSON.stringify(event)}\n\n`));
			response.on("close", () => {
				openResponses.delete(response);
				unsubscribe();
				closed.abort();
			});
			keepAlive(write, closed.signal).catch(() => response.destroy());
			return true;
		},
		close(): void {
			for (const response of openResponses) response.end();
		},
	};

	async function keepAlive(write: (text: string) => void, closed: AbortSignal): Promise<void> {
		while (!closed.aborted) {
			await clock.sleep(KEEP_ALIVE_MS, closed);
			write(": keep-alive\n\n");
		}
	}
}
