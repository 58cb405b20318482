import { DiscordAPIError, Routes, SKUType, type Client } from "discord.js";
import { expect, test } from "vitest";
import { createEntitlementClient } from "../../src/discord/entitlements.ts";

const APPLICATION = "1";
const { signal } = new AbortController();

const rejection = (status: number): DiscordAPIError =>
	new DiscordAPIError({ message: "no", code: 0 }, 0, status, "POST", "https://discord.test", {});

/** A client of a Discord with these responses. */
function clientOf(rest: object) {
	return createEntitlementClient({ client: { application: { id: APPLICATION }, rest } as unknown as Client });
}

test("every page of entitlements is read, oldest first, without consumed ones", async () => {
	const all = Array.from({ length: 205 }, (_, n) => ({
		id: String(9990 + n),
		sku_id: "5",
		user_id: "7",
		deleted: false,
		consumed: n === 3,
	}));
	const queries: URLSearchParams[] = [];
	const client = clientOf({
		async get(_route: string, { query }: { query: URLSearchParams }) {
			queries.push(query);
			const after = BigInt(query.get("after") ?? 0);
			// Discord does not specify the order of a page.
			return all
				.filter(({ id }) => BigInt(id) > after)
				.slice(0, 100)
				.toReversed();
		},
	});
	const entitlements = await Array.fromAsync(client.openPurchases(["5"], signal));
	const expected = all.filter(({ consumed }) => !consumed).map(({ id }) => id);
	expect(entitlements.map(({ id }) => id)).toStrictEqual(expected);
	const state = { isConsumed: false, isDeleted: false };
	expect(entitlements[0]).toStrictEqual({ id: "9990", skuId: "5", userId: "7", guildId: null, ...state });
	expect(queries.map((query) => query.get("after"))).toStrictEqual(["0", "10089", "10189"]);
	expect(String(queries[0])).toContain("sku_ids=5&exclude_ended=true&exclude_deleted=true&limit=100");
});

test("only consumable items are offered", async () => {
	const skus = [
		{ id: "5", type: SKUType.Consumable },
		{ id: "6", type: SKUType.Durable },
	];
	const client = clientOf({ get: async (route: string) => (route === Routes.skus(APPLICATION) ? skus : []) });
	expect(await client.consumableIds(signal)).toStrictEqual(new Set(["5"]));
});

const answer = (response: unknown) => async () => {
	if (response instanceof Error) throw response;
	return response;
};
const held = { consumed: false, deleted: false };

test.each<[string, { post?: Error; get?: unknown }, boolean]>([
	["succeeds", {}, true],
	["succeeds for a consumed entitlement", { post: rejection(400), get: { ...held, consumed: true } }, true],
	["succeeds for a refunded entitlement", { post: rejection(404), get: { ...held, deleted: true } }, true],
	["succeeds for an entitlement that no longer exists", { post: rejection(404), get: rejection(404) }, true],
	["fails if it is rejected while the purchase exists", { post: rejection(400), get: held }, false],
	["fails without a response", { post: rejection(500) }, false],
	["fails with an unknown outcome", { post: rejection(404), get: rejection(503) }, false],
])("consuming an entitlement %s", async (_what, { post, get }, succeeds) => {
	const consumed = clientOf({ post: answer(post), get: answer(get) }).consume("9990", signal);
	const outcome = await consumed.then(
		() => true,
		(error: unknown) => (error instanceof DiscordAPIError ? false : error),
	);
	expect(outcome).toBe(succeeds);
});
