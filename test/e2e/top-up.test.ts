import type { APIMessage } from "discord-api-types/v10";
import { createLogger } from "@atelier/common/logger";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { createApp } from "../../src/app/create-app.ts";
import type { App } from "../../src/app/app.ts";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openUserClient, type UserClient } from "@atelier/playground/user-client";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { creditsLeft, newFolder, openAtelier } from "./start-atelier.ts";
import { openDiscord } from "./discord.ts";
import { answerTo } from "./server.ts";

const REDEEM = { customId: "1:redeem" };

/** A Discord that sells something, and a bot that may be stopped and started over one store. */
async function openShop(env: Readonly<Record<string, string>> = {}) {
	const discord = await openDiscord();
	const adminClient = openAdminClient(discord.origin);
	const [item, other] = (await adminClient.state()).skus;
	const skuId = item?.id ?? "none";
	const folder = await newFolder();
	const variables = {
		...discord.env,
		PORT: "0",
		DATA_DIR: folder,
		STORE_URL: `sqlite:${folder}/atelier.db`,
		TOP_UP_ITEMS: `${skuId}:100,${other?.id}:500`,
		...env,
	};
	const lines: string[] = [];
	const logger = createLogger({
		level: "info",
		pretty: false,
		destination: { write: (line) => void lines.push(line) },
	});
	const start = async (change: Readonly<Record<string, string>> = {}): Promise<App> => {
		const atelier = await createApp(loadConfig({ ...variables, ...change }), logger, {
			engines: [createFakeEngine()],
		});
		onTestFinished(() => atelier.stop());
		return atelier;
	};
	const userClient = await openUserClient(discord.origin);
	onTestFinished(() => userClient.close());
	const bought = async () =>
		(await adminClient.state()).entitlements.map(({ consumed, deleted }) => ({ consumed, deleted }));
	return { discord, adminClient, start, userClient, skuId, bought, logs: (): string => lines.join("") };
}

const skuIdsOf = ({ components = [] }: Pick<APIMessage, "components">): readonly string[] =>
	[...JSON.stringify(components).matchAll(/"sku_id":"(\d+)"/g)].map(([, id]) => id ?? "");

const show = async (userClient: UserClient): Promise<APIMessage> =>
	(await userClient.type("/credits show")).until(isFinalReply);

test("an item bought for the server is granted once and consumed, and can be bought again", async () => {
	const { adminClient, start, userClient, skuId, bought } = await openShop();
	await start();
	await adminClient.buy(skuId, undefined, { isForGuild: true });
	await expect.poll(bought).toStrictEqual([{ consumed: true, deleted: false }]);
	expect(await creditsLeft(userClient)).toBe(600);
	await adminClient.buy(skuId, undefined, { isForGuild: true });
	await expect.poll(bought).toHaveLength(2);
	await expect.poll(() => creditsLeft(userClient)).toBe(700);
});

test("a purchase without a running bot is found at the start, and a restart adds none", async () => {
	const { adminClient, start, userClient, skuId, bought } = await openShop();
	await adminClient.buy(skuId, undefined, { isForGuild: true });
	const first = await start();
	expect(await bought()).toStrictEqual([{ consumed: true, deleted: false }]);
	expect(await creditsLeft(userClient)).toBe(600);
	await first.stop();
	await start();
	expect(await creditsLeft(userClient)).toBe(600);
});

test("an item that Discord did not let the bot consume is granted once, and consumed after a restart", async () => {
	const { discord, adminClient, start, userClient, skuId, bought } = await openShop();
	discord.answer(/^POST .*\/consume/, 500, { code: 0, message: "not now" });
	const first = await start();
	await adminClient.buy(skuId, undefined, { isForGuild: true });
	await expect.poll(() => creditsLeft(userClient)).toBe(600);
	await first.stop();
	expect(await bought()).toStrictEqual([{ consumed: false, deleted: false }]);
	discord.answer(/^never$/, 500, {});
	await start();
	expect(await bought()).toStrictEqual([{ consumed: true, deleted: false }]);
	expect(await creditsLeft(userClient)).toBe(600);
});

