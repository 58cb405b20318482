import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createIdentifyThrottler, type IdentifyThrottler } from "./identify-throttler.ts";
import { createInteractionDedupe, type InteractionDedupe } from "./interaction-dedupe.ts";
import { createGlobalRateLimit, type GlobalRateLimit } from "./global-rate-limit.ts";

/** The shared state of the processes that serve one bot: Discord's limits apply to all of them together. */
export interface ClusterCoordinator {
	readonly interactionDedupe: InteractionDedupe;
	readonly identifyThrottler: IdentifyThrottler;
	readonly globalRateLimit: GlobalRateLimit;
	/** This process's share of the common limits, above 0 and up to 1. */
	share(): number;
	close(): Promise<void>;
}

interface CoordinatorDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	readonly random: () => number;
	/** Discord's limit for requests with the bot token. */
	readonly requestsPerSecond: number;
}

/** Opens the coordinator of a validated `QUEUE_URL`. Without one, this process is the only one. */
export async function openCoordinator(url: string | undefined, deps: CoordinatorDeps): Promise<ClusterCoordinator> {
	const { clock, logger, random, requestsPerSecond } = deps;
	// Loaded only with a queue.
	const shared =
		url === undefined ? undefined : await (await import("./redis-coordinator.ts")).openRedisCoordinator(url, deps);
	const share = (): number => 1 / (shared?.processes() ?? 1);
	return {
		interactionDedupe: createInteractionDedupe({ clock, claimShared: shared?.claimShared }),
		identifyThrottler: createIdentifyThrottler({
			clock,
			logger,
			random,
			takeSharedIdentifySlot: shared?.takeSharedIdentifySlot,
		}),
		globalRateLimit: createGlobalRateLimit({
			perSecond: requestsPerSecond,
			clock,
			share,
			takeSharedRequestSlot: shared?.takeSharedRequestSlot,
		}),
		share,
		close: async () => await shared?.close(),
	};
}
