import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTyped } from "../../tools/typed.ts";
import { createRandom } from "../simulation/random.ts";
import { crashLoop } from "./crash-loop.ts";
import { startOwnRedis } from "./own-redis.ts";

const USAGE = `kill -9 of processes that use the ledger, again and again.

  npm run crash -- [--rounds 50] [--store URL ...]

Without a store: SQLite, and a Redis of its own where redis-server is there.`;

const { numbers, words } = readTyped({ usage: USAGE, numbers: { rounds: 50 }, words: ["store"] });
const folder = await mkdtemp(join(tmpdir(), "atelier-crash-"));
const redis = words.store ? undefined : await startOwnRedis();
const stores = words.store ?? [`sqlite:${join(folder, "crash.db")}`, ...(redis ? [redis.url] : [])];
try {
	for (const url of stores) {
		const { rounds, acknowledged, unanswered, faults } = await crashLoop(url, numbers.rounds, createRandom(Date.now()));
		process.stdout.write(
			`${url.slice(0, url.indexOf(":"))}: ${rounds} kills, ${acknowledged} acknowledged, ${unanswered} cut off, ${faults.length} faults\n`,
		);
		for (const fault of faults) process.stdout.write(`\t${fault}\n`);
		if (faults.length > 0) process.exitCode = 1;
	}
} finally {
	await redis?.stop();
	await rm(folder, { recursive: true, force: true });
}
