import { describe, expect, test, vi } from "vitest";
import { EXPIRING_GRANTS_MAX, RECURRING_GRANTS_MAX } from "../src/account.ts";
import { createAuditor } from "../src/audit-store.ts";
import { createLedger } from "../src/create-ledger.ts";
import type { BalanceDependentChange, Ledger } from "../src/ledger.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import type { Store } from "@atelier/store/store";
import { GUILD, note, outcome, setup } from "./setup.ts";

test.each<[string, number, (ledger: Ledger) => Promise<unknown>]>([
	["posted in full", 6, (ledger) => ledger.post(GUILD, "t1", 4, note)],
	["posted for less", 9, (ledger) => ledger.post(GUILD, "t1", 1, note)],
	["voided", 10, (ledger) => ledger.void(GUILD, "t1", note)],
])("a hold of 4 of 10 credits is reserved; %s, it leaves %i", async (_case, leftCredits, end) => {
	const { ledger } = await setup({ credits: 10 });
	expect(await ledger.reserve(GUILD, "t1", 4, note)).toMatchObject({
		balance: { postedCredits: 10, heldCredits: 4, availableCredits: 6 },
	});
	expect(await end(ledger)).toMatchObject({
		balance: { postedCredits: leftCredits, heldCredits: 0, availableCredits: leftCredits },
	});
});

test.each<[string, string, (ledger: Ledger) => Promise<unknown>, (ledger: Ledger) => Promise<unknown>]>([
	[
		"a post of more than was reserved",
		"exceeds_hold",
		(ledger) => ledger.reserve(GUILD, "t1", 4, note),
		(ledger) => ledger.post(GUILD, "t1", 5, note),
	],
	[
		"a hold of more than the available credits",
		"exceeds_credits",
		async () => {},
		(ledger) => ledger.reserve(GUILD, "t1", 11, note),
	],
	[
		"a void of a posted hold",
		"already_posted",
		async (ledger) => {
			await ledger.reserve(GUILD, "t1", 4, note);
			await ledger.post(GUILD, "t1", 4, note);
		},
		(ledger) => ledger.void(GUILD, "t1", note),
	],
	[
		"a post of a voided hold",
		"already_voided",
		async (ledger) => {
			await ledger.reserve(GUILD, "t1", 4, note);
			await ledger.void(GUILD, "t1", note);
		},
		(ledger) => ledger.post(GUILD, "t1", 4, note),
	],
	["a post of an unknown hold", "hold_not_found", async () => {}, (ledger) => ledger.post(GUILD, "t9", 1, note)],
	[
		"a hold whose id was voided before it was reserved",
		"already_voided",
		(ledger) => ledger.void(GUILD, "t9", note),
		(ledger) => ledger.reserve(GUILD, "t9", 1, note),
	],
	[
		"a hold that has ended, after many other operations",
		"already_posted",
		async (ledger) => {
			await ledger.reserve(GUILD, "t0", 3, note);
			await ledger.post(GUILD, "t0", 3, note);
			for (let n = 1; n <= 20; n++) await ledger.adjust(GUILD, `adjust:${n}`, 1, note);
		},
		(ledger) => ledger.reserve(GUILD, "t0", 3, note),
	],
	[
		"a repeated hold with another amount",
		"exists_with_different_amount",
		(ledger) => ledger.reserve(GUILD, "t1", 4, note),
		(ledger) => ledger.reserve(GUILD, "t1", 5, note),
	],
	[
		"a repeated grant with another amount",
		"exists_with_different_amount",
		async () => {},
		(ledger) => ledger.grant(GUILD, "grant:first", 11, note),
	],
])("an operation is rejected, and moves nothing: %s (%s)", async (_case, code, before, rejected) => {
	const { ledger } = await setup();
	await before(ledger);
	const balance = await ledger.balance(GUILD);
	expect(await outcome(rejected(ledger))).toBe(code);
	expect(await ledger.balance(GUILD)).toStrictEqual(balance);
});

