/** A process that is killed while it uses the ledger on Postgres. On SQLite and Redis: npm run crash -- ledger */
import { expect, test } from "vitest";
import { postgresForTests } from "@atelier/store/testing/database-servers";
import { createRandom } from "../simulation/random.ts";
import { ledgerLoop } from "./ledger-loop.ts";

const postgres = await postgresForTests();

test.skipIf(postgres === undefined)(
	"on Postgres every acknowledged operation survives kill -9 exactly once, and the audit finds nothing",
	async () => {
		const report = await ledgerLoop(postgres ?? "", 3, createRandom(1));
		expect(report.violations).toStrictEqual([]);
		expect(report.acknowledged).toBeGreaterThan(50);
	},
);

test("the loop reports the lost operations of a store without persistence", async () => {
	const { violations } = await ledgerLoop("memory:", 1, createRandom(1));
	expect(violations.filter((violation) => violation.includes("acknowledged and is lost")).length).toBeGreaterThan(10);
});
