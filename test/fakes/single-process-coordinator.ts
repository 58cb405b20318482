import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { openCoordinator, type ClusterCoordinator } from "../../src/discord/cluster/open-coordinator.ts";

/** The coordinator of a single process. */
export async function openSingleProcessCoordinator(): Promise<ClusterCoordinator> {
	return await openCoordinator(undefined, {
		clock: systemClock,
		logger: pino({ level: "silent" }),
		random: Math.random,
		requestsPerSecond: 50,
		shareOfShards: 1,
	});
}