describe("credits that expire", () => {
	const DAY_MS = 24 * 60 * 60 * 1000;

	async function setupExpiring() {
		const context = await setup({ credits: 5 });
		const inDays = (days: number) => ({ expiresAtMs: context.clock.nowMs() + days * DAY_MS });
		await context.ledger.grant(GUILD, "grant:long", 10, note, inDays(30));
		await context.ledger.grant(GUILD, "grant:short", 10, note, inDays(1));
		return { ...context, inDays };
	}

	test("are spent before others, soonest expiry first", async () => {
		const { ledger } = await setupExpiring();
		await ledger.reserve(GUILD, "t1", 12, note);
		const { balance } = await ledger.post(GUILD, "t1", 12, note);
		expect([balance.availableCredits, balance.expiring.map(({ credits }) => credits)]).toStrictEqual([13, [8]]);
	});

	test("are gone at their time, and concurrent operations after it record the expiry once", async () => {
		const { ledger, clock } = await setupExpiring();
		await clock.advance(DAY_MS);
		expect(await ledger.balance(GUILD)).toMatchObject({ availableCredits: 15 });
		await Promise.all([1, 2, 3].map((n) => ledger.reserve(GUILD, `t${n}`, 1, note)));
		const expired = (await ledger.history(GUILD, { limit: 100 })).filter(({ kind }) => kind === "expire");
		expect(expired).toMatchObject([{ reason: "grant:short", amountCredits: 10, postedAfterCredits: 15 }]);
	});

	test("return to their grant when a hold is voided", async () => {
		const { ledger } = await setupExpiring();
		await ledger.reserve(GUILD, "t1", 25, note);
		const { balance } = await ledger.void(GUILD, "t1", note);
		expect(balance.expiring.map(({ credits }) => credits)).toStrictEqual([10, 10]);
	});

	test("are lost if a hold returns them after their expiry, and are spent first if it is posted", async () => {
		const { ledger, clock } = await setupExpiring();
		await ledger.reserve(GUILD, "t1", 12, note);
		await clock.advance(2 * DAY_MS);
		// 12 = 10 of the short grant and 2 of the long one; 4 are paid, and 6 of the short grant have expired.
		expect(await ledger.post(GUILD, "t1", 4, note)).toMatchObject({
			balance: { postedCredits: 15, availableCredits: 15 },
		});
	});

	test("are limited to a number of unused grants, apart from places for recurring grants", async () => {
		const { ledger, inDays } = await setupExpiring();
		// The account has two expiring grants already.
		const moreGrantsMax = EXPIRING_GRANTS_MAX - RECURRING_GRANTS_MAX - 2;
		for (let n = 0; n < moreGrantsMax; n++) await ledger.grant(GUILD, `grant:${n}`, 1, note, inDays(n + 1));
		expect(await outcome(ledger.grant(GUILD, "grant:more", 1, note, inDays(51)))).toBe("too_many_grants");
		await ledger.grant(GUILD, "grant:monthly:1", 1, note, { ...inDays(60), isRecurring: true });
	});
});

test("an adjustment corrects a balance in both directions, but never takes held credits", async () => {
	const { ledger } = await setup({ credits: 10 });
	await ledger.reserve(GUILD, "t1", 6, note);
	expect(await ledger.adjust(GUILD, "adjust:1", -4, note)).toMatchObject({
		balance: { postedCredits: 6, availableCredits: 0 },
	});
	expect(await outcome(ledger.adjust(GUILD, "adjust:2", -1, note))).toBe("exceeds_credits");
	expect(await ledger.adjust(GUILD, "adjust:3", 5, note)).toMatchObject({ balance: { postedCredits: 11 } });
});