test("a purchase is added once to the chosen server, by a button that survives a restart", async () => {
	const { adminClient, start, userClient, skuId, bought } = await openShop();
	const first = await start();
	const shown = await show(userClient);
	expect(shown.content).toContain("More can be bought for this server: 100 credits · 500 credits.");
	expect(skuIdsOf(shown)).toContain(skuId);
	expect((await (await userClient.press(shown, REDEEM)).until(isFinalReply)).content).toContain(
		"Nothing that you bought",
	);
	await adminClient.buy(skuId);
	await first.stop();
	await start();
	expect(await bought()).toStrictEqual([{ consumed: false, deleted: false }]);
	expect((await (await userClient.press(shown, REDEEM)).until(isFinalReply)).content).toBe(
		"Thank you: 100 credits added. This server has **600** left; what was bought does not expire.",
	);
	expect((await (await userClient.press(shown, REDEEM)).until(isFinalReply)).content).toContain(
		"Nothing that you bought",
	);
	expect(await bought()).toStrictEqual([{ consumed: true, deleted: false }]);
	expect(await creditsLeft(userClient)).toBe(600);
});

test("two processes that find one purchase at their start grant it once", async () => {
	// Two studios would not share a store.
	const elsewhere = { MEDIA_API_URL: "http://127.0.0.1:9", MEDIA_API_KEY: "nobody's" };
	const { adminClient, start, userClient, skuId, bought, logs } = await openShop(elsewhere);
	await adminClient.buy(skuId, undefined, { isForGuild: true });
	await Promise.all(["0", "1,2"].map((shards) => start({ SHARDS: shards, SHARD_COUNT: "3" })));
	await expect.poll(bought).toStrictEqual([{ consumed: true, deleted: false }]);
	expect(logs().match(/"msg":"top-up granted"/g)).toHaveLength(1);
	expect(await creditsLeft(userClient)).toBe(600);
});

test("a refund takes no credits back, and is reported to the operator with the granted amount", async () => {
	const { adminClient, start, userClient, skuId, bought, logs } = await openShop();
	await start();
	const { entitlements } = await adminClient.buy(skuId, undefined, { isForGuild: true });
	await expect.poll(bought).toStrictEqual([{ consumed: true, deleted: false }]);
	await adminClient.refund(entitlements[0]?.id ?? "none");
	await expect.poll(logs).toMatch(/"credits":100,"msg":"purchase refunded/);
	expect(await creditsLeft(userClient)).toBe(600);
});

test("a denial for lack of server credits offers a purchase to the member", async () => {
	const { adminClient, start, userClient, skuId } = await openShop({ GUILD_CREDITS: "3" });
	await start();
	const refused = await (await userClient.type("/image", { prompt: "a boat" })).until(isFinalReply);
	expect(refused.content).toContain("this server has 3 left");
	expect(skuIdsOf(refused)).toContain(skuId);

	expect((await (await userClient.press(refused, REDEEM)).until(isFinalReply)).content).toContain(
		"Nothing that you bought",
	);
	await adminClient.buy(skuId, userClient.me.user.id);
	expect((await (await userClient.press(refused, REDEEM)).until(isFinalReply)).content).toContain("has **103** left");
});

test("no purchase is offered without configuration, or if Discord does not sell the item", async () => {
	const { userClient } = await openAtelier({ env: { GUILD_CREDITS: "3" } });
	expect(await show(userClient)).toMatchObject({ components: [] });
	const refused = await (await userClient.type("/image", { prompt: "a boat" })).until(isFinalReply);
	expect(skuIdsOf(refused)).toStrictEqual([]);
	const elsewhere = await openShop({ TOP_UP_ITEMS: "1234567890123456789:100" });
	await elsewhere.start();
	expect(await show(elsewhere.userClient)).toMatchObject({ components: [] });
});

test("an admins' channel is notified of a top-up without pings", async () => {
	const { adminClient, start, userClient, skuId } = await openShop();
	await start();
	const { channels } = await userClient.state();
	const general = channels.find(({ name }) => name === "general")?.id ?? "none";
	await answerTo(userClient, "/quota server", { warn_channel: general });
	await adminClient.buy(skuId, undefined, { isForGuild: true });
	const said = async () => (await userClient.messages()).find(({ content }) => content.includes("bought this server"));
	await expect.poll(said).toMatchObject({
		content: `<@${userClient.me.user.id}> bought this server 100 credits. It has **600** left.`,
		mentions: [],
	});
});
