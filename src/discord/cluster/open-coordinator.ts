import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createIdentifyThrottler, type IdentifyThrottler } from "./identify-throttler.ts";
import { createInteractionDedupe, type InteractionDedupe } from "./interaction-dedupe.ts";
import { createGlobalRateLimit, type GlobalRateLimit } from "./global-rate-limit.ts";

/** The processes that serve one bot: what Discord counts, or tells, of all of them together. */
export interface ClusterCoordinator {
	readonly claims: InteractionDedupe;
	readonly identifies: IdentifyThrottler;
	readonly requests: GlobalRateLimit;
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
export async function openCoordinator(url: string | undefined, deps: FleetDeps): Promise<ClusterCoordinator> {
	const { clock, logger, random, shareOfShards } = deps;
	// Loaded only by those who use it.
	const shared =
		url === undefined ? undefined : await (await import("./redis-coordinator.ts")).openRedisCoordinator(url, deps);
	const processes = (): number => shared?.processes() ?? Math.round(1 / shareOfShards);
	const share = (): number => Math.min(shareOfShards, 1 / processes());
	const perSecond = deps.requestsPerSecond * (shared ? 1 : shareOfShards);
	return {
		claims: createInteractionDedupe({ clock, askOthers: shared?.askOthers, faults: shared?.faults }),
		identifies: createIdentifyThrottler({ clock, logger, random, takeSharedSlot: shared?.takeSharedSlot, processes }),
		requests: createGlobalRateLimit({
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
