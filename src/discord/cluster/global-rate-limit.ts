/**
 * The global rate limit of one bot: of all its processes, and all REST clients in each. Requests without the bot token are
 * exempt: interaction responses, and edits by the token of an interaction.
 */
import { DefaultRestOptions, type RESTOptions } from "discord.js";
import type { Clock } from "@atelier/common/clock";
import { takeGcraSlot, gcraRate, type GcraRate } from "./gcra.ts";

export type WaitForGlobalLimit = ReturnType<typeof createGlobalRateLimit>;

interface GlobalRateLimitDeps {
	readonly requestsPerSecond: number;
	readonly clock: Clock;
	/**
	 * Takes a slot of the rate that all processes share. Resolves to the wait (ms), or to `undefined` if it would exceed `waitMsMax`.
	 * Itself `undefined` for a single process.
	 */
	readonly takeSharedRequestSlot: ((rate: GcraRate, waitMsMax: number) => Promise<number | undefined>) | undefined;
	/** This process's share of the limit while the shared counter cannot be reached. */
	readonly share: () => number;
}

/** discord.js counts the wait into a request's timeout of a minute. */
const WAIT_MS_MAX = 20_000;
/** The time until the next attempt to take a slot, if the wait for the last one would have been too long. */
const SLOT_RETRY_MS = 1_000;

/** Creates a function that resolves when the request may be sent. */
export function createGlobalRateLimit(deps: GlobalRateLimitDeps) {
	const { requestsPerSecond, clock, takeSharedRequestSlot, share } = deps;
	let nextSlotAtMs = 0;

	function takeOwnSlot(limitShare: number): number {
		const slot = takeGcraSlot(nextSlotAtMs, clock.nowMs(), gcraRate(requestsPerSecond * limitShare));
		({ nextSlotAtMs } = slot);
		return slot.waitMs;
	}

	async function takeSlot(): Promise<number | undefined> {
		if (!takeSharedRequestSlot) return takeOwnSlot(1);
		try {
			return await takeSharedRequestSlot(gcraRate(requestsPerSecond), WAIT_MS_MAX);
		} catch {
			return takeOwnSlot(share());
		}
	}

	return async (signal?: AbortSignal | null): Promise<void> => {
		for (;;) {
			const waitMs = await takeSlot();
			if (waitMs === 0) return;
			await clock.sleep(waitMs ?? SLOT_RETRY_MS, signal ?? undefined);
			if (waitMs !== undefined) return;
		}
	};
}

/**
 * Returns options for a REST client of discord.js that replace its own limit, which would delay exempt requests too and does not
 * count other clients.
 */
export function withGlobalRateLimit(
	waitForGlobalLimit: WaitForGlobalLimit,
	makeRequest: RESTOptions["makeRequest"] = DefaultRestOptions.makeRequest,
): Pick<RESTOptions, "makeRequest" | "globalRequestsPerSecond"> {
	return {
		globalRequestsPerSecond: Number.POSITIVE_INFINITY,
		async makeRequest(url, init) {
			if (new Headers(init.headers as Record<string, string>).has("authorization"))
				await waitForGlobalLimit(init.signal);
			return await makeRequest(url, init);
		},
	};
}
