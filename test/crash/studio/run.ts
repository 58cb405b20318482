/** kill -9 of a studio at work: npm run crash:studio -- [--kills 50] [--store URL ...]   (without any: SQLite and a Redis of our own) */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "../../simulation/random.ts";
import { startOwnRedis } from "../own-redis.ts";
import { studioLoop } from "./studio-loop.ts";

const { values } = parseArgs({
	options: { kills: { type: "string", default: "50" }, store: { type: "string", multiple: true } },
});
const folder = await mkdtemp(join(tmpdir(), "atelier-crash-"));
const redis = values.store ? undefined : await startOwnRedis();
const stores = values.store ?? [`sqlite:${join(folder, "crash.db")}`, ...(redis ? [redis.url] : [])];
try {
	for (const url of stores) {
		const { kills, tasks, orders, faults } = await studioLoop(url, Number(values.kills), createRandom(Date.now()));
		const name = url.slice(0, url.indexOf(":"));
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
