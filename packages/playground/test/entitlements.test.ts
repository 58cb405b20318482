import { describe, expect, test } from "vitest";
import { deferred, openPlayground, refusal } from "../testing/setup.ts";

async function openShop() {
	const playground = await openPlayground();
	const { rest, applicationId, admin } = playground;
	const { event } = await playground.bot();
	const [boat, ship] = (await admin.state()).skus.map(({ id }) => id);
	const path = `/applications/${applicationId}/entitlements`;
	return {
		...playground,
		playground,
		event,
		path,
		list: async (query = "") => (await rest("GET", `${path}${query}`)).body as readonly { readonly id: string }[],
		/** Creates a test entitlement. */
		give: (owner: object) => rest("POST", path, { sku_id: boat, ...owner }),
		consume: (id: unknown) => rest("POST", `${path}/${String(id)}/consume`),
		skuId: boat ?? "none",
		otherId: ship ?? "none",
	};
}

describe("the entitlements of a user", () => {
	test("are sent by the gateway, listed by REST, and part of interactions until they are consumed", async () => {
		const { playground, admin, event, list, consume, skuId, userId } = await openShop();
		const ofInteraction = async () => (await deferred({ playground })).interaction.payload["entitlements"];
		await admin.buy({ skuId });
		const bought = await event("ENTITLEMENT_CREATE");
		const fields = { sku_id: skuId, user_id: userId("robin"), type: 1, consumed: false, deleted: false };
		expect(bought).toMatchObject(fields);
		expect(await list()).toStrictEqual([bought]);
		expect(await ofInteraction()).toStrictEqual([bought]);

		expect((await consume(bought["id"])).status).toBe(204);
		expect(await list()).toMatchObject([{ consumed: true }]);
		expect(await list("?exclude_ended=true")).toStrictEqual([]);
		expect(await ofInteraction()).toStrictEqual([]);
	});

	test("cannot be bought again before they are consumed", async () => {
		const { admin, list, consume, skuId, otherId } = await openShop();
		await admin.buy({ skuId });
		await expect(admin.buy({ skuId })).rejects.toThrow("has not consumed");
		await admin.buy({ skuId: otherId });
		await consume((await list())[0]?.id);
		await admin.buy({ skuId });
		expect(await list()).toHaveLength(3);
	});

	test("are revoked by a refund", async () => {
		const { admin, event, list, consume, skuId } = await openShop();
		const { entitlements } = await admin.buy({ skuId });
		const id = entitlements[0]?.id ?? "none";
		await admin.refund({ entitlementId: id });
		await event("ENTITLEMENT_DELETE", id);
		expect([await list(), await list("?exclude_deleted=false")]).toMatchObject([[], [{ id, deleted: true }]]);
		expect(await consume(id)).toMatchObject(refusal(404, 10029));
	});

	test("are filtered by user, SKU and page", async () => {
		const { admin, list, skuId, otherId, userId } = await openShop();
		const ada = userId("ada");
		for (const purchase of [{ skuId }, { skuId: otherId }, { skuId, userId: ada }]) await admin.buy(purchase);
		const [mine, other, hers] = (await list()).map(({ id }) => id);
		for (const [query, found] of [
			[`user_id=${ada}`, [hers]],
			[`sku_ids=${skuId}`, [mine, hers]],
			[`after=${mine}&limit=1`, [other]],
			[`before=${hers}&limit=1`, [other]],
		] as const)
			expect((await list(`?${query}`)).map(({ id }) => id)).toStrictEqual(found);
	});
});

test("a server and its buyer each have entitlements of their own", async () => {
	const { playground, admin, give, list, skuId, otherId, guild, userId } = await openShop();
	await admin.buy({ skuId, isForGuild: true });
	const own = await give({ owner_id: userId("robin"), owner_type: 2 });
	expect(own).toMatchObject({ status: 200, body: { type: 4, user_id: userId("robin") } });
	expect(own.body).not.toHaveProperty("guild_id");
	const ofGuild = await give({ owner_id: guild.id, owner_type: 1 });
	expect(ofGuild).toMatchObject({ status: 200, body: { type: 1, guild_id: guild.id } });
	expect(await list()).toHaveLength(2);
	// Interactions of each member have the entitlements of the server.
	await admin.buy({ skuId: otherId, isForGuild: true, userId: userId("ada") });
	expect((await deferred({ playground })).interaction.payload["entitlements"]).toHaveLength(3);
});

test("a bot can create a test entitlement and delete it", async () => {
	const { rest, event, path, give, list, skuId, userId } = await openShop();
	const owner = { owner_id: userId("robin"), owner_type: 2 };
	expect(await give(owner)).toMatchObject({ status: 200, body: { sku_id: skuId, type: 4 } });
	const given = await event("ENTITLEMENT_CREATE");
	const own = `${path}/${String(given["id"])}`;
	expect((await rest("GET", own)).body).toStrictEqual(given);
	expect((await rest("DELETE", own)).status).toBe(204);
	expect(await list()).toStrictEqual([]);
	expect(await give({ ...owner, sku_id: "1" })).toMatchObject(refusal(404, 10027));
});
