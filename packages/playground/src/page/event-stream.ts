/** Server-sent events: one stream per open page. */
import type { ServerResponse } from "node:http";
import type { PageEvent } from "./page-contract.ts";

/** Shorter than the half minute after which proxies close silent connections. */
const KEEP_ALIVE_MS = 20_000;
/** A page with more unread bytes is disconnected; it reconnects and reads the state again. */
const UNREAD_BYTES_MAX = 8 * 1024 * 1024;
const STREAMS_MAX = 256;

/** Passes every event to `send` until the returned function is called. `end` closes the stream. */
type Subscribe = (send: (event: PageEvent) => void, end: () => void) => () => void;

export type EventStreams = ReturnType<typeof createEventStreams>;

export function createEventStreams() {
	const openResponses = new Set<ServerResponse>();

	return {
		/** Keeps `response` open until the page or the playground closes; `false` above the limit of streams. */
		open(response: ServerResponse, headers: { readonly [header: string]: string }, subscribe: Subscribe): boolean {
			if (openResponses.size >= STREAMS_MAX) return false;
			const write = (text: string): void => {
				if (response.writableLength > UNREAD_BYTES_MAX) response.destroy();
				else if (!response.writableEnded) response.write(text);
			};
			response.writeHead(200, { ...headers, "content-type": "text/event-stream", "cache-control": "no-store" });
			write("retry: 1000\n\n");
			openResponses.add(response);
			const unsubscribe = subscribe(
				(event) => write(`data: ${JSON.stringify(event)}\n\n`),
				() => response.end(),
			);
			// By the time of the machine, as proxies count.
			const keepAlive = setInterval(() => write(": keep-alive\n\n"), KEEP_ALIVE_MS);
			response.on("close", () => {
				openResponses.delete(response);
				unsubscribe();
				clearInterval(keepAlive);
			});
			return true;
		},
		close(): void {
			for (const response of openResponses) response.end();
		},
	};
}
