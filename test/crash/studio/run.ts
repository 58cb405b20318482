import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTyped } from "../../../tools/typed.ts";
import { createRandom } from "../../simulation/random.ts";
import { startOwnRedis } from "../own-redis.ts";
import { studioLoop, type StudioPlace } from "./studio-loop.ts";

const USAGE = `kill -9 of a studio at work.

  npm run crash:studio -- [--kills 50] [--store URL ...] [--queue URL]

Without any store: one process on SQLite, and, where redis-server is there, one on a Redis of its own and two that share that
Redis. With --queue two processes share each store that is named.`;

const { numbers, words } = readTyped({ usage: USAGE, numbers: { kills: 50 }, words: ["store", "queue"] });
const queue = words.queue?.[0];
const folder = await mkdtemp(join(tmpdir(), "atelier-crash-"));
const redis = words.store ? undefined : await startOwnRedis();
const own: StudioPlace[] = [{ storeUrl: `sqlite:${join(folder, "crash.db")}` }];
if (redis) own.push({ storeUrl: redis.url }, { storeUrl: `${redis.url}/1`, queueUrl: `${redis.url}/1` });
const places = words.store?.map((storeUrl): StudioPlace => ({ storeUrl, queueUrl: queue })) ?? own;
try {
	for (const place of places) {
		const { kills, tasks, orders, faults } = await studioLoop(place, numbers.kills, createRandom(Date.now()));
		const { storeUrl, queueUrl } = place;
		const name = storeUrl.slice(0, storeUrl.indexOf(":")) + (queueUrl === undefined ? "" : ", two processes");
		process.stdout.write(
			`${name}: ${kills} kills, ${tasks} tasks acknowledged, ${orders} attempts ordered, ${faults.length} faults\n`,
		);
		for (const fault of faults) process.stdout.write(`\t${fault}\n`);
		if (faults.length > 0) process.exitCode = 1;
	}
} finally {
	await redis?.stop();
	await rm(folder, { recursive: true, force: true });
}
