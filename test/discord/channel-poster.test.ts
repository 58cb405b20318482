import { getEventListeners } from "node:events";
import { REST } from "discord.js";
import { afterEach, expect, test, vi } from "vitest";
import { createDiscordChannelPoster } from "../../src/discord/channel-poster.ts";

const MESSAGE = { text: "hello", key: "hello" };

/** Discord without a response. `requested` resolves with the first request. */
function setup() {
	const requested = Promise.withResolvers<void>();
	const makeRequest = (_url: string, { signal }: { signal?: AbortSignal | null }) =>
		new Promise<never>((_, reject) => {
			signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
			requested.resolve();
		});
	const rest = new REST({ retries: 0, timeout: 60_000, makeRequest }).setToken("a-token");
	return { poster: createDiscordChannelPoster({ rest }), requested: requested.promise };
}

afterEach(() => void vi.useRealTimers());

test("a post without a response fails after ten seconds, and leaves no listener on its signal", async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	const { poster, requested } = setup();
	const { signal } = new AbortController();
	let isFailed = false;
	const post = poster.post("50", MESSAGE, signal).catch(() => (isFailed = true));
	await requested;
	await vi.advanceTimersByTimeAsync(9_999);
	expect(isFailed).toBe(false);
	await vi.advanceTimersByTimeAsync(1);
	await post;
	expect(isFailed).toBe(true);
	expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

test("a post without a response fails at once when the process stops", async () => {
	const { poster, requested } = setup();
	const stopping = new AbortController();
	const post = poster.post("50", MESSAGE, stopping.signal);
	await requested;
	stopping.abort(new Error("stopping"));
	await expect(post).rejects.toMatchObject({ name: "AbortError" });
	expect(getEventListeners(stopping.signal, "abort")).toHaveLength(0);
});
