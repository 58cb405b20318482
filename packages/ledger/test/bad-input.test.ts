import { describe, expect, test } from "vitest";
import { CREDITS_MAX, EMPTY_ACCOUNT } from "../src/account.ts";
import type { Ledger } from "../src/ledger.ts";
import { GUILD, note, outcome, setup as setupLedger } from "./setup.ts";

/** A ledger with one open hold. */
async function setup() {
	const context = await setupLedger();
	await context.ledger.reserve(GUILD, "open", 4, note);
	return context;
}

const NOT_WHOLE = [0.5, -0.5, 2 ** 53, -(2 ** 53), CREDITS_MAX + 1, Number.NaN, Infinity, -Infinity];

type Operation = (ledger: Ledger, amount: number) => Promise<unknown>;

describe.each<[string, readonly number[], Operation]>([
	["a grant", [0, -1, ...NOT_WHOLE], (ledger, amount) => ledger.grant(GUILD, "grant:x", amount, note)],
	["an adjustment", [0, ...NOT_WHOLE], (ledger, amount) => ledger.adjust(GUILD, "adjust:x", amount, note)],
	["a hold", [0, -1, ...NOT_WHOLE], (ledger, amount) => ledger.reserve(GUILD, "new", amount, note)],
	["a post", [-1, ...NOT_WHOLE], (ledger, amount) => ledger.post(GUILD, "open", amount, note)],
	[
		"an overdraft",
		[-1, 0.5, 2 ** 53, Number.NaN, Infinity],
		(ledger, overdraftCredits) =>
			ledger.reserve(GUILD, "new", 1, note, { limits: [{ account: "use:1", overdraftCredits }] }),
	],
	[
		"a time of expiry",
		[0.5, Number.NaN, Infinity],
		(ledger, expiresAtMs) => ledger.grant(GUILD, "grant:x", 1, note, { expiresAtMs }),
	],
])("%s", (_name, invalid, run) => {
	test.each(invalid)("of %d is rejected without a write", async (amount) => {
		const { store, ledger } = await setup();
		const before = await Array.fromAsync(store.scan(""));
		expect(await outcome(run(ledger, amount))).toBe("invalid_amount");
		expect(await Array.fromAsync(store.scan(""))).toStrictEqual(before);
	});
});

test("the posted and the held credits of an account never exceed CREDITS_MAX", async () => {
	const { ledger } = await setup();
	await ledger.grant("guild:rich", "grant:1", CREDITS_MAX, note);
	expect(await outcome(ledger.grant("guild:rich", "grant:2", 1, note))).toBe("invalid_amount");
	expect(await outcome(ledger.adjust("guild:rich", "adjust:1", 1, note))).toBe("invalid_amount");
	await ledger.grant("use:1", "grant:1", 1, note);
	const limits = [{ account: "use:1", overdraftCredits: CREDITS_MAX }];
	await ledger.reserve("guild:rich", "t1", CREDITS_MAX, note, { limits });
	expect(await outcome(ledger.reserve(GUILD, "t2", 1, note, { limits }))).toBe("exceeds_credits");
	expect(await ledger.balance("use:1")).toMatchObject({ heldCredits: CREDITS_MAX });
});

describe("an unknown id", () => {
	test("is an empty account with an empty history", async () => {
		const { ledger } = await setup();
		expect(await ledger.balance("guild:unknown")).toMatchObject({ postedCredits: 0, availableCredits: 0 });
		expect(await ledger.history("guild:unknown", { limit: 10 })).toStrictEqual([]);
	});

	test("that is too long for a store key, or contains two colons in a row, is rejected before any write", async () => {
		const { store, ledger } = await setup();
		const before = await Array.fromAsync(store.scan(""));
		expect(await outcome(ledger.reserve(GUILD, "x".repeat(255), 1, note))).toContain("invalid store key");
		expect(await outcome(ledger.grant(GUILD, "a::b", 1, note))).toContain("invalid store key");
		expect(await Array.fromAsync(store.scan(""))).toStrictEqual(before);
	});

	test.each(["reserve:t1", "post:t1", "void:t1", "expire:1:grant"])(
		"cannot be %s for a grant or an adjustment, because the ledger reserves such ids",
		async (operationId) => {
			const { ledger } = await setup();
			expect(await outcome(ledger.grant(GUILD, operationId, 1, note))).toContain("reserved operation id");
			expect(await outcome(ledger.adjust(GUILD, operationId, 1, note))).toContain("reserved operation id");
		},
	);
});

