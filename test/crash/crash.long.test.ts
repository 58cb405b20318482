/** A process that is killed while it uses the ledger, on every store that outlives it. The long form: npm run crash */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { createAuditor } from "@atelier/ledger/auditor";
import { createLedger } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import { postgresForTests } from "@atelier/store/testing/servers";
import { createRandom } from "../simulation/random.ts";
import { crashLoop } from "./crash-loop.ts";
import { startOwnRedis } from "./private-redis.ts";

const ROUNDS = 3;
const CREDITS = 7;
const COMMANDS_PER_PROCESS = 100;

const folder = await mkdtemp(join(tmpdir(), "atelier-crash-"));
const database = join(folder, "crash.db");
const redis = await startOwnRedis();
const stores = [
	{ name: "SQLite", url: `sqlite:${database}` },
	{ name: "Redis with a log", url: redis?.url },
	{ name: "Postgres", url: await postgresForTests() },
];

afterAll(async () => {
	await redis?.stop();
	await rm(folder, { recursive: true, force: true });
});

describe.each(stores.filter((store): store is { name: string; url: string } => store.url !== undefined))(
	"on $name",
	({ url }) => {
		test("after kill -9 all acknowledged operations are stored once, and the audit finds nothing", async () => {
			const report = await crashLoop(url, ROUNDS, createRandom(Date.now()));
			expect(report.faults).toStrictEqual([]);
			expect(report.acknowledged).toBeGreaterThan(50);
		});

		test("of 200 commands of two processes with credits for 7, exactly 7 succeed", async () => {
			const account = `guild:race-${process.pid}-${Date.now()}`;
			const store = await openStore(url);
			await createLedger({ store, clock: systemClock }).grant(account, "grant:1", CREDITS, {
				by: "operator",
				reason: "",
			});
			const racers = await Promise.all(["a", "b"].map((name) => startRacer(url, account, name)));
			for (const racer of racers) racer.go();
			const passed = await Promise.all(racers.map((racer) => racer.passed));
			expect(passed.reduce((sum, each) => sum + each, 0)).toBe(CREDITS);
			expect((await createAuditor({ store }).account(account)).findings).toStrictEqual([]);
			const balance = await createLedger({ store, clock: systemClock }).balance(account);
			expect(balance).toMatchObject({ heldCredits: CREDITS, availableCredits: 0 });
			await store.close();
		});
	},
);

test("the same loop detects a store that loses writes", async () => {
	const { faults } = await crashLoop("memory:", 1, createRandom(1));
	expect(faults.filter((fault) => fault.includes("acknowledged and is lost")).length).toBeGreaterThan(10);
});

test("the SQLite file is intact afterwards", () => {
	expect(new DatabaseSync(database).prepare("PRAGMA integrity_check").all()).toMatchObject([{ integrity_check: "ok" }]);
});

interface Racer {
	go(): void;
	readonly passed: Promise<number>;
}

/** Resolves when the process is ready to ask. */
async function startRacer(url: string, account: string, name: string): Promise<Racer> {
	const script = fileURLToPath(new URL("contender.ts", import.meta.url));
	const args = [script, url, account, name, String(COMMANDS_PER_PROCESS)];
	const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
	const lines = createInterface({ input: child.stdout });
	const said: string[] = [];
	lines.on("line", (line) => said.push(line));
	const passed = once(child, "close").then(() => Number(said[1]));
	await once(lines, "line");
	return { go: () => child.stdin.end("go"), passed };
}
