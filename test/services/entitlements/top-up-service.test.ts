import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { guildAccount } from "../../../src/services/credits/guild-accounts.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import type { Purchase, EntitlementClient } from "../../../src/services/entitlements/entitlement-client.ts";
import { createTopUpService, type TopUpGrant } from "../../../src/services/entitlements/top-up-service.ts";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const [SMALL, LARGE, UNKNOWN] = ["201", "202", "203"];
const [HOME, ELSEWHERE] = ["10", "11"];
const BUYER = "7";
const MINUTE_MS = 60_000;

/** Entitlements at Discord, and processes on one store. */
function setup() {
	const storage = createMemoryAdapter();
	const clock = createManualClock();
	const purchases = new Map<string, Purchase>();
	const consumed: string[] = [];
	const notified: TopUpGrant[] = [];
	const lines: string[] = [];
	const logger = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
	const discord = { sold: [SMALL, LARGE], beforeConsume: async () => {}, beforeList: async () => {} };
	const entitlements: EntitlementClient = {
		async consumableIds() {
			await discord.beforeList();
			return new Set(discord.sold);
		},
		async *openPurchases(skuIds) {
			await discord.beforeList();
			for (const each of purchases.values()) {
				if (skuIds.includes(each.skuId) && !each.isConsumed && !each.isDeleted) yield each;
			}
		},
		async consume(id) {
			await discord.beforeConsume();
			const purchase = purchases.get(id);
			if (!purchase || purchase.isConsumed || purchase.isDeleted) return;
			purchases.set(id, { ...purchase, isConsumed: true });
			consumed.push(id);
		},
	};
	/** Buys the small item for the server HOME. */
	function buy(id: string, change: Partial<Purchase> = {}): Purchase {
		const purchase = { id, skuId: SMALL, userId: BUYER, guildId: HOME, isConsumed: false, isDeleted: false, ...change };
		purchases.set(id, purchase);
		return purchase;
	}
	const notify = async (granted: TopUpGrant) => void notified.push(granted);
	function boot({ store = createKeyvStore(storage), smallCredits = 100 } = {}) {
		const items = [
			{ skuId: SMALL, credits: smallCredits },
			{ skuId: LARGE, credits: 500 },
		];
		const ledger = createLedger({ store, clock });
		const service = createTopUpService({ items, entitlements, store, ledger, notify, clock, logger });
		onTestFinished(() => service.stop());
		const redeem = (guildId: string, userId = BUYER, entitlementsHeld = [...purchases.values()]) =>
			service.redeem({ guildId, userId }, entitlementsHeld, logger);
		return { ...service, redeem };
	}
	const ledgerNow = createLedger({ store: createKeyvStore(storage), clock });
	const creditsOf = async (guildId: string) => (await ledgerNow.balance(guildAccount(guildId))).postedCredits;
	const historyOf = (guildId: string) => ledgerNow.history(guildAccount(guildId), { limit: 10 });
	const crashing = () => createCrashingStore(createKeyvStore(storage));
	return { boot, buy, purchases, consumed, notified, lines, discord, clock, crashing, creditsOf, historyOf };
}

test.each([false, true])(
	"a purchase for a server is credited once after a crash at any write (last written: %s)",
	async (lastIsWritten) => {
		let writes = 0;
		for (let isCrashed = true; isCrashed; writes++) {
			const { boot, buy, consumed, crashing, creditsOf, purchases } = setup();
			buy("1");
			const store = crashing();
			store.arm(writes, { lastIsWritten });
			await boot({ store }).reconcile();
			isCrashed = store.hasCrashed;
			// The operator changes the credits of the item before the next process: a granted purchase keeps the earlier ones.
			const isGranted = writes > 0 || lastIsWritten;
			await boot({ smallCredits: isGranted ? 777 : 100 }).reconcile();
			expect(await creditsOf(HOME)).toBe(100);
			expect(consumed).toStrictEqual(["1"]);
			expect(purchases.get("1")?.isConsumed).toBe(true);
		}
		expect(writes).toBe(2);
	},
);

test("a purchase that cannot be listed or consumed yet is credited and consumed once when Discord responds", async () => {
	const { boot, buy, consumed, discord, clock, creditsOf, notified } = setup();
	const service = boot();
	buy("1");
	discord.beforeList = () => Promise.reject(new Error("Discord is unavailable"));
	discord.beforeConsume = discord.beforeList;
	await service.reconcile();
	service.start();
	discord.beforeList = async () => {};
	await clock.advance(6 * MINUTE_MS);
	expect([await creditsOf(HOME), consumed]).toStrictEqual([100, []]);
	discord.beforeConsume = async () => {};
	await clock.advance(6 * MINUTE_MS);
	expect([await creditsOf(HOME), consumed, notified.length]).toStrictEqual([100, ["1"], 1]);
});

