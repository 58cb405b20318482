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
