import { expect, test } from "vitest";
import { createLedger } from "../src/create-ledger.ts";
import type { Ledger } from "../src/ledger.ts";
import type { Store } from "@atelier/store/store";
import { GUILD, note, outcome, setup } from "./setup.ts";

const reserve = (id: string, credits: number) => (ledger: Ledger) => ledger.reserve(GUILD, id, credits, note);
const post = (id: string, credits: number) => (ledger: Ledger) => ledger.post(GUILD, id, credits, note);
const voidHold = (id: string) => (ledger: Ledger) => ledger.void(GUILD, id, note);
const adjust = (id: string) => (ledger: Ledger) => ledger.adjust(GUILD, id, 1, note);

test.each([
	["posted in full", 6, post("t1", 4)],
	["posted for less", 9, post("t1", 1)],
	["posted for 0", 10, post("t1", 0)],
	["voided", 10, voidHold("t1")],
])("a hold of 4 of 10 credits is reserved; %s, it leaves %i", async (_case, leftCredits, end) => {
	const { ledger } = await setup({ credits: 10 });
	expect(await ledger.reserve(GUILD, "t1", 4, note)).toMatchObject({
		balance: { postedCredits: 10, heldCredits: 4, availableCredits: 6 },
	});
	expect(await end(ledger)).toMatchObject({
		balance: { postedCredits: leftCredits, heldCredits: 0, availableCredits: leftCredits },
	});
});

const others = Array.from({ length: 20 }, (_, n) => adjust(`adjust:${n}`));

test.each([
	["a post of more than was reserved", "exceeds_hold", [reserve("t1", 4)], post("t1", 5)],
	["a hold of more than the available credits", "exceeds_credits", [], reserve("t1", 11)],
	["a void of a posted hold", "already_posted", [reserve("t1", 4), post("t1", 4)], voidHold("t1")],
	["a post of a voided hold", "already_voided", [reserve("t1", 4), voidHold("t1")], post("t1", 4)],
	["a post of an unknown hold", "hold_not_found", [], post("t9", 1)],
	["a hold whose id was voided before it was reserved", "already_voided", [voidHold("t9")], reserve("t9", 1)],
	["a hold that ended long ago", "already_posted", [reserve("t0", 3), post("t0", 3), ...others], reserve("t0", 3)],
	["a repeated hold with another amount", "exists_with_different_amount", [reserve("t1", 4)], reserve("t1", 5)],
	[
		"a repeated grant with another amount",
		"exists_with_different_amount",
		[],
		(ledger: Ledger) => ledger.grant(GUILD, "grant:first", 11, note),
	],
])("an operation is rejected, and moves nothing: %s (%s)", async (_case, code, before, rejected) => {
	const { ledger } = await setup();
	for (const operation of before) await operation(ledger);
	const balance = await ledger.balance(GUILD);
	expect(await outcome(rejected(ledger))).toBe(code);
	expect(await ledger.balance(GUILD)).toStrictEqual(balance);
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

test("the last written balance is forgotten once another process has changed the account", async () => {
	const { store, clock, ledger } = await setup();
	expect(ledger.lastWrittenBalance(GUILD)).toMatchObject({ availableCredits: 10 });
	await createLedger({ store, clock }).reserve(GUILD, "t1", 8, note);
	expect(await outcome(ledger.reserve(GUILD, "t2", 8, note))).toBe("exceeds_credits");
	expect(ledger.lastWrittenBalance(GUILD)).toBeUndefined();
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
