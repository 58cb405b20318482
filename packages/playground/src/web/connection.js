/**
 * The page's line to the playground. Events first, then a snapshot; whatever happens between the two is kept and applied
 * after it, so that nothing falls between. A broken line is opened again, ever more patiently, and starts the same way.
 *
 * @import { PageEvent, PageState } from "../page-contract.ts"
 * @import { Connection } from "./state.js"
 */

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 8_000;

/**
 * @param {{
 *   eventsAddress: () => string,
 *   fetchState: (signal: AbortSignal) => Promise<PageState>,
 *   onSnapshot: (page: PageState) => void,
 *   onEvent: (event: PageEvent) => void,
 *   onStatus: (status: Connection) => void,
 * }} deps
 */
export function openConnection({ eventsAddress, fetchState, onSnapshot, onEvent, onStatus }) {
	let retryMs = RETRY_FIRST_MS;
	let timer = 0;
	/** @type {EventSource | null} */
	let source = null;
	let round = new AbortController();
	let closed = false;

	function open() {
		clearTimeout(timer);
		round.abort();
		round = new AbortController();
		const { signal } = round;
		source?.close();
		const events = new EventSource(eventsAddress());
		source = events;
		/** @type {PageEvent[] | null} */
		let waiting = [];
		events.addEventListener("open", () => {
			void (async () => {
				try {
					const page = await fetchState(signal);
					if (signal.aborted) return;
					onSnapshot(page);
					for (const event of waiting ?? []) onEvent(event);
					waiting = null;
					retryMs = RETRY_FIRST_MS;
					onStatus("live");
				} catch {
					if (!signal.aborted) lose();
				}
			})();
		});
		events.addEventListener("message", ({ data }) => {
			/** @type {PageEvent} */
			const event = JSON.parse(data);
			if (waiting) waiting.push(event);
			else onEvent(event);
		});
		events.addEventListener("error", lose);
	}

	function lose() {
		if (closed) return;
		source?.close();
		round.abort();
		onStatus("lost");
		clearTimeout(timer);
		timer = setTimeout(open, retryMs);
		retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
	}

	/** Somebody looks at the page again: do not make them wait for the rest of a long pause. */
	function hurry() {
		if (document.visibilityState === "visible" && source?.readyState === EventSource.CLOSED && !closed) open();
	}

	document.addEventListener("visibilitychange", hurry);
	window.addEventListener("online", hurry);
	open();
	return {
		close() {
			closed = true;
			clearTimeout(timer);
			round.abort();
			source?.close();
			document.removeEventListener("visibilitychange", hurry);
			window.removeEventListener("online", hurry);
		},
	};
}
