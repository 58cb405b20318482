/** A process that runs tasks through the queue at the given address and reports each run, until it is killed. */
import { argv, stdout } from "node:process";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { openRedisTaskQueue } from "../../../src/services/tasks/redis-task-queue.ts";

const [, , url = "", leaseMs = ""] = argv;
const logger = pino({ level: "silent" });
const queue = await openRedisTaskQueue(url, { clock: systemClock, logger, leaseMs: Number(leaseMs) });
queue.start(async (taskId) => {
	stdout.write(`runs ${taskId}\n`);
	return systemClock.nowMs();
});
