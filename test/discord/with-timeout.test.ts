import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { withTimeout } from "../../src/discord/with-timeout.ts";

/** Listens to the signal permanently, as discord.js does for a request. */
function listenPermanently(signal: AbortSignal): void {
	signal.addEventListener("abort", () => {});
}

/** Rejects when the signal aborts. */
function untilAborted(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		const end = (): void => reject(signal.reason as Error);
		if (signal.aborted) end();
		else signal.addEventListener("abort", end);
	});
}

test("a call that has ended leaves no listener on its abort signals", async () => {
	const { signal } = new AbortController();
	const answers = await Promise.all(
		["one", "two"].map((answer) =>
			withTimeout(60_000, signal, async (callSignal) => {
				listenPermanently(callSignal);
				return answer;
			}),
		),
	);
	await expect(withTimeout(60_000, signal, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
	expect(answers).toStrictEqual(["one", "two"]);
	expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

test("a call rejects if its signal is aborted before or during the call, and after its timeout", async () => {
	const stopping = new AbortController();
	const call = withTimeout(60_000, stopping.signal, untilAborted);
	stopping.abort(new Error("stopping"));
	await expect(call).rejects.toThrow("stopping");
	await expect(withTimeout(60_000, stopping.signal, untilAborted)).rejects.toThrow("stopping");
	await expect(withTimeout(1, new AbortController().signal, untilAborted)).rejects.toThrow("the request took too long");
});
