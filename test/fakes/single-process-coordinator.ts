import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { openCoordinator, type ClusterCoordinator } from "../../src/discord/cluster/open-coordinator.ts";

/** Opens the cluster coordinator of a bot with a single process, which needs no Redis. */
export async function openSingleProcessCoordinator(): Promise<ClusterCoordinator> {
	return await openCoordinator(undefined, {
		clock: systemClock,
		logger: pino({ level: "silent" }),
		random: Math.random,
		requestsPerSecond: 50,
	});
}
