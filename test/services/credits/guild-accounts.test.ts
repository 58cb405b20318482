import { describe, expect, test } from "vitest";
import { memberAuthor } from "../../../src/services/access/change-author.ts";
import { createGuildAccounts } from "../../../src/services/credits/guild-accounts.ts";
import { createSettingsStore } from "../../../src/services/settings/settings-store.ts";
import { storedSettingsSchema, type GuildSettings } from "../../../src/services/settings/guild-settings.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const GUILD = "1";
const ACCOUNT = `guild:${GUILD}`;
const member = { guildId: GUILD, userId: "7", roleIds: [] };
const note = { by: "member:7", reason: "test" };
const DAY_MS = 24 * 60 * 60 * 1000;

async function setup(changes: Partial<GuildSettings> = {}) {
	const store = await openStore("memory:");
	const clock = createManualClock(Date.UTC(2026, 10, 20, 12));
	const ledger = createLedger({ store, clock });
	const settings = createSettingsStore(store, { clock });
	const change = (changed: Partial<GuildSettings>) =>
		settings.change(GUILD, (before) => ({ ...before, ...changed }), memberAuthor("1", "discord"));
	await change(changes);
	const open = (monthlyCredits = 100) => createGuildAccounts({ store, ledger, settings, clock, monthlyCredits });
	const accounts = open();
	const available = async (of = accounts) => (await of.readBalance(member)).balance.availableCredits;
	return { store, ledger, clock, change, open, accounts, available };
}

describe("a month's credits", () => {
	test("are granted once at the first access, for any number of concurrent accesses", async () => {
		const { accounts, open, available } = await setup();
		await Promise.all([accounts, open(), open()].map((each) => each.grantMonthlyCredits(GUILD)));
		expect(await available()).toBe(100);
	});

	test("are not granted again if the record of the month is lost", async () => {
		const { accounts, store, open, available } = await setup();
		await accounts.grantMonthlyCredits(GUILD);
		const before = (await store.get(`month:${GUILD}`))?.value;
		await store.delete(`month:${GUILD}`);
		expect(await available(open())).toBe(100);
		expect((await store.get(`month:${GUILD}`))?.value).toStrictEqual(before);
	});

	test.each([
		["are granted anew, and unused ones have expired", {}, 100],
		["accumulate if unused credits carry over", { unusedCredits: "carryOver" }, 200],
	] as const)("in the next month %s", async (_what, changes, availableCredits) => {
		const { accounts, clock } = await setup(changes);
		await accounts.grantMonthlyCredits(GUILD);
		await clock.advance(11 * DAY_MS);
		const refillsAtMs = Date.UTC(2027, 0, 1);
		expect(await accounts.readBalance(member)).toMatchObject({ balance: { availableCredits }, refillsAtMs });
	});

	test.each([
		["west", "UTC", "America/Los_Angeles"],
		["east", "America/Los_Angeles", "Asia/Tokyo"],
		["over the date line", "Pacific/Pago_Pago", "Pacific/Kiritimati"],
	])("are granted once a month when the time zone changes %s", async (_way, before, after) => {
		const { accounts, clock, change, ledger } = await setup({ timeZone: before });
		await accounts.grantMonthlyCredits(GUILD);
		await change({ timeZone: after });
		const endsAtMs = clock.nowMs() + 45 * DAY_MS;
		while (clock.nowMs() < endsAtMs) {
			const { balance, refillsAtMs } = await accounts.readBalance(member);
			expect(balance.availableCredits).toBe(100);
			expect(refillsAtMs).toBeGreaterThan(clock.nowMs());
			const dayOfMonth = new Date(clock.nowMs()).getUTCDate();
			await clock.advance(dayOfMonth < 3 || dayOfMonth > 28 ? DAY_MS / 24 : DAY_MS);
		}
		const grants = (await ledger.history(ACCOUNT, { limit: 100 })).filter(({ kind }) => kind === "grant");
		expect(grants.map(({ operationId }) => operationId)).toStrictEqual([
			"grant:monthly:2027-01",
			"grant:monthly:2026-12",
			"grant:monthly:2026-11",
		]);
	});

	// An account has at most 48 expiring grants, besides the monthly ones.
	test("are granted even if expiring grants have used all other slots", async () => {
		const { ledger, clock, available } = await setup();
		const expiresAtMs = clock.nowMs() + 300 * DAY_MS;
		for (let n = 0; n < 48; n++) await ledger.grant(ACCOUNT, `grant:${n}`, 1, note, { expiresAtMs });
		expect(await available()).toBe(148);
		await clock.advance(30 * DAY_MS);
		expect(await available()).toBe(148);
	});

	test("keep their amount for the month when the operator changes the setting", async () => {
		const { accounts, open, available } = await setup();
		await accounts.grantMonthlyCredits(GUILD);
		expect(await available(open(500))).toBe(100);
	});
});

describe("a limit that is set during its period", () => {
	async function setupSpending() {
		const { ledger, accounts, ...rest } = await setup();
		let holds = 0;
		/** Runs a task that succeeds, fails ("void"), or ends when the returned function is called ("open"). */
		async function spend(userId: string, credits: number, end: "post" | "void" | "open" = "post") {
			const { limits } = await accounts.planPayment({ ...member, userId }, "image");
			const holdId = `t${++holds}`;
			const spent = { by: `member:${userId}`, reason: "image", mediaType: "image" };
			await ledger.reserve(ACCOUNT, holdId, credits, spent, { limits });
			const ended = { limits: limits.map(({ account }) => account) };
			const post = () => ledger.post(ACCOUNT, holdId, credits, spent, ended);
			if (end === "post") await post();
			if (end === "void") await ledger.void(ACCOUNT, holdId, spent, ended);
			return post;
		}
		const usedCredits = async () => {
			const { serverLimit, memberLimit } = await accounts.readBalance(member);
			return [serverLimit?.usedCredits, memberLimit?.usedCredits];
		};
		return { ...rest, spend, usedCredits };
	}
	const { allowance } = storedSettingsSchema.parse({ allowance: { members: { [member.userId]: 60 } } });

	test("counts the spending in the period, also of a task that ends later, and no failed task", async () => {
		const { change, spend, usedCredits } = await setupSpending();
		await spend("7", 50);
		await spend("8", 9);
		await spend("7", 7, "void");
		const postHold = await spend("7", 1, "open");
		await change({ serverLimit: { credits: 60, per: "month" }, allowance });
		expect(await usedCredits()).toStrictEqual([59, 50]);
		await postHold();
		expect(await usedCredits()).toStrictEqual([60, 51]);
		await expect(spend("7", 1)).rejects.toThrow("exceeds_credits");
	});

	test("does not count the previous period, nor a hold of it that is posted later", async () => {
		const { change, clock, spend, usedCredits } = await setupSpending();
		await spend("7", 40);
		const postHold = await spend("7", 10, "open");
		await clock.advance(DAY_MS);
		await postHold();
		await spend("7", 5);
		await change({ allowance });
		expect(await usedCredits()).toStrictEqual([undefined, 5]);
	});

	test("counts the spending in its new period after a change of the period", async () => {
		const { change, clock, spend, usedCredits } = await setupSpending();
		await change({ serverLimit: { credits: 100, per: "day" } });
		await spend("7", 30);
		await clock.advance(DAY_MS);
		await spend("7", 5);
		expect(await usedCredits()).toStrictEqual([5, undefined]);
		await change({ serverLimit: { credits: 100, per: "month" } });
		expect(await usedCredits()).toStrictEqual([35, undefined]);
	});
});