describe("a purchase by a member", () => {
	test("is credited to the server where the buyer presses the button, once", async () => {
		const { boot, buy, consumed, creditsOf, historyOf, lines, notified, purchases } = setup();
		const service = boot();
		buy("1", { guildId: null });
		await service.reconcile();
		expect(consumed).toStrictEqual([]);
		expect(lines.join("")).toContain("top-up waits for its buyer");
		const entitlementsHeld = [...purchases.values()];
		const balance = { availableCredits: 100 };
		expect(await service.redeem(HOME)).toMatchObject({ credits: 100, balance });
		// Pressed again with entitlements from before the consumption: here, as after a lost response, and in another guild and process.
		expect(await service.redeem(HOME, BUYER, entitlementsHeld)).toMatchObject({ credits: 0, balance });
		expect(await boot().redeem(ELSEWHERE, BUYER, entitlementsHeld)).toBeUndefined();
		expect(notified).toHaveLength(1);
		expect(await historyOf(HOME)).toMatchObject([{ amountCredits: 100, by: "member:7" }]);
		expect([await creditsOf(ELSEWHERE), consumed]).toStrictEqual([0, ["1"]]);
	});

	test("is credited although the items on sale could not be read at the start", async () => {
		const { boot, buy, creditsOf, discord, lines } = setup();
		const service = boot();
		buy("1", { guildId: null });
		discord.beforeList = () => Promise.reject(new Error("Discord is unavailable"));
		await service.reconcile();
		await expect(service.redeem(HOME)).rejects.toThrow("Discord is unavailable");
		discord.beforeList = async () => {};
		expect(await service.redeem(HOME)).toMatchObject({ credits: 100 });
		expect(await service.redeem(HOME)).toBeUndefined();
		expect(await creditsOf(HOME)).toBe(100);
		expect(lines.filter((line) => line.includes("top-up redeemed"))).toHaveLength(1);
	});

	test("belongs to one guild, for any concurrent presses in any guilds", async () => {
		const { boot, buy, consumed, creditsOf, notified } = setup();
		const services = [boot(), boot()] as const;
		await Promise.all(services.map((service) => service.reconcile()));
		buy("1", { guildId: null });
		const redeemed = await Promise.all(
			services.flatMap((service) => [service.redeem(HOME), service.redeem(ELSEWHERE), service.redeem(HOME)]),
		);
		const isHome = (await creditsOf(HOME)) === 100;
		expect(redeemed.map((each) => each !== undefined)).toStrictEqual(services.flatMap(() => [isHome, !isHome, isHome]));
		expect(redeemed.filter((each) => each && each.credits > 0)).toMatchObject([{ credits: 100 }]);
		expect((await creditsOf(HOME)) + (await creditsOf(ELSEWHERE))).toBe(100);
		expect(notified).toHaveLength(1);
		expect(consumed).toStrictEqual(["1"]);
	});

	test("that was granted before a crash is consumed at the next start, and granted to no other server", async () => {
		const { boot, buy, crashing, creditsOf, consumed } = setup();
		const store = crashing();
		const first = boot({ store });
		await first.reconcile();
		buy("1", { guildId: null });
		store.arm(0, { lastIsWritten: true });
		await expect(first.redeem(HOME)).rejects.toThrow("the process crashes");
		const second = boot();
		await second.reconcile();
		expect(await second.redeem(ELSEWHERE)).toBeUndefined();
		expect([await creditsOf(HOME), await creditsOf(ELSEWHERE), consumed]).toStrictEqual([100, 0, ["1"]]);
	});

	test("can be redeemed by its buyer only", async () => {
		const { boot, buy, creditsOf } = setup();
		const service = boot();
		await service.reconcile();
		buy("1", { guildId: null });
		buy("2", { guildId: ELSEWHERE });
		expect(await service.redeem(HOME, "8")).toBeUndefined();
		expect([await creditsOf(HOME), await creditsOf(ELSEWHERE)]).toStrictEqual([0, 0]);
	});
});

test("an item that is not configured or not consumable is left unchanged, and logged", async () => {
	const { boot, buy, clock, consumed, discord, creditsOf, lines } = setup();
	discord.sold = [SMALL];
	const service = boot();
	await service.reconcile();
	expect(service.offered()).toStrictEqual([{ skuId: SMALL, credits: 100 }]);
	service.onPurchase(buy("1", { skuId: UNKNOWN }));
	service.onPurchase(buy("2", { skuId: LARGE }));
	expect(await service.redeem(HOME)).toBeUndefined();
	await clock.advance(0);
	expect([await creditsOf(HOME), consumed]).toStrictEqual([0, []]);
	expect(lines.join("")).toMatch(/"skuId":"203","msg":"purchase ignored: not in TOP_UP_ITEMS"/);
	expect(lines.join("")).toContain("TOP_UP_ITEMS names unknown consumables");
});

test("a refunded purchase is not credited; earlier credits stay, and the operator is informed", async () => {
	const { boot, buy, clock, purchases, creditsOf, lines } = setup();
	const service = boot();
	await service.reconcile();
	const refund = async (purchase: Purchase) => {
		purchases.delete(purchase.id);
		service.onRefund({ ...purchase, isDeleted: true });
		await clock.advance(0);
		return lines.at(-1);
	};
	service.onPurchase({ ...buy("1"), isDeleted: true });
	purchases.clear();
	const granted = buy("2");
	await service.reconcile();
	const OF_HOME = '"guildId":"10","credits":100,"msg":"purchase refunded: its credits';
	expect(await refund(granted)).toMatch(new RegExp(`"entitlementId":"2".*${OF_HOME} stay`));
	expect(await creditsOf(HOME)).toBe(100);
	expect(await refund(buy("3"))).toMatch(
		/"entitlementId":"3","skuId":"201","msg":"purchase refunded before its credits were granted/,
	);
});
