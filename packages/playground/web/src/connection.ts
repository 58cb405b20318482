/**
 * The event stream of the playground. Opens the stream, then reads a snapshot; events that arrive in between are applied after
 * the snapshot, so that none is lost. A broken connection is opened again, with growing pauses, in the same way.
 */
import { RefusedError } from "../../src/page/page-client.ts";
import type { PageEvent, PageState } from "./contract.ts";

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 4_000;

export type Connection = ReturnType<typeof openConnection>;

export function openConnection(deps: {
	readonly eventsAddress: () => string;
	readonly fetchState: () => Promise<PageState>;
	readonly onSnapshot: (snapshot: PageState, isRefresh: boolean) => void;
	readonly onEvent: (event: PageEvent) => void;
	/** The playground rejects the user, who is in no server. */
	readonly onRefusal: (message: string) => void;
	/** "lost" once a retry has failed too: a short interruption is not worth a banner. */
	readonly onStatus: (status: "live" | "lost") => void;
}) {
	let retryMs = RETRY_FIRST_MS;
	let timer = 0;
	let isClosed = false;
	/** Null between two attempts. */
	let source: EventSource | null = null;
	/** The events since a snapshot was requested; null while no request is open. */
	let waiting: PageEvent[] | null = null;

	function openStream(): void {
		const opened = new EventSource(deps.eventsAddress());
		source = opened;
		waiting = [];
		opened.addEventListener("open", () => void readSnapshot(opened));
		opened.addEventListener("message", ({ data }) => {
			const event: PageEvent = JSON.parse(data);
			if (waiting) waiting.push(event);
			else deps.onEvent(event);
		});
		opened.addEventListener("error", () => {
			lose(opened);
			// An event source does not tell why it failed, or that the user has left the server.
			deps.fetchState().catch((error) => {
				if (error instanceof RefusedError && !isClosed) deps.onRefusal(error.message);
			});
		});
	}

	async function readSnapshot(opened: EventSource, isRefresh = false): Promise<void> {
		waiting ??= [];
		try {
			const snapshot = await deps.fetchState();
			if (source !== opened) return;
			const events = waiting;
			waiting = null;
			deps.onSnapshot(snapshot, isRefresh);
			for (const event of events) deps.onEvent(event);
			retryMs = RETRY_FIRST_MS;
			deps.onStatus("live");
		} catch {
			lose(opened);
		}
	}

	function lose(lost: EventSource): void {
		if (source !== lost) return;
		lost.close();
		source = null;
		if (retryMs > RETRY_FIRST_MS) deps.onStatus("lost");
		timer = setTimeout(openStream, retryMs);
		retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
	}

	openStream();
	return {
		/** Reads a snapshot again, unless one is being read. */
		refresh(): void {
			if (source && !waiting) void readSnapshot(source, true);
		},
		close(): void {
			isClosed = true;
			clearTimeout(timer);
			source?.close();
			source = null;
		},
	};
}
