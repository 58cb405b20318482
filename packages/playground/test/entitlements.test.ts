import { describe, expect, test } from "vitest";
import { deferred, openPlayground, refusal } from "../testing/setup.ts";

async function openShop() {
	const playground = await openPlayground();
	const { admin } = playground;
	const bot = await playground.bot();
	const { skus } = await admin.state();
	const path = `/applications/${playground.applicationId}/entitlements`;
	const list = async (query = ""): Promise<readonly { readonly id: string }[]> =>
		(await playground.rest("GET", `${path}${query}`)).body as { id: string }[];
	return { playground, admin, bot, path, list, skuId: skus[0]?.id ?? "none", otherId: skus[1]?.id ?? "none" };
}

describe("the entitlements of a user", () => {
	test("are sent by the gateway, listed by REST, and part of interactions until they are consumed", async () => {
		const { playground, admin, bot, path, list, skuId } = await openShop();
		await admin.buy({ skuId });
		const { d } = await bot.gateway.until(({ t }) => t === "ENTITLEMENT_CREATE");
		const { me } = await (await playground.user()).state();
		expect(d).toMatchObject({ sku_id: skuId, user_id: me.user.id, type: 1, consumed: false, deleted: false });
		expect(await list()).toStrictEqual([d]);
		const before = await deferred({ playground });
		expect(before.interaction.payload["entitlements"]).toStrictEqual([d]);

		expect((await playground.rest("POST", `${path}/${String(d["id"])}/consume`)).status).toBe(204);
		expect(await list()).toMatchObject([{ consumed: true }]);
		expect(await list("?exclude_ended=true")).toStrictEqual([]);
		expect((await deferred({ playground })).interaction.payload["entitlements"]).toStrictEqual([]);
	});

	test("cannot be bought again before they are consumed", async () => {
		const { playground, admin, path, list, skuId, otherId } = await openShop();
		await admin.buy({ skuId });
		await expect(admin.buy({ skuId })).rejects.toThrow("has not consumed");
		await admin.buy({ skuId: otherId });
		const [first] = await list();
		await playground.rest("POST", `${path}/${first?.id}/consume`);
		await admin.buy({ skuId });
		expect(await list()).toHaveLength(3);
	});

	test("are revoked by a refund", async () => {
		const { playground, admin, bot, path, list, skuId } = await openShop();
		const { entitlements } = await admin.buy({ skuId });
		const id = entitlements[0]?.id ?? "none";
		await admin.refund({ entitlementId: id });
		await bot.gateway.until(({ t, d }) => t === "ENTITLEMENT_DELETE" && d["id"] === id);
		expect([await list(), await list("?exclude_deleted=false")]).toMatchObject([[], [{ id, deleted: true }]]);
		expect(await playground.rest("POST", `${path}/${id}/consume`)).toMatchObject(refusal(404, 10029));
	});

	test("are filtered by user, SKU and page", async () => {
		const { playground, admin, list, skuId, otherId } = await openShop();
		const { members } = await (await playground.user()).state();
		const ada = members[1]?.user.id ?? "none";
		await admin.buy({ skuId });
		await admin.buy({ skuId: otherId });
		await admin.buy({ skuId, userId: ada });
		const [mine, other, hers] = (await list()).map(({ id }) => id);
		const ids = async (query: string): Promise<readonly string[]> => (await list(query)).map(({ id }) => id);
		expect(await ids(`?user_id=${ada}`)).toStrictEqual([hers]);
		expect(await ids(`?sku_ids=${skuId}`)).toStrictEqual([mine, hers]);
		expect(await ids(`?after=${mine}&limit=1`)).toStrictEqual([other]);
		expect(await ids(`?before=${hers}&limit=1`)).toStrictEqual([other]);
	});
});

test("a server and its buyer each have entitlements of their own", async () => {
	const { playground, admin, path, list, skuId } = await openShop();
	const { me, guild } = await (await playground.user()).state();
	await admin.buy({ skuId, isForGuild: true });
	const create = (owner_id: string, owner_type: number) =>
		playground.rest("POST", path, { sku_id: skuId, owner_id, owner_type });
	const own = await create(me.user.id, 2);
	expect(own).toMatchObject({ status: 200, body: { type: 4, user_id: me.user.id } });
	expect(own.body).not.toHaveProperty("guild_id");
	expect(await create(guild.id, 1)).toMatchObject({ status: 200, body: { type: 1, guild_id: guild.id } });
	expect(await list()).toHaveLength(2);
});

test("a bot can create a test entitlement and delete it", async () => {
	const { playground, bot, path, list, skuId } = await openShop();
	const { me } = await (await playground.user()).state();
	const given = await playground.rest("POST", path, { sku_id: skuId, owner_id: me.user.id, owner_type: 2 });
	expect(given).toMatchObject({ status: 200, body: { sku_id: skuId, type: 4 } });
	const { d } = await bot.gateway.until(({ t }) => t === "ENTITLEMENT_CREATE");
	expect((await playground.rest("GET", `${path}/${String(d["id"])}`)).body).toStrictEqual(d);
	expect((await playground.rest("DELETE", `${path}/${String(d["id"])}`)).status).toBe(204);
	expect(await list()).toStrictEqual([]);
	expect(await playground.rest("POST", path, { sku_id: "1", owner_id: me.user.id, owner_type: 2 })).toMatchObject(
		refusal(404, 10027),
	);
});
