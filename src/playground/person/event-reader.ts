import type { PageEvent } from "../page-contract.ts";

/** The `data:` lines of a stream of server-sent events; every event of the page is one line of JSON. */
export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<PageEvent> {
	const decoder = new TextDecoder();
	let unread = "";
	for await (const chunk of stream) {
		unread += decoder.decode(chunk, { stream: true });
		const lines = unread.split("\n");
		unread = lines.pop() ?? "";
		for (const line of lines) {
			if (line.startsWith("data: ")) yield JSON.parse(line.slice("data: ".length)) as PageEvent;
		}
	}
}
