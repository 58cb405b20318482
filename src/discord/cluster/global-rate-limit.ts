/**
 * The global rate limit of one bot: all of its processes, and all clients in each. Requests without a bot token are
 * exempt: interaction responses, and edits by their tokens.
 */
import { DefaultRestOptions, type RESTOptions } from "discord.js";
import type { Clock } from "@atelier/common/clock";
import type { ThrottledLogger } from "@atelier/common/throttled-logger";
import { takeGcraSlot, gcraRate, type GcraRate } from "./gcra.ts";

export interface GlobalRateLimit {
	/** Resolves when the request may be sent. */
	wait(signal?: AbortSignal | null): Promise<void>;
}

/** Takes a slot that all processes share. Returns the wait, or `undefined` if the queue is too long. */
export type TakeRequestSlot = (spacing: GcraRate, waitMsMax: number) => Promise<number | undefined>;

interface RequestBudgetDeps {
	readonly perSecond: number;
	readonly clock: Clock;
	/** Absent for a single process. */
	readonly takeSharedTurn?: TakeRequestSlot | undefined;
	/** This process's share of the limit while the shared counter cannot be reached. */
	readonly share: () => number;
	readonly throttledLogger?: ThrottledLogger | undefined;
}

/** discord.js counts the wait into a request's timeout of a minute. */
const WAIT_MS_MAX = 20_000;
const ASK_AGAIN_MS = 1_000;

export function createGlobalRateLimit(deps: RequestBudgetDeps): GlobalRateLimit {
	const { perSecond, clock, takeSharedTurn, share, throttledLogger } = deps;
	let freeAtMs = 0;

	function takeOwnTurn(part: number): number {
		const turn = takeGcraSlot(freeAtMs, clock.nowMs(), gcraRate(perSecond * part));
		({ freeAtMs } = turn);
		return turn.waitMs;
	}

	async function takeTurn(): Promise<number | undefined> {
		if (!takeSharedTurn) return takeOwnTurn(1);
		try {
			return await takeSharedTurn(gcraRate(perSecond), WAIT_MS_MAX);
		} catch (error) {
			throttledLogger?.add(error);
			return takeOwnTurn(share());
		}
	}

	return {
		async wait(signal) {
			for (;;) {
				const waitMs = await takeTurn();
				if (waitMs === 0) return;
				await clock.sleep(waitMs ?? ASK_AGAIN_MS, signal ?? undefined);
				if (waitMs !== undefined) return;
			}
		},
	};
}

/**
 * Options for a REST client of discord.js. Its own limit would delay exempt requests too, and does not see other
 * clients.
 */
export function withGlobalRateLimit(
	budget: GlobalRateLimit,
	makeRequest: RESTOptions["makeRequest"] = DefaultRestOptions.makeRequest,
): Pick<RESTOptions, "makeRequest" | "globalRequestsPerSecond"> {
	return {
		globalRequestsPerSecond: Number.POSITIVE_INFINITY,
		async makeRequest(url, init) {
			if (new Headers(init.headers as Record<string, string>).has("authorization")) await budget.wait(init.signal);
			return await makeRequest(url, init);
		},
	};
}
