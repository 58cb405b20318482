/**
 * The event stream of the playground. Opens the stream, then reads a snapshot; events that arrive in between are applied after
 * the snapshot, so that none is lost. A broken connection is opened again, with growing pauses, in the same way.
 */
import { RefusedError } from "../../src/page-client.ts";
import type { PageEvent, PageState } from "./contract.ts";

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 4_000;

/** Returns the function that closes the connection. */
export function openConnection(deps: {
	readonly eventsAddress: () => string;
	readonly fetchState: (signal: AbortSignal) => Promise<PageState>;
	readonly onSnapshot: (page: PageState) => void;
	readonly onEvent: (event: PageEvent) => void;
	/** The playground rejects the user, who is in no server. */
	readonly onRefusal: (message: string) => void;
	/** "lost" once a retry has failed too: a short interruption is not worth a banner. */
	readonly onStatus: (status: "live" | "lost") => void;
}): () => void {
	let retryMs = RETRY_FIRST_MS;
	let timer = 0;
	let source: EventSource | null = null;
	let attempt = new AbortController();
	let closed = false;

	function openStream(): void {
		clearTimeout(timer);
		attempt.abort();
		attempt = new AbortController();
		const { signal } = attempt;
		source?.close();
		source = new EventSource(deps.eventsAddress());
		let waiting: PageEvent[] | null = [];
		source.addEventListener("open", () => {
			void (async () => {
				try {
					const page = await deps.fetchState(signal);
					if (signal.aborted) return;
					deps.onSnapshot(page);
					for (const event of waiting ?? []) deps.onEvent(event);
					waiting = null;
					retryMs = RETRY_FIRST_MS;
					deps.onStatus("live");
				} catch {
					if (!signal.aborted) lose();
				}
			})();
		});
		source.addEventListener("message", ({ data }) => {
			const event: PageEvent = JSON.parse(data);
			if (waiting) waiting.push(event);
			else deps.onEvent(event);
		});
		source.addEventListener("error", () => {
			lose();
			// An event source does not tell why it failed.
			deps.fetchState(AbortSignal.timeout(RETRY_MAX_MS)).catch((error) => {
				if (error instanceof RefusedError && !closed) deps.onRefusal(error.message);
			});
		});
	}

	function lose(): void {
		if (closed) return;
		source?.close();
		attempt.abort();
		if (retryMs > RETRY_FIRST_MS) deps.onStatus("lost");
		clearTimeout(timer);
		timer = setTimeout(openStream, retryMs);
		retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
	}

	openStream();
	return () => {
		closed = true;
		clearTimeout(timer);
		attempt.abort();
		source?.close();
	};
}
