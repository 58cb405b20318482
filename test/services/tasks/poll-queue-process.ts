/** A process that polls tasks through the queue at the given address and reports each poll, until it is killed. */
import { argv, stdout } from "node:process";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { openBullMqPollQueue } from "../../../src/services/tasks/bullmq-poll-queue.ts";

const [, , url = "", lockMs = "", behavior = ""] = argv;
const logger = pino({ level: "silent" });
const queue = await openBullMqPollQueue(url, {
	clock: systemClock,
	logger,
	lockMs: Number(lockMs),
	stalledCheckMs: Number(lockMs) / 4,
});
queue.start(async (taskId) => {
	stdout.write(`polls ${taskId}\n`);
	if (behavior === "hang") await new Promise(() => {});
	return undefined;
});
stdout.write("ready\n");
