import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createIdentifyThrottler } from "./identify-throttler.ts";
import { createInteractionClaim } from "./interaction-claim.ts";
import { createGlobalRateLimit } from "./global-rate-limit.ts";

/** The shared state of the processes that serve one bot: Discord's limits apply to all of them together. */
export type ClusterCoordinator = Awaited<ReturnType<typeof openCoordinator>>;

interface CoordinatorDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	readonly random: () => number;
	/** Discord's limit for requests with the bot token. */
	readonly requestsPerSecond: number;
}

/** Opens the coordinator of a validated `QUEUE_URL`. Without one, this process is the only one. */
export async function openCoordinator(url: string | undefined, deps: CoordinatorDeps) {
	// Loaded only with a queue.
	const redis =
		url === undefined ? undefined : await (await import("./redis-coordinator.ts")).openRedisCoordinator(url, deps);
	const share = (): number => 1 / (redis?.processes() ?? 1);
	return {
		claimInteraction: createInteractionClaim({ clock: deps.clock, claimShared: redis?.claimShared }),
		identifyThrottler: createIdentifyThrottler({ ...deps, takeSharedIdentifySlot: redis?.takeSharedIdentifySlot }),
		waitForGlobalLimit: createGlobalRateLimit({ ...deps, share, takeSharedRequestSlot: redis?.takeSharedRequestSlot }),
		/** Returns this process's share of the common limits, above 0 and up to 1. */
		share,
		close: async () => await redis?.close(),
	};
}
