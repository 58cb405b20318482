import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createIdentifyTurns, type IdentifyTurns } from "./identify-turns.ts";
import { createInteractionClaims, type InteractionClaims } from "./interaction-claims.ts";
import { createRequestBudget, type RequestBudget } from "./request-budget.ts";

/** The processes that serve one bot: what Discord counts, or tells, of all of them together. */
export interface Fleet {
	readonly claims: InteractionClaims;
	readonly identifies: IdentifyTurns;
	readonly requests: RequestBudget;
	/** This process's part of what all are allowed together, from above 0 to 1. */
	share(): number;
	close(): Promise<void>;
}

interface FleetDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	readonly random: () => number;
	/** What Discord takes of the bot's own requests. */
	readonly requestsPerSecond: number;
	/** The part of the shards that this process has. */
	readonly shareOfShards: number;
}

/** Opens what a checked `QUEUE_URL` shares; without one, each process counts by itself and by its part of the shards. */
export async function openFleet(url: string | undefined, deps: FleetDeps): Promise<Fleet> {
	const { clock, logger, random, shareOfShards } = deps;
	// Loaded only by those who use it.
	const shared = url === undefined ? undefined : await (await import("./redis-fleet.ts")).joinRedisFleet(url, deps);
	const processes = (): number => shared?.processes() ?? Math.round(1 / shareOfShards);
	const share = (): number => Math.min(shareOfShards, 1 / processes());
	const perSecond = deps.requestsPerSecond * (shared ? 1 : shareOfShards);
	return {
		claims: createInteractionClaims({ clock, askOthers: shared?.askOthers, faults: shared?.faults }),
		identifies: createIdentifyTurns({ clock, logger, random, takeSharedSlot: shared?.takeSharedSlot, processes }),
		requests: createRequestBudget({
			perSecond,
			clock,
			share,
			takeSharedTurn: shared?.takeSharedTurn,
			faults: shared?.faults,
		}),
		share,
		close: async () => await shared?.close(),
	};
}
