import { describe, expect, test } from "vitest";
import { readOrder } from "../../src/cli/credits-arguments.ts";
import { carryOut } from "../../src/cli/credits-orders.ts";
import { createKeyvStore } from "../../src/services/store/keyv-store.ts";
import { createMemoryStorage } from "../../src/services/store/memory-storage.ts";
import { createManualClock } from "../fakes/manual-clock.ts";

const ONE = "1000000000000000001";
const OTHER = "1000000000000000002";
const THIRD = "1000000000000000003";

function setup() {
	const storage = createMemoryStorage();
	const store = createKeyvStore(storage);
	const clock = createManualClock(Date.UTC(2026, 10, 20, 12));
	const run = async (typed: string) => {
		const order = readOrder(typed.split(" "));
		if (order.kind === "help") throw new Error("not an order");
		const printed: string[] = [];
		const warned: string[] = [];
		const exitCode = await carryOut(order, {
			store,
			clock,
			newId: () => "new",
			print: async (line) => void printed.push(line),
			warn: (line) => void warned.push(line),
		});
		return { exitCode, printed, warned };
	};
	return { clock, run, storage };
}

describe("a change that is repeated with the same --id", () => {
	test.each(["", " --expires 2027-01-31"])("does not claim to be done again%s", async (more) => {
		const { clock, run } = setup();
		expect((await run(`grant ${ONE} 1000 --reason contest --id A`)).printed[0]).toBe("Granted 1,000 credits, id A.");
		await clock.advance(1000);
		expect((await run(`grant ${ONE} 1000 --reason contest --id A${more}`)).printed).toStrictEqual([
			"Nothing moved: id A was done already at 2026-11-20T12:00:00.000Z, and stays as it was then.",
			`Server ${ONE} has 1,000 credits free now.`,
		]);
	});

	test("is recognised also when its entry has long been in the journal", async () => {
		const { run } = setup();
		for (let n = 1; n <= 20; n++) await run(`grant ${ONE} ${n} --reason contest --id id-${n}`);
		expect((await run(`grant ${ONE} 1 --reason contest --id id-1`)).printed[0]).toMatch(/^Nothing moved: id id-1 was/);
		expect((await run(`revoke ${ONE} 1 --reason contest --id id-1`)).printed[0]).toBe("Revoked 1 credit, id id-1.");
	});
});

test("an export goes on behind an account that cannot be read, names it, and fails", async () => {
	const { run, storage } = setup();
	for (const guildId of [ONE, OTHER, THIRD]) await run(`grant ${guildId} 5 --reason contest`);
	await storage.set(`account:guild:${OTHER}`, "garbage");
	const { exitCode, printed, warned } = await run("export");
	const accounts = printed.map((line) => (JSON.parse(line) as { account: string }).account);
	expect(accounts).toStrictEqual([`guild:${ONE}`, `guild:${THIRD}`]);
	expect(warned).toStrictEqual([
		`guild:${OTHER} is not exported in full: the document account:guild:${OTHER} cannot be read`,
	]);
	expect(exitCode).toBe(1);
});

test("an audit of a server without an account says so, and is no success", async () => {
	const { run } = setup();
	await run(`grant ${ONE} 5 --reason contest`);
	expect(await run(`audit ${OTHER}`)).toMatchObject({
		exitCode: 1,
		printed: [`Server ${OTHER} has no account: it has not used the bot yet, or its id is another.`],
	});
	expect(await run(`audit ${ONE}`)).toMatchObject({
		exitCode: 0,
		printed: ["Audited 1 account with 1 entry: all is well."],
	});
});
