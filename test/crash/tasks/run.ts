import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTyped } from "../../../tools/typed.ts";
import { createRandom } from "../../simulation/random.ts";
import { startOwnRedis } from "../own-redis.ts";
import { taskLoop } from "./task-loop.ts";

const USAGE = `kill -9 of the whole bot while people use it.

  npm run crash:tasks -- [--kills 200] [--tasks 500]

One process on SQLite, then two on a Redis of its own that share their polling, where redis-server is there. Discord and the
service stay up and are asked, at the end, what they saw.`;

const { numbers } = readTyped({ usage: USAGE, numbers: { kills: 200, tasks: 500 } });
const folder = await mkdtemp(join(tmpdir(), "atelier-crash-tasks-"));
const redis = await startOwnRedis();
const places = [
	{ name: "SQLite, one process", bots: 1, storeUrl: `sqlite:${join(folder, "atelier.db")}` },
	...(redis ? [{ name: "Redis, two processes", bots: 2, storeUrl: redis.url, queueUrl: redis.url }] : []),
];
try {
	for (const { name, ...place } of places) {
		const random = createRandom(Date.now());
		const report = await taskLoop({ ...place, ...numbers, random });
		const { kills, tasks, made, notTaken, faults } = report;
		process.stdout.write(
			`${name}: ${kills} kills, ${tasks} tasks, ${made} made, ${notTaken} commands that nobody took, ${faults.length} faults\n`,
		);
		for (const fault of faults) process.stdout.write(`\t${fault}\n`);
		if (faults.length > 0) process.exitCode = 1;
	}
} finally {
	await redis?.stop();
	await rm(folder, { recursive: true, force: true });
}