test("an account has at most 200 open holds, and fewer if the reservation sets a lower maximum", async () => {
	const { ledger } = await setup({ credits: 1000 });
	const openHoldsMax = 2;
	const concurrent = ["t1", "t2", "t3"].map((id) => outcome(ledger.reserve(GUILD, id, 1, note, { openHoldsMax })));
	expect(await Promise.all(concurrent)).toStrictEqual(["applied", "applied", "too_many_holds"]);
	for (let n = 3; n <= 200; n++) await ledger.reserve(GUILD, `t${n}`, 1, note);
	expect(await outcome(ledger.reserve(GUILD, "t201", 1, note, { openHoldsMax: 300 }))).toBe("too_many_holds");
	await ledger.void(GUILD, "t1", note);
	expect(await outcome(ledger.reserve(GUILD, "t201", 1, note))).toBe("applied");
});

test("a repeated operation moves nothing, even after many others", async () => {
	const { ledger } = await setup({ credits: 100 });
	await ledger.reserve(GUILD, "t0", 3, note);
	await ledger.post(GUILD, "t0", 3, note);
	for (let n = 1; n <= 30; n++) {
		await ledger.reserve(GUILD, `t${n}`, 1, note);
		await ledger.void(GUILD, `t${n}`, note);
	}
	await ledger.grant(GUILD, "grant:first", 100, note);
	await ledger.post(GUILD, "t0", 3, note);
	await ledger.void(GUILD, "t7", note);
	expect(await ledger.balance(GUILD)).toMatchObject({ postedCredits: 97, heldCredits: 0 });
});

test("the history lists entries newest first, in pages, down to the first entry", async () => {
	const { ledger } = await setup({ credits: 50 });
	for (let n = 1; n <= 20; n++) await ledger.reserve(GUILD, `t${n}`, 1, { ...note, taskId: `t${n}` });
	const first = await ledger.history(GUILD, { limit: 5 });
	expect(first.map(({ seq }) => seq)).toStrictEqual([21, 20, 19, 18, 17]);
	expect(first[0]).toMatchObject({ kind: "reserve", taskId: "t20", amountCredits: 1, heldAfterCredits: 20 });
	const last = await ledger.history(GUILD, { limit: 5, beforeSeq: 3 });
	expect(last.map(({ kind }) => kind)).toStrictEqual(["reserve", "grant"]);
});

const newDocument = (key: string, next: string) => ({ key, expectedRaw: undefined, next });

async function documentsIn(store: Store): Promise<unknown[]> {
	return (await Array.fromAsync(store.scan(""))).flatMap(({ key, value }) => (/^(task|open):/.test(key) ? value : []));
}

