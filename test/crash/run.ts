/** Kills working processes with `kill -9`, again and again, and then checks that their stores agree with what they had confirmed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { REDIS_PROGRAM, startRedisProcess } from "@atelier/store/testing/redis-process";
import { createProgram, parseNumber } from "../../tools/npm-script-arguments.ts";
import { createRandom } from "../simulation/random.ts";
import { ledgerLoop } from "./ledger-loop.ts";
import { studioLoop } from "./studio/studio-loop.ts";
import { taskLoop } from "./tasks/task-loop.ts";

const program = createProgram("crash").description(
	"Kills working processes with kill -9 and then checks that their stores agree with what they had confirmed, on SQLite and, if redis-server is installed, on a Redis server of its own.",
);
program
	.command("ledger")
	.description("one process that uses the ledger")
	.option(
		"--kills <count>",
		"least number of kills; the run continues until the ledger has acknowledged enough operations",
		parseNumber,
		50,
	)
	.action(({ kills: killsMin }) =>
		runOnEachStore(["SQLite", "Redis"], async (name, { storeUrl }) => {
			const { kills, acknowledged, unanswered, violations } = await ledgerLoop(storeUrl, killsMin, random);
			report(`${name}: ${kills} kills, ${acknowledged} acknowledged, ${unanswered} without a response`, violations);
		}),
	);
program
	.command("tasks")
	.description("the bot while a member uses it; the playground and the studio are not killed")
	.option("--kills <count>", "number of kills", parseNumber, 200)
	.option("--tasks <count>", "number of tasks", parseNumber, 500)
	.action((options) =>
		runOnEachStore(["SQLite", "Redis, two processes"], async (name, urls) => {
			const bots = urls.queueUrl === undefined ? 1 : 2;
			const { tasks, succeeded, unanswered, violations } = await taskLoop({ ...urls, ...options, bots, random });
			const summary = `${tasks} tasks, ${succeeded} succeeded, ${unanswered} commands while no bot was connected`;
			report(`${name}: ${options.kills} kills, ${summary}`, violations);
		}),
	);
program
	.command("studio")
	.description("the studio while it generates")
	.option("--kills <count>", "number of kills", parseNumber, 50)
	.action(({ kills }) =>
		runOnEachStore(["SQLite", "Redis", "Redis, two processes"], async (name, urls) => {
			const { tasks, attempts, violations } = await studioLoop(urls, kills, random);
			report(
				`${name}: ${kills} kills, ${tasks} tasks acknowledged, ${attempts} attempts sent to the paid service`,
				violations,
			);
		}),
	);

type Backend = "SQLite" | "Redis" | "Redis, two processes";
interface Urls {
	readonly storeUrl: string;
	readonly queueUrl?: string;
}

/** Decides what the processes do and when they are killed; their timing varies. */
const seed = Date.now() % 2 ** 31;
const random = createRandom(seed);

async function runOnEachStore(
	backends: readonly Backend[],
	run: (name: Backend, urls: Urls) => Promise<void>,
): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "atelier-crash-"));
	const database = join(folder, "crash.db");
	// Every write is synced to the disk before its response.
	const settings = ["--appendonly", "yes", "--appendfsync", "always"];
	const redis = REDIS_PROGRAM === undefined ? undefined : await startRedisProcess(settings);
	const urls: Partial<Record<Backend, Urls>> = {
		SQLite: { storeUrl: `sqlite:${database}` },
		...(redis && {
			Redis: { storeUrl: redis.url },
			"Redis, two processes": { storeUrl: `${redis.url}/1`, queueUrl: `${redis.url}/1` },
		}),
	};
	try {
		for (const name of backends) if (urls[name]) await run(name, urls[name]);
		const [integrity] = new DatabaseSync(database).prepare("PRAGMA integrity_check").all();
		if (integrity?.["integrity_check"] !== "ok") report("the SQLite file", [JSON.stringify(integrity)]);
	} finally {
		await redis?.remove();
		await rm(folder, { recursive: true, force: true });
	}
}

function report(line: string, violations: readonly string[]): void {
	process.stdout.write(`${line}, seed ${seed}, ${violations.length} violations\n`);
	for (const violation of violations) process.stdout.write(`\t${violation}\n`);
	if (violations.length > 0) process.exitCode = 1;
}

await program.parseAsync();
