/**
 * A process that is killed while it uses the ledger, on every store that outlives it. The long form: npm run crash --
 * ledger
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test, vi } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { createAuditor } from "@atelier/ledger/audit-store";
import { createLedger } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import { postgresForTests, redisForTests } from "@atelier/store/testing/database-servers";
import { startProcess } from "../../bench/lib/child-process.ts";
import { createRandom } from "../simulation/random.ts";
import { ledgerLoop } from "./ledger-loop.ts";
import { startPrivateRedis } from "./private-redis.ts";
import { studioLoop } from "./studio/studio-loop.ts";

const CONTENDER = fileURLToPath(new URL("reserving-process.ts", import.meta.url));
const CREDITS = 7;
const folder = await mkdtemp(join(tmpdir(), "atelier-crash-"));
const database = join(folder, "crash.db");
const redis = await startPrivateRedis();
const queueUrl = await redisForTests();
const stores = [
	["SQLite", `sqlite:${database}`],
	["Redis", redis?.url],
	["Postgres", await postgresForTests()],
].filter((store): store is [string, string] => store[1] !== undefined);

afterAll(async () => {
	await redis?.stop();
	await rm(folder, { recursive: true, force: true });
});

describe.each(stores)("on %s", (_name, url) => {
	test("every acknowledged operation survives kill -9 exactly once, and the audit finds nothing", async () => {
		const report = await ledgerLoop(url, 3, createRandom(Date.now()));
		expect(report.violations).toStrictEqual([]);
		expect(report.acknowledged).toBeGreaterThan(50);
	});

	test("of 200 reservations of two processes at once against 7 credits exactly 7 succeed", async () => {
		const account = `guild:race-${process.pid}-${Date.now()}`;
		const store = await openStore(url);
		const ledger = createLedger({ store, clock: systemClock });
		await ledger.grant(account, "grant:1", CREDITS, { by: "operator", reason: "" });
		const contenders = await Promise.all(
			["a", "b"].map((name) =>
				startProcess({ name, args: [CONTENDER, url, account, name, "100"], env: {}, ready: "ready" }),
			),
		);
		for (const contender of contenders) contender.write("start\n");
		await vi.waitFor(() => expect(contenders.every(({ lines }) => lines.length === 2)).toBe(true), 60_000);
		expect(contenders.reduce((sum, { lines }) => sum + Number(lines[1]), 0)).toBe(CREDITS);
		expect((await createAuditor({ store }).account(account)).findings).toStrictEqual([]);
		expect(await ledger.balance(account)).toMatchObject({ heldCredits: CREDITS, availableCredits: 0 });
		await store.close();
	});
});

test("the loop reports the lost operations of a store without persistence", async () => {
	const { violations } = await ledgerLoop("memory:", 1, createRandom(1));
	expect(violations.filter((violation) => violation.includes("acknowledged and is lost")).length).toBeGreaterThan(10);
});

test("the SQLite file is intact after the kills", () => {
	expect(new DatabaseSync(database).prepare("PRAGMA integrity_check").all()).toMatchObject([{ integrity_check: "ok" }]);
});

test.skipIf(queueUrl === undefined)(
	"after kill -9 of one of two studios the other one ends all tasks, each paid and charged once",
	async () => {
		const storeUrl = `sqlite:${join(folder, "studio.db")}`;
		const setup = { storeUrl, queueUrl, submitsPerKill: 40, behaviors: ["regular"] } as const;
		const report = await studioLoop(setup, 1, createRandom(Date.now()));
		expect(report.violations).toStrictEqual([]);
		expect(report.tasks).toBeGreaterThan(40);
	},
	120_000,
);