describe("a document written with a hold", () => {
	const alsoWrite = [newDocument("task:t1", "a task"), newDocument("open:t1", "its mark")];

	test("is stored in the same write", async () => {
		const { store, clock } = await setup();
		let writes = 0;
		const counted: Store = {
			...store,
			compareAndSet: (...write) => (writes++, store.compareAndSet(...write)),
			compareAndSetAll: (...write) => (writes++, store.compareAndSetAll(...write)),
		};
		await createLedger({ store: counted, clock }).reserve(GUILD, "t1", 4, note, { alsoWrite });
		expect(writes).toBe(1);
		expect(await documentsIn(store)).toStrictEqual(["its mark", "a task"]);
	});

	test("is returned as it is stored, also if several operations share the write", async () => {
		const { store, ledger } = await setup();
		const results = await Promise.all([
			ledger.reserve(GUILD, "t0", 1, note, { alsoWrite: [newDocument("task:t0", "another task")] }),
			ledger.adjust(GUILD, "adjust:1", 1, note),
			ledger.reserve(GUILD, "t1", 4, note, { alsoWrite }),
		]);
		const rawOf = async (key: string) => (await store.get(key))?.raw;
		expect(results.map(({ raws }) => raws)).toStrictEqual([
			[await rawOf("task:t0")],
			[],
			[await rawOf("task:t1"), await rawOf("open:t1")],
		]);
	});

	test("is not stored if the hold is rejected", async () => {
		const { store, ledger } = await setup({ credits: 3 });
		expect(await outcome(ledger.reserve(GUILD, "t1", 4, note, { alsoWrite }))).toBe("exceeds_credits");
		await ledger.void(GUILD, "t2", note);
		expect(await outcome(ledger.reserve(GUILD, "t2", 1, note, { alsoWrite }))).toBe("already_voided");
		expect(await documentsIn(store)).toStrictEqual([]);
	});

	test("is not stored if the hold is already open, and nothing moves", async () => {
		const { store, ledger } = await setup();
		await ledger.reserve(GUILD, "t1", 4, note);
		expect(await outcome(ledger.reserve(GUILD, "t1", 4, note, { alsoWrite }))).toBe("not_new");
		expect(await documentsIn(store)).toStrictEqual([]);
		expect(await ledger.balance(GUILD)).toMatchObject({ heldCredits: 4 });
	});

	test.each(["has", "has not"])(
		"whose key exists is reported also without credits, by a ledger that %s read the account",
		async (has) => {
			const { store, clock, ledger } = await setup();
			await store.set("open:t1", "the same request, in another process");
			const asked = has === "has" ? ledger : createLedger({ store, clock });
			// The first is applied by the same write.
			const both = [asked.reserve(GUILD, "t0", 1, note), asked.reserve(GUILD, "t1", 400, note, { alsoWrite })];
			expect(await Promise.all(both.map(outcome))).toStrictEqual(["applied", "not_new"]);
		},
	);

	test("is not stored if one of its keys exists: no hold begins, and concurrent holds are not affected", async () => {
		const { store, ledger } = await setup();
		await store.set("open:t1", "another user's");
		const asked = await Promise.allSettled([
			ledger.reserve(GUILD, "t0", 1, note, {
				alsoWrite: [newDocument("task:t0", "another task")],
			}),
			ledger.reserve(GUILD, "t1", 4, note, { alsoWrite }),
			ledger.reserve(GUILD, "t2", 2, note),
		]);
		expect(asked.map(({ status }) => status)).toStrictEqual(["fulfilled", "rejected", "fulfilled"]);
		expect(asked[1]).toMatchObject({ reason: { code: "not_new" } });
		expect(await ledger.balance(GUILD)).toMatchObject({ heldCredits: 3 });
		expect(await documentsIn(store)).toStrictEqual(["another user's", "another task"]);
	});
});

/** Reserves a hold, and prepares a document that is written with its end. */
async function setupHold() {
	const context = await setup();
	await context.ledger.reserve(GUILD, "t1", 4, note);
	await context.store.set("task:t1", "open");
	const raw = (await context.store.get("task:t1"))?.raw;
	const document: BalanceDependentChange = {
		key: "task:t1",
		expectedRaw: raw,
		nextWith: ({ availableCredits }) => `ended, ${availableCredits} left`,
	};
	return { ...context, alsoWrite: [document] };
}

