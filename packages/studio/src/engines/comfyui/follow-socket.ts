import { z } from "zod";
import { WebSocket } from "ws";
import type { Clock } from "@atelier/common/clock";
import { USER_AGENT } from "@atelier/common/user-agent";
import { parseNestedJson } from "@atelier/media-protocol/parse-value";

const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
const RECONNECT_AFTER_MS = 2_000;

const message = z.object({
	type: z.string(),
	data: z.object({
		node: z.string().nullish(),
		nodes: z.unknown().optional(),
		value: z.number().optional(),
		max: z.number().optional(),
	}),
});

/**
 * Receives the progress of a job over ComfyUI's WebSocket, and reconnects. Progress may be lost, and failures are
 * ignored: `/history` has the outcome.
 */
export function followSocket(
	deps: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly clock: Clock },
	nodeCount: number,
	report: (progressPercent: number) => void,
	signal: AbortSignal,
): void {
	const doneNodes = new Set<string>();
	let currentNode: string | undefined;

	function handleMessage(text: string): void {
		const parsed = message.safeParse(parseNestedJson(text));
		if (!parsed.success) return;
		const { type, data } = parsed.data;
		if (type === "execution_cached" && Array.isArray(data.nodes)) {
			for (const each of data.nodes) if (typeof each === "string") doneNodes.add(each);
		}
		if (type === "executing" && typeof data.node === "string") {
			if (currentNode !== undefined) doneNodes.add(currentNode);
			currentNode = data.node;
		}
		const { value = 0, max = 0 } = type === "progress" ? data : {};
		const nodeFraction = max > 0 ? Math.min(1, value / max) : 0;
		if ((type === "executing" && data.node !== null) || type === "progress")
			report((100 * (doneNodes.size + nodeFraction)) / nodeCount);
	}

	function connect(): void {
		if (signal.aborted) return;
		const headers = { "user-agent": USER_AGENT, ...deps.headers };
		const socket = new WebSocket(deps.url, { headers, maxPayload: MESSAGE_BYTES_MAX });
		const terminate = (): void => socket.terminate();
		signal.addEventListener("abort", terminate, { once: true });
		socket.on("message", (content, isBinary) => {
			// Binary messages are previews.
			if (!isBinary && !signal.aborted) handleMessage(Buffer.isBuffer(content) ? content.toString("utf8") : "");
		});
		socket.on("error", () => {});
		socket.on("close", () => {
			signal.removeEventListener("abort", terminate);
			deps.clock.sleep(RECONNECT_AFTER_MS, signal).then(connect, () => {});
		});
	}

	connect();
}
