import { describe, expect, test } from "vitest";
import { EXPIRING_GRANTS_MAX, RECURRING_GRANTS_MAX } from "../src/account.ts";
import { createAuditor } from "../src/audit-store.ts";
import { createLedger } from "../src/create-ledger.ts";
import type { Store } from "@atelier/store/store";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { GUILD, note, outcome, setup as setupLedger } from "./setup.ts";

describe("credits that expire", () => {
	const DAY_MS = 24 * 60 * 60 * 1000;

	async function setupExpiring() {
		const context = await setupLedger({ credits: 5 });
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

// The simulation found the following cases.
const USE = "use:1";
const SOON_MS = 1000;

async function setup() {
	const context = await setupLedger({ credits: 0 });
	return { ...context, inTime: { expiresAtMs: context.clock.nowMs() + SOON_MS } };
}

const findings = async (store: Store, account: string) => (await createAuditor({ store }).account(account)).findings;

test("credits that a hold returns to an overdrawn account repay its debt, and then do not expire", async () => {
	const { store, clock, ledger, inTime } = await setup();
	const limits = [{ account: USE, overdraftCredits: 20 }];
	await ledger.grant(GUILD, "grant:1", 100, note);
	await ledger.grant(USE, "grant:1", 5, note, inTime);
	await ledger.reserve(GUILD, "t1", 10, note, { limits });
	await ledger.reserve(GUILD, "t2", 8, note, { limits });
	await ledger.void(GUILD, "t1", note, { limits: [USE] });
	expect(await ledger.balance(USE)).toMatchObject({ availableCredits: -3, expiring: [] });
	expect(await findings(store, USE)).toStrictEqual([]);
	await clock.advance(2 * SOON_MS);
	await ledger.void(GUILD, "t2", note, { limits: [USE] });
	expect(await ledger.balance(USE)).toMatchObject({ postedCredits: 5, availableCredits: 5 });
});

test("two processes with different clocks expire one grant in two parts, as two entries", async () => {
	const { store, ledger, inTime } = await setup();
	const fast = createLedger({ store, clock: createManualClock(inTime.expiresAtMs + 10) });
	await ledger.grant(GUILD, "grant:1", 10, note, inTime);
	await ledger.reserve(GUILD, "t1", 4, note);
	await fast.adjust(GUILD, "adjust:1", 1, note);
	// By the slow clock the grant has not expired, so returned credits belong to it again until another process expires
	// it.
	await ledger.void(GUILD, "t1", note);
	await fast.adjust(GUILD, "adjust:2", 1, note);
	const entries = await ledger.history(GUILD, { limit: 100 });
	const expired = entries.filter(({ kind }) => kind === "expire");
	expect(expired.map(({ amountCredits }) => amountCredits)).toStrictEqual([4, 6]);
	expect(new Set(expired.map(({ operationId }) => operationId)).size).toBe(2);
	expect(await findings(store, GUILD)).toStrictEqual([]);
});

test("after an expiry has caused a rejection, an older write that is still in progress cannot succeed", async () => {
	const { store, clock, ledger, inTime } = await setup();
	await ledger.grant(GUILD, "grant:1", 10, note, inTime);
	const late: (() => Promise<unknown>)[] = [];
	const dying: Store = {
		...store,
		compareAndSetAll: (...write) =>
			new Promise(() => {
				late.push(() => store.compareAndSetAll(...write));
			}),
	};
	void createLedger({ store: dying, clock }).reserve(GUILD, "t1", 5, note);
	await clock.advance(SOON_MS);
	await expect(ledger.reserve(GUILD, "t1", 5, note)).rejects.toMatchObject({ code: "exceeds_credits" });
	expect(late).toHaveLength(1);
	await Promise.all(late.map((write) => write()));
	expect(await ledger.balance(GUILD)).toMatchObject({ heldCredits: 0 });
});

test("a limit whose credits expire does not make a process answer from an old copy of the account", async () => {
	const { store, clock, ledger, inTime } = await setup();
	const stale = createLedger({ store, clock });
	const limits = [{ account: USE, overdraftCredits: 20 }];
	await stale.grant(GUILD, "grant:1", 10, note);
	await ledger.grant(USE, "grant:1", 5, note, inTime);
	await ledger.reserve(GUILD, "t1", 4, note, { limits });
	await clock.advance(2 * SOON_MS);
	expect(await stale.post(GUILD, "t1", 4, note, { limits: [USE] })).toMatchObject({ balance: { postedCredits: 6 } });
});
