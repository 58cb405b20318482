import { describe, expect, test } from "vitest";
import { memberAuthor } from "../../../src/services/access/change-author.ts";
import { createGuildAccounts } from "../../../src/services/credits/guild-accounts.ts";
import { createGuildSettings } from "../../../src/services/settings/guild-settings.ts";
import type { GuildSettings } from "../../../src/services/settings/settings-schema.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const GUILD = "1";
const member = { guildId: GUILD, userId: "7", roleIds: [] };
const note = { by: "member:7", reason: "test" };
const DAY_MS = 24 * 60 * 60 * 1000;

async function setup(changes: Partial<GuildSettings> = {}, monthlyCredits = 100) {
	const store = await openStore("memory:");
	const clock = createManualClock(Date.UTC(2026, 10, 20, 12));
	const ledger = createLedger({ store, clock });
	const settings = createGuildSettings(store, { clock });
	await settings.change(GUILD, (before) => ({ ...before, ...changes }), memberAuthor("1", "discord"));
	const open = (credits = monthlyCredits) =>
		createGuildAccounts({ store, ledger, settings, clock, monthlyCredits: credits });
	return { store, ledger, clock, settings, open, accounts: open() };
}

describe("a month's credits", () => {
	test("are granted once at the first access, for any number of concurrent accesses", async () => {
		const { accounts, open } = await setup();
		await Promise.all([
			accounts.grantMonthlyCredits(GUILD),
			open().grantMonthlyCredits(GUILD),
			open().grantMonthlyCredits(GUILD),
		]);
		expect((await accounts.readBalance(member)).balance).toMatchObject({ availableCredits: 100 });
	});

	test("are not granted again if the record of the month is lost", async () => {
		const { accounts, store, open } = await setup();
		await accounts.grantMonthlyCredits(GUILD);
		const before = (await store.get(`month:${GUILD}`))?.value;
		await store.delete(`month:${GUILD}`);
		expect((await open().readBalance(member)).balance).toMatchObject({ availableCredits: 100 });
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
		const { accounts, clock, settings, ledger } = await setup({ timeZone: before });
		await accounts.grantMonthlyCredits(GUILD);
		await settings.change(GUILD, (s) => ({ ...s, timeZone: after }), memberAuthor("1", "discord"));
		for (let hours = 0; hours < 24 * 45; hours += 1) {
			const { balance, refillsAtMs } = await accounts.readBalance(member);
			expect(balance.availableCredits).toBe(100);
			expect(refillsAtMs).toBeGreaterThan(clock.nowMs());
			await clock.advance(DAY_MS / 24);
		}
		const grants = (await ledger.history(`guild:${GUILD}`, { limit: 100 })).filter(({ kind }) => kind === "grant");
		expect(grants.map(({ operationId }) => operationId)).toStrictEqual([
			"grant:monthly:2027-01",
			"grant:monthly:2026-12",
			"grant:monthly:2026-11",
		]);
	});

	// An account has at most 48 expiring grants, besides the monthly ones.
	test("are granted even if expiring grants have used all other slots", async () => {
		const { accounts, ledger, clock } = await setup();
		const expiresAtMs = clock.nowMs() + 300 * DAY_MS;
		for (let n = 0; n < 48; n++) await ledger.grant(`guild:${GUILD}`, `grant:${n}`, 1, note, { expiresAtMs });
		expect((await accounts.readBalance(member)).balance.availableCredits).toBe(148);
		await clock.advance(30 * DAY_MS);
		expect((await accounts.readBalance(member)).balance.availableCredits).toBe(148);
	});

	test("keep their amount for the month when the operator changes the setting", async () => {
		const { accounts, open } = await setup();
		await accounts.grantMonthlyCredits(GUILD);
		expect((await open(500).readBalance(member)).balance).toMatchObject({ availableCredits: 100 });
	});
});
