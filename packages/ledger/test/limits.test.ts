import { describe, expect, test, vi } from "vitest";
import { createAuditor } from "../src/audit-store.ts";
import { createLedger } from "../src/create-ledger.ts";
import { GUILD, newDocument, note, outcome, setup } from "./setup.ts";

describe("a hold with limits", () => {
	const LIMIT = "use:member";
	const WIDE_LIMIT = "use:server";
	const WIDE = { account: WIDE_LIMIT, overdraftCredits: 1000 };
	const limits = [{ account: LIMIT, overdraftCredits: 7 }, WIDE];
	const accounts = [LIMIT, WIDE_LIMIT];
	const alsoWrite = [newDocument("task:t1", "a task")];

	test.each([
		["the account", 3, 4, GUILD],
		["a limit", 100, 8, LIMIT],
	])("that %s rejects writes nothing", async (_case, credits, price, account) => {
		const { ledger, store } = await setup({ credits });
		const before = await Array.fromAsync(store.scan(""));
		const rejected = ledger.reserve(GUILD, "t1", price, note, { limits, alsoWrite });
		await expect(rejected).rejects.toMatchObject({ code: "exceeds_credits", account });
		expect(await Array.fromAsync(store.scan(""))).toStrictEqual(before);
	});

	test("is one write at its start and at its end, and keeps the limit with concurrent holds of two processes", async () => {
		const { store, clock, ledger } = await setup({ credits: 1000 });
		const other = createLedger({ store, clock });
		const write = vi.spyOn(store, "compareAndSetAll");
		await ledger.reserve(GUILD, "first", 1, note, { limits, alsoWrite });
		await ledger.void(GUILD, "first", note, { limits: accounts });
		expect(write).toHaveBeenCalledTimes(2);
		const outcomes = await Promise.all(
			Array.from({ length: 60 }, async (_, n) => {
				const [one, two] = n % 2 === 0 ? [ledger, other] : [other, ledger];
				const reserved = await outcome(one.reserve(GUILD, `t${n}`, 2, note, { limits, isNewId: true }));
				if (reserved !== "applied") return reserved;
				if (n % 3 === 0) await two.void(GUILD, `t${n}`, note, { limits: accounts });
				else await two.post(GUILD, `t${n}`, 2, note, { limits: accounts });
				return n % 3 === 0 ? "voided" : "posted";
			}),
		);
		const posted = outcomes.filter((each) => each === "posted").length;
		expect(posted).toBeLessThanOrEqual(3);
		expect(new Set(outcomes)).toStrictEqual(new Set(["voided", "posted", "exceeds_credits"]));
		expect(await ledger.balance(GUILD)).toMatchObject({ postedCredits: 1000 - 2 * posted, heldCredits: 0 });
		for (const account of accounts)
			expect(await ledger.balance(account)).toMatchObject({ postedCredits: -2 * posted, heldCredits: 0 });
		const audits = await Array.fromAsync(createAuditor({ store }).all());
		expect(audits.flatMap(({ findings }) => findings)).toStrictEqual([]);
	});

	test("shares a write with the others of its account, unless one of them enables it", async () => {
		const { store, ledger } = await setup({ credits: 1000 });
		await ledger.reserve(GUILD, "first", 7, note, { limits });
		const write = vi.spyOn(store, "compareAndSetAll");
		const own = Array.from({ length: 60 }, (_, n) => [{ account: `use:member-${n}`, overdraftCredits: 7 }, WIDE]);
		await Promise.all(own.map((limitsOfHold, n) => ledger.reserve(GUILD, `t${n}`, 7, note, { limits: limitsOfHold })));
		expect(write).toHaveBeenCalledTimes(1);
		expect(await ledger.balance(WIDE_LIMIT)).toMatchObject({ heldCredits: 61 * 7 });
		const voided = ledger.void(GUILD, "first", note, { limits: accounts });
		await Promise.all([voided, ledger.reserve(GUILD, "second", 7, note, { limits })]);
		expect(write).toHaveBeenCalledTimes(3);
	});

	test("is rejected for a corrupt limit, and holds without this limit are not", async () => {
		const { store, ledger } = await setup({ credits: 100 });
		await store.set(`account:${LIMIT}`, "nonsense");
		const outcomes = [
			outcome(ledger.reserve(GUILD, "t1", 4, note, { limits })),
			outcome(ledger.reserve(GUILD, "t2", 4, note, { limits: [WIDE] })),
		];
		expect(await Promise.all(outcomes)).toStrictEqual([expect.stringContaining("CorruptDocumentError"), "applied"]);
		expect(await ledger.balance(GUILD)).toMatchObject({ heldCredits: 4 });
	});

	test("is the same after a repeat, also if the limit is used up", async () => {
		const { ledger } = await setup({ credits: 100 });
		await ledger.reserve(GUILD, "t1", 7, note, { limits });
		expect(await ledger.reserve(GUILD, "t1", 7, note, { limits })).toMatchObject({ balance: { heldCredits: 7 } });
		expect(await ledger.balance(LIMIT)).toMatchObject({ heldCredits: 7 });
		await ledger.post(GUILD, "t1", 7, note, { limits: accounts });
		expect(await outcome(ledger.reserve(GUILD, "t1", 7, note, { limits }))).toBe("already_posted");
	});

	test("ends where it is open, once", async () => {
		const { ledger } = await setup();
		await ledger.reserve(GUILD, "t1", 4, note, { limits });
		await ledger.void(LIMIT, "t1", note);
		const ended = { limits: accounts };
		await ledger.post(GUILD, "t1", 3, note, ended);
		expect(await ledger.balance(LIMIT)).toMatchObject({ postedCredits: 0, heldCredits: 0 });
		expect(await ledger.balance(WIDE_LIMIT)).toMatchObject({ postedCredits: -3, heldCredits: 0 });
		expect(await ledger.post(GUILD, "t1", 3, note, ended)).toMatchObject({ balance: { postedCredits: 7 } });
		expect(await outcome(ledger.void(GUILD, "t1", note, ended))).toBe("already_posted");
	});
});