describe("a document written with the end of a hold", () => {
	test.each([
		["post", 7],
		["void", 10],
	] as const)("is stored with the %s, and receives the new balance", async (kind, leftCredits) => {
		const { store, ledger, alsoWrite } = await setupHold();
		if (kind === "post") await ledger.post(GUILD, "t1", 3, note, { alsoWrite });
		else await ledger.void(GUILD, "t1", note, { alsoWrite });
		expect(await documentsIn(store)).toStrictEqual([`ended, ${leftCredits} left`]);
		expect(await ledger.balance(GUILD)).toMatchObject({ availableCredits: leftCredits, heldCredits: 0 });
	});

	test("is not stored if the key has another value: the hold stays open, and a concurrent hold is not affected", async () => {
		const { store, ledger, alsoWrite } = await setupHold();
		await store.set("task:t1", "canceled");
		const asked = await Promise.allSettled([
			ledger.post(GUILD, "t1", 4, note, { alsoWrite }),
			ledger.reserve(GUILD, "t2", 2, note),
		]);
		expect(asked).toMatchObject([{ reason: { code: "not_new" } }, { status: "fulfilled" }]);
		expect(await documentsIn(store)).toStrictEqual(["canceled"]);
		expect(await ledger.balance(GUILD)).toMatchObject({ postedCredits: 10, heldCredits: 6 });
	});

	test("is not stored if the hold has ended already, or cannot end that way", async () => {
		const { store, ledger, alsoWrite } = await setupHold();
		expect(await outcome(ledger.post(GUILD, "t1", 5, note, { alsoWrite }))).toBe("exceeds_hold");
		await ledger.post(GUILD, "t1", 4, note);
		expect(await outcome(ledger.post(GUILD, "t1", 4, note, { alsoWrite }))).toBe("not_new");
		expect(await outcome(ledger.void(GUILD, "t1", note, { alsoWrite }))).toBe("already_posted");
		expect(await documentsIn(store)).toStrictEqual(["open"]);
	});

	test("is stored once if several ledgers on one store end the same hold", async () => {
		const { store, clock, alsoWrite } = await setupHold();
		const ledgers = Array.from({ length: 5 }, () => createLedger({ store, clock }));
		const asked = await Promise.allSettled(ledgers.map((each) => each.post(GUILD, "t1", 4, note, { alsoWrite })));
		expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
		expect(await createLedger({ store, clock }).balance(GUILD)).toMatchObject({ postedCredits: 6, heldCredits: 0 });
		expect(await documentsIn(store)).toStrictEqual(["ended, 6 left"]);
	});
});

test("a document written with a grant is stored once, and not with a repeated grant", async () => {
	const { store, ledger } = await setup();
	const alsoWrite = [newDocument("task:t1", "granted")];
	const grant = (): Promise<unknown> => ledger.grant(GUILD, "grant:second", 5, note, { alsoWrite });
	expect(await Promise.all([outcome(grant()), outcome(grant())])).toStrictEqual(["applied", "not_new"]);
	await store.delete("task:t1");
	expect(await outcome(grant())).toBe("not_new");
	expect(await documentsIn(store)).toStrictEqual([]);
	expect(await ledger.balance(GUILD)).toMatchObject({ availableCredits: 15 });
});

test("an operation that is rejected after a write of unknown outcome does not happen with that write", async () => {
	const { store, clock } = await setup({ credits: 0 });
	const late: (() => Promise<unknown>)[] = [];
	const slowStore: Store = {
		...store,
		async compareAndSetAll(...write) {
			late.push(() => store.compareAndSetAll(...write));
			throw new Error("no response");
		},
	};
	const disconnected = createLedger({ store: slowStore, clock });
	const asked = await Promise.allSettled([
		disconnected.grant(GUILD, "grant:late", 5, note),
		disconnected.adjust(GUILD, "adjust:late", -3, note),
	]);
	expect(asked.map(({ status }) => status)).toStrictEqual(["rejected", "rejected"]);

	const ledger = createLedger({ store, clock });
	expect(await outcome(ledger.adjust(GUILD, "adjust:late", -3, note))).toBe("exceeds_credits");
	for (const write of late) await write();
	expect(await ledger.balance(GUILD)).toMatchObject({ postedCredits: 5 });
	expect(await ledger.adjust(GUILD, "adjust:late", -3, note)).toMatchObject({ balance: { postedCredits: 2 } });
});

