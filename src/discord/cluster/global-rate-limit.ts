/**
 * How many requests a second Discord takes from one bot: all of its processes, and all clients in each. What carries no bot
 * token is exempt: answers to interactions, and edits by their tokens.
 */
import { DefaultRestOptions, type RESTOptions } from "discord.js";
import type { Clock } from "@atelier/common/clock";
import type { FaultLog } from "@atelier/common/throttled-logger";
import { takeGcraSlot, gcraRate, type GcraRate } from "./gcra.ts";

export interface GlobalRateLimit {
	/** Resolves when it is a request's turn. */
	wait(signal?: AbortSignal | null): Promise<void>;
}

/** Takes a turn among all processes: how long to wait for it; `undefined` where so many wait that none is given. */
export type TakeRequestSlot = (spacing: GcraRate, waitMsMax: number) => Promise<number | undefined>;

interface RequestBudgetDeps {
	readonly perSecond: number;
	readonly clock: Clock;
	/** Absent where this process is alone. */
	readonly takeSharedTurn?: TakeRequestSlot | undefined;
	/** This process's part while nobody can be asked. */
	readonly share: () => number;
	readonly faults?: FaultLog | undefined;
}

/** discord.js counts the waiting into a request's time, which is a minute. */
const WAIT_MS_MAX = 20_000;
const ASK_AGAIN_MS = 1_000;

export function createGlobalRateLimit(deps: RequestBudgetDeps): GlobalRateLimit {
	const { perSecond, clock, takeSharedTurn, share, faults } = deps;
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
			faults?.add(error);
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
 * What a REST client of discord.js takes of it. Its own count would hold up the exempt requests too, and knows of no other
 * client.
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
