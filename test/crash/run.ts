/** Processes that are killed with `kill -9` while they work, again and again; then their books are compared. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProgram, parseNumber } from "../../tools/create-program.ts";
import { createRandom } from "../simulation/random.ts";
import { crashLoop } from "./crash-loop.ts";
import { startOwnRedis } from "./private-redis.ts";
import { studioLoop, type StudioPlace } from "./studio/studio-loop.ts";
import { taskLoop } from "./tasks/task-loop.ts";

const program = createProgram("crash").description("kill -9 of processes at work, again and again");
program
	.command("ledger")
	.description("processes that use the ledger: on SQLite, and on a Redis of its own where redis-server is there")
	.option("--rounds <count>", "how many kills", parseNumber, 50)
	.option("--store <url...>", "these stores instead")
	.action(({ rounds, store }) =>
		inFolder(!store, async (folder, redis) => {
			for (const url of store ?? [`sqlite:${join(folder, "crash.db")}`, ...(redis ? [redis.url] : [])]) {
				const done = await crashLoop(url, rounds, createRandom(Date.now()));
				report(schemeOf(url), `${done.acknowledged} acknowledged, ${done.unanswered} cut off`, {
					kills: done.rounds,
					faults: done.faults,
				});
			}
		}),
	);
program
	.command("tasks")
	.description(
		"the whole bot while people use it: one process on SQLite, then two on a Redis of its own that share their polling, " +
			"where redis-server is there. Discord and the service stay up and are asked, at the end, what they saw",
	)
	.option("--kills <count>", "how many kills", parseNumber, 200)
	.option("--tasks <count>", "how many tasks", parseNumber, 500)
	.action((options) =>
		inFolder(true, async (folder, redis) => {
			const setups = [
				{ name: "SQLite, one process", bots: 1, storeUrl: `sqlite:${join(folder, "atelier.db")}` },
				...(redis ? [{ name: "Redis, two processes", bots: 2, storeUrl: redis.url, queueUrl: redis.url }] : []),
			];
			for (const { name, ...setup } of setups) {
				const done = await taskLoop({ ...setup, ...options, random: createRandom(Date.now()) });
				report(name, `${done.tasks} tasks, ${done.completed} made, ${done.notTaken} commands not taken`, done);
			}
		}),
	);
program
	.command("studio")
	.description(
		"a studio at work: one process on SQLite, and, where redis-server is there, one on a Redis of its own and two that share that Redis",
	)
	.option("--kills <count>", "how many kills", parseNumber, 50)
	.option("--store <url...>", "these stores instead")
	.option("--queue <url>", "two processes share each store that is named")
	.action(({ kills, store, queue }) =>
		inFolder(!store, async (folder, redis) => {
			const own: StudioPlace[] = [{ storeUrl: `sqlite:${join(folder, "crash.db")}` }];
			if (redis) own.push({ storeUrl: redis.url }, { storeUrl: `${redis.url}/1`, queueUrl: `${redis.url}/1` });
			for (const place of store?.map((storeUrl): StudioPlace => ({ storeUrl, queueUrl: queue })) ?? own) {
				const done = await studioLoop(place, kills, createRandom(Date.now()));
				const name = schemeOf(place.storeUrl) + (place.queueUrl === undefined ? "" : ", two processes");
				report(name, `${done.tasks} tasks acknowledged, ${done.submits} attempts ordered`, done);
			}
		}),
	);

type OwnRedis = Awaited<ReturnType<typeof startOwnRedis>>;

async function inFolder(needsRedis: boolean, work: (folder: string, redis: OwnRedis) => Promise<void>): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "atelier-crash-"));
	const redis = needsRedis ? await startOwnRedis() : undefined;
	try {
		await work(folder, redis);
	} finally {
		await redis?.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

function schemeOf(url: string): string {
	return url.slice(0, url.indexOf(":"));
}

function report(
	name: string,
	what: string,
	{ kills, faults }: { readonly kills: number; readonly faults: readonly string[] },
): void {
	process.stdout.write(`${name}: ${kills} kills, ${what}, ${faults.length} faults\n`);
	for (const fault of faults) process.stdout.write(`\t${fault}\n`);
	if (faults.length > 0) process.exitCode = 1;
}

await program.parseAsync();
