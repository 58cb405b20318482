import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { openFleet, type Fleet } from "../../src/discord/fleet/open-fleet.ts";

/** What a process has that is the only one of its bot. */
export async function openLoneFleet(): Promise<Fleet> {
	return await openFleet(undefined, {
		clock: systemClock,
		logger: pino({ level: "silent" }),
		random: Math.random,
		requestsPerSecond: 50,
		shareOfShards: 1,
	});
}
