import { DiscordAPIError, Routes, SKUType, type APIEntitlement, type Client } from "discord.js";
import { describe, expect, test } from "vitest";
import { createEntitlementClient } from "../../src/discord/entitlements.ts";

const APPLICATION = "1";
const signal = new AbortController().signal;

const rejection = (status: number): DiscordAPIError =>
	new DiscordAPIError({ message: "no", code: 0 }, 0, status, "POST", "https://discord.test", {});

/**
 * A client with this many purchases, the fourth of them consumed; `answers` replace the responses to consuming and reading
 * one.
 */
function setup({
	purchases = 0,
	answers = {},
}: { purchases?: number; answers?: { post?: Error; get?: unknown } } = {}) {
	const all = Array.from({ length: purchases }, (_, n) => ({
		id: String(9990 + n),
		sku_id: "5",
		user_id: "7",
		deleted: false,
		consumed: n === 3,
	}));
	const queries: string[] = [];
	const rest = {
		async get(route: string, { query }: { query?: URLSearchParams }): Promise<unknown> {
			if (route === Routes.skus(APPLICATION)) {
				return [
					{ id: "5", type: SKUType.Consumable },
					{ id: "6", type: SKUType.Durable },
				];
			}
			if (!query) {
				if (answers.get instanceof Error) throw answers.get;
				return answers.get;
			}
			queries.push(query.toString());
			const after = BigInt(query.get("after") ?? 0);
			// Discord does not specify the order of a page.
			return all
				.filter(({ id }) => BigInt(id) > after)
				.slice(0, 100)
				.toReversed();
		},
		async post(): Promise<void> {
			if (answers.post) throw answers.post;
		},
	};
	const client = { application: { id: APPLICATION }, rest } as unknown as Client;
	return { client: createEntitlementClient({ client }), queries };
}

test("every page of entitlements is read, oldest first, without consumed ones", async () => {
	const { client, queries } = setup({ purchases: 205 });
	const entitlements = await Array.fromAsync(client.openPurchases(["5"], signal));
	const expected = Array.from({ length: 205 }, (_, n) => String(9990 + n)).filter((id) => id !== "9993");
	expect(entitlements.map(({ id }) => id)).toStrictEqual(expected);
	expect(entitlements[0]).toStrictEqual({
		id: "9990",
		skuId: "5",
		userId: "7",
		guildId: null,
		isConsumed: false,
		isDeleted: false,
	});
	expect(queries.map((query) => new URLSearchParams(query).get("after"))).toStrictEqual(["0", "10089", "10189"]);
	expect(queries[0]).toContain("sku_ids=5&exclude_ended=true&exclude_deleted=true&limit=100");
});

describe("consuming an entitlement", () => {
	const held: Partial<APIEntitlement> = { consumed: false, deleted: false };
	test.each<[string, { post?: Error; get?: unknown }]>([
		["succeeds", {}],
		["succeeds for a consumed entitlement", { post: rejection(400), get: { ...held, consumed: true } }],
		["succeeds for a refunded entitlement", { post: rejection(404), get: { ...held, deleted: true } }],
		["succeeds for an entitlement that no longer exists", { post: rejection(404), get: rejection(404) }],
	])("%s", async (_what, answers) => {
		await expect(setup({ answers }).client.consume("9990", signal)).resolves.toBeUndefined();
	});

	test.each<[string, { post: Error; get?: unknown }]>([
		["that is rejected while the purchase exists", { post: rejection(400), get: held }],
		["without a response", { post: rejection(500) }],
		["with an unknown outcome", { post: rejection(404), get: rejection(503) }],
	])("fails for a request %s", async (_what, answers) => {
		await expect(setup({ answers }).client.consume("9990", signal)).rejects.toThrow(DiscordAPIError);
	});
});
