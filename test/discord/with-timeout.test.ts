import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { withTimeout } from "../../src/discord/with-timeout.ts";

/** Listens to the signal permanently, as discord.js does for a request. */
function listenPermanently(signal: AbortSignal): void {
	signal.addEventListener("abort", () => {});
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

/** A call that ends only with its signal. */
const endless = (signal: AbortSignal) =>
	new Promise<never>((_resolve, reject) => {
		const fail = (): void => reject(signal.reason as Error);
		if (signal.aborted) fail();
		else signal.addEventListener("abort", fail);
	});

test("a call ends after its timeout, or with the given signal, which may be aborted already", async () => {
	await expect(withTimeout(1, undefined, endless)).rejects.toThrow("the request took too long");
	const stop = new AbortController();
	const running = withTimeout(60_000, stop.signal, endless);
	stop.abort(new Error("stopped"));
	await expect(running).rejects.toThrow("stopped");
	await expect(withTimeout(60_000, stop.signal, endless)).rejects.toThrow("stopped");
});
