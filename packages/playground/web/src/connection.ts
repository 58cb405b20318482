/** The event stream of the playground. Each connection brings a snapshot first, so that no event is lost. */
import { RefusedError } from "../../src/page/page-client.ts";
import type { PageChange, PageEvent, PageState } from "./contract.ts";

const RETRY_MS = 2_000;

export type Connection = ReturnType<typeof openConnection>;

export function openConnection(deps: {
	readonly eventsAddress: () => string;
	readonly fetchState: () => Promise<PageState>;
	/** A refresh brings the messages of a channel that came into view. */
	readonly onSnapshot: (snapshot: PageState, isRefresh: boolean) => void;
	readonly onEvent: (event: PageChange) => void;
	/** The playground rejects the user, who is in no server. */
	readonly onRefusal: (message: string) => void;
	/** "lost" once a retry has failed too: a short interruption is not worth a banner. */
	readonly onStatus: (status: "live" | "lost") => void;
}) {
	let source = openStream();
	let timer = 0;
	let isClosed = false;
	let failures = 0;

	function openStream(): EventSource {
		const opened = new EventSource(deps.eventsAddress());
		let isRefresh = false;
		opened.addEventListener("message", ({ data }) => {
			const event: PageEvent = JSON.parse(data);
			if (event.type !== "state") return deps.onEvent(event);
			failures = 0;
			deps.onSnapshot(event.state, isRefresh);
			isRefresh = true;
			deps.onStatus("live");
		});
		opened.addEventListener("error", () => {
			isRefresh = false;
			failures += 1;
			if (failures > 1) deps.onStatus("lost");
			// The browser connects again by itself unless the playground has rejected the request.
			if (opened.readyState !== EventSource.CLOSED || isClosed) return;
			timer = setTimeout(() => (source = openStream()), RETRY_MS);
			// An event source does not tell why it failed.
			deps.fetchState().catch((error) => {
				if (error instanceof RefusedError && !isClosed) deps.onRefusal(error.message);
			});
		});
		return opened;
	}

	return {
		close(): void {
			isClosed = true;
			clearTimeout(timer);
			source.close();
		},
	};
}
