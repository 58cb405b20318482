/** A process that is killed while it uses the ledger, on every store that outlives it. The long form: npm run crash -- ledger */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { postgresForTests } from "@atelier/store/testing/database-servers";
import { createRandom } from "../simulation/random.ts";
import { ledgerLoop } from "./ledger-loop.ts";
import { startPrivateRedis } from "./private-redis.ts";

const folder = await mkdtemp(join(tmpdir(), "atelier-crash-"));
const database = join(folder, "crash.db");
const redis = await startPrivateRedis();
const stores = [
	["SQLite", `sqlite:${database}`],
	["Redis", redis?.url],
	["Postgres", await postgresForTests()],
].filter((store): store is [string, string] => store[1] !== undefined);

afterAll(async () => {
	await redis?.stop();
	await rm(folder, { recursive: true, force: true });
});

test.each(stores)(
	"on %s every acknowledged operation survives kill -9 exactly once, and the audit finds nothing",
	async (_name, url) => {
		const report = await ledgerLoop(url, 3, createRandom(Date.now()));
		expect(report.violations).toStrictEqual([]);
		expect(report.acknowledged).toBeGreaterThan(50);
	},
);

test("the loop reports the lost operations of a store without persistence", async () => {
	const { violations } = await ledgerLoop("memory:", 1, createRandom(1));
	expect(violations.filter((violation) => violation.includes("acknowledged and is lost")).length).toBeGreaterThan(10);
});

test("the SQLite file is intact after the kills", () => {
	expect(new DatabaseSync(database).prepare("PRAGMA integrity_check").all()).toMatchObject([{ integrity_check: "ok" }]);
});