describe("a damaged document", () => {
	const hold = { id: "a", credits: 1, shares: [] };
	const account = { ...EMPTY_ACCOUNT, postedCredits: 10, seq: 2 };

	test.each<[string, unknown]>([
		["text", "nonsense"],
		["credits in words", { ...account, postedCredits: "10" }],
		["a hold that is open twice", { ...account, holds: [hold, hold] }],
	])("of an account (%s) freezes it: reads fail, and no write replaces it", async (_case, damage) => {
		const { store, ledger } = await setup();
		await store.set(`account:${GUILD}`, damage);
		const tries = [
			ledger.grant(GUILD, "grant:2", 1, note),
			ledger.adjust(GUILD, "adjust:1", 1, note),
			ledger.reserve(GUILD, "t2", 1, note),
			ledger.post(GUILD, "open", 1, note),
			ledger.void(GUILD, "open", note),
			ledger.balance(GUILD),
			ledger.history(GUILD, { limit: 10 }),
		];
		for (const each of await Promise.allSettled(tries)) {
			expect(each).toMatchObject({
				status: "rejected",
				reason: { name: "CorruptDocumentError", key: `account:${GUILD}` },
			});
		}
		expect((await store.get(`account:${GUILD}`))?.value).toStrictEqual(damage);
		expect(await outcome(ledger.grant("guild:2", "grant:1", 1, note))).toBe("applied");
	});

	const failed: unknown = expect.stringContaining("AssertionError");
	test.each<[string, string, readonly unknown[]]>([
		["a limit", "use:1", [failed, "applied", "applied", "applied"]],
		["the account", GUILD, [failed, failed, "applied", "applied"]],
	])("of %s, whose shares exceed its free credits, fails only reservations in it", async (_case, id, outcomes) => {
		const { store, ledger } = await setup();
		const stored = await store.get<object>(`account:${id}`);
		const shares = [{ grantId: "grant:x", credits: 500, expiresAtMs: Number.MAX_SAFE_INTEGER }];
		await store.set(`account:${id}`, { ...EMPTY_ACCOUNT, ...stored?.value, shares });
		const batch = [
			ledger.reserve(GUILD, "t1", 1, note, { limits: [{ account: "use:1", overdraftCredits: 100 }] }),
			ledger.reserve(GUILD, "t2", 1, note, { limits: [{ account: "use:2", overdraftCredits: 100 }] }),
			ledger.post(GUILD, "open", 1, note),
			ledger.grant(GUILD, "grant:2", 1, note),
		];
		expect(await Promise.all(batch.map(outcome))).toStrictEqual(outcomes);
	});

	test("of the journal or of its index fails the operations that read it, and is not overwritten", async () => {
		const { store, ledger } = await setup();
		for (let n = 0; n < 20; n++) await ledger.adjust(GUILD, `adjust:${n}`, 1, note);
		await store.set(`journal:${GUILD}:000000000000`, ["nonsense"]);
		await store.set(`operation:${GUILD}:adjust:9`, { seq: 0 });
		await store.set(`operation:${GUILD}:adjust:8`, { seq: 9 });
		const damage = { name: "CorruptDocumentError" };
		await expect(ledger.history(GUILD, { limit: 5, beforeSeq: 6 })).rejects.toMatchObject(damage);
		// All three were applied before. A ledger that took a damaged document for a missing one would apply them again.
		await expect(ledger.grant(GUILD, "grant:first", 10, note)).rejects.toMatchObject(damage);
		await expect(ledger.adjust(GUILD, "adjust:9", 1, note)).rejects.toMatchObject(damage);
		await expect(ledger.adjust(GUILD, "adjust:8", 1, note)).rejects.toMatchObject(damage);
		expect(await ledger.balance(GUILD)).toMatchObject({ postedCredits: 30 });
		expect((await store.get(`operation:${GUILD}:adjust:9`))?.value).toStrictEqual({ seq: 0 });
		expect((await ledger.history(GUILD, { limit: 3 })).map(({ seq }) => seq)).toStrictEqual([22, 21, 20]);
	});
});