describe("a hold with limits", () => {
	const LIMIT = "use:member";
	const WIDE_LIMIT = "use:server";
	const WIDE = { account: WIDE_LIMIT, overdraftCredits: 1000 };
	const limits = [{ account: LIMIT, overdraftCredits: 7 }, WIDE];
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

	test.each([4, 8])(
		"of %i is rejected for an existing document, and leaves the accounts as they are",
		async (price) => {
			const { ledger, store } = await setup();
			await store.set("task:t1", "another task");
			expect(await outcome(ledger.reserve(GUILD, "t1", price, note, { limits, alsoWrite }))).toBe("not_new");
			expect(await ledger.balance(LIMIT)).toMatchObject({ heldCredits: 0 });
		},
	);

	test("is one write at its start and at its end, and keeps the limit with concurrent holds of two processes", async () => {
		const { store, clock, ledger } = await setup({ credits: 1000 });
		const other = createLedger({ store, clock });
		const write = vi.spyOn(store, "compareAndSetAll");
		const accounts = limits.map(({ account }) => account);
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

	test("counts what was posted and what is held", async () => {
		const { ledger } = await setup({ credits: 100 });
		await ledger.reserve(GUILD, "t1", 4, note, { limits });
		await ledger.post(GUILD, "t1", 4, note, { limits: [LIMIT, WIDE_LIMIT] });
		expect(await outcome(ledger.reserve(GUILD, "t2", 4, note, { limits }))).toBe("exceeds_credits");
		await ledger.reserve(GUILD, "t3", 3, note, { limits });
		expect(await ledger.balance(LIMIT)).toMatchObject({ postedCredits: -4, availableCredits: -7 });
	});

	test("shares a write with the others of its account, unless one of them enables it", async () => {
		const { store, ledger } = await setup({ credits: 1000 });
		await ledger.reserve(GUILD, "first", 7, note, { limits });
		const write = vi.spyOn(store, "compareAndSetAll");
		const own = Array.from({ length: 60 }, (_, n) => [{ account: `use:member-${n}`, overdraftCredits: 7 }, WIDE]);
		await Promise.all(own.map((limitsOfHold, n) => ledger.reserve(GUILD, `t${n}`, 7, note, { limits: limitsOfHold })));
		expect(write).toHaveBeenCalledTimes(1);
		expect(await ledger.balance(WIDE_LIMIT)).toMatchObject({ heldCredits: 61 * 7 });
		const voided = ledger.void(GUILD, "first", note, { limits: [LIMIT, WIDE_LIMIT] });
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
		await ledger.post(GUILD, "t1", 7, note, { limits: [LIMIT, WIDE_LIMIT] });
		expect(await outcome(ledger.reserve(GUILD, "t1", 7, note, { limits }))).toBe("already_posted");
	});

	test("ends where it is open, once", async () => {
		const { ledger } = await setup();
		await ledger.reserve(GUILD, "t1", 4, note, { limits });
		await ledger.void(LIMIT, "t1", note);
		const ended = { limits: [LIMIT, WIDE_LIMIT] };
		await ledger.post(GUILD, "t1", 3, note, ended);
		expect(await ledger.balance(LIMIT)).toMatchObject({ postedCredits: 0, heldCredits: 0 });
		expect(await ledger.balance(WIDE_LIMIT)).toMatchObject({ postedCredits: -3, heldCredits: 0 });
		expect(await ledger.post(GUILD, "t1", 3, note, ended)).toMatchObject({ balance: { postedCredits: 7 } });
		expect(await outcome(ledger.void(GUILD, "t1", note, ended))).toBe("already_posted");
	});
});

test("a corrupt document rejects its operation, and not the others of the batch", async () => {
	const storage = createMemoryAdapter();
	const store = createKeyvStore(storage);
	await storage.set("task:t1", "nonsense");
	const { ledger } = await setup({ credits: 10, store });
	const newTask = { key: "task:t1", expectedRaw: undefined, next: "a task" };
	const outcomes = [
		outcome(ledger.reserve(GUILD, "t1", 4, note, { alsoWrite: [newTask] })),
		outcome(ledger.reserve(GUILD, "t2", 4, note)),
	];
	expect(await Promise.all(outcomes)).toStrictEqual([expect.stringContaining("CorruptDocumentError"), "applied"]);
});
