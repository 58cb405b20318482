/** kill -9, again and again: npm run crash -- [--rounds 50] [--store URL ...]   (without any: SQLite and a Redis of our own) */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "../simulation/random.ts";
import { crashLoop } from "./crash-loop.ts";
import { startOwnRedis } from "./own-redis.ts";

const { values } = parseArgs({
	options: { rounds: { type: "string", default: "50" }, store: { type: "string", multiple: true } },
});
const folder = await mkdtemp(join(tmpdir(), "atelier-crash-"));
const redis = values.store ? undefined : await startOwnRedis();
const stores = values.store ?? [`sqlite:${join(folder, "crash.db")}`, ...(redis ? [redis.url] : [])];
try {
	for (const url of stores) {
		const { rounds, acknowledged, unanswered, faults } = await crashLoop(
			url,
			Number(values.rounds),
			createRandom(Date.now()),
		);
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
