/** A process that polls tasks through the queue at the given address and reports each poll, until it is killed. */
import { argv, stdout } from "node:process";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { openRedisPollQueue } from "../../../src/services/tasks/redis-poll-queue.ts";

const [, , url = "", leaseMs = "", behavior = ""] = argv;
const logger = pino({ level: "silent" });
const queue = await openRedisPollQueue(url, {
	clock: systemClock,
	logger,
	leaseMs: Number(leaseMs),
});
queue.start(async (taskId) => {
	stdout.write(`polls ${taskId}\n`);
	if (behavior === "hang") await new Promise(() => {});
	return behavior === "repeat" ? systemClock.nowMs() : undefined;
});
stdout.write("ready\n");
