import { textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { assert, expect, onTestFinished, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openUserClient, type UserClient } from "@atelier/playground/user-client";
import { serverCreditsLeft, openAtelier, storeOnDisk, channelIdOf } from "./start-atelier.ts";
import { answerTo, finalReply } from "./replies.ts";
import { openDiscord } from "./open-discord.ts";

/** Opens a Discord that sells items, for bots that use one store. */
async function openDiscordWithItems(env: Readonly<Record<string, string>> = {}) {
	const discord = await openDiscord();
	const admin = openAdminClient(discord.origin);
	const [item = assert.fail("no item"), other = assert.fail("no second item")] = (await admin.state()).skus;
	const skuId = item.id;
	const store = await storeOnDisk();
	const shared = { ...discord.env, ...store, TOP_UP_ITEMS: `${skuId}:100,${other.id}:500`, ...env };
	const start = (change: Readonly<Record<string, string>> = {}) => openAtelier({ env: { ...shared, ...change } });
	const userClient = await openUserClient(discord.origin);
	onTestFinished(() => userClient.close());
	const consumed = async (): Promise<readonly boolean[]> =>
		(await admin.state()).entitlements.map((entitlement) => entitlement.consumed === true);
	return { admin, start, userClient, skuId, consumed };
}

const skuIdsOf = ({ components = [] }: Pick<APIMessage, "components">): readonly string[] =>
	[...JSON.stringify(components).matchAll(/"sku_id":"(\d+)"/g)].map(([, id = ""]) => id);

const show = async (userClient: UserClient): Promise<APIMessage> => finalReply(userClient.type("/credits show"));
const redeem = async (userClient: UserClient, message: APIMessage): Promise<string> =>
	textOf(await finalReply(userClient.press(message, { customId: "1:redeem" })));

test("each item bought for the server is granted once, consumed, and announced in the channel of the admins", async () => {
	const { admin, start, userClient, skuId, consumed } = await openDiscordWithItems();
	await start();
	await answerTo(userClient, "/quota server", { warn_channel: await channelIdOf(userClient, "general") });
	await admin.buy({ skuId, isForGuild: true });
	await expect.poll(consumed).toStrictEqual([true]);
	expect(await serverCreditsLeft(userClient)).toBe(600);
	const find = async () => (await userClient.messages()).find((message) => textOf(message).includes("for this server"));
	await expect.poll(find).toMatchObject({
		content: `<@${userClient.me.user.id}> bought 100 credits for this server. It has **600** left.`,
		mentions: [],
	});
	await admin.buy({ skuId, isForGuild: true });
	await expect.poll(consumed).toHaveLength(2);
	await expect.poll(() => serverCreditsLeft(userClient)).toBe(700);
});

test("a member adds a purchase of their own once to the chosen server, by a button that survives a restart", async () => {
	const { admin, start, userClient, skuId, consumed } = await openDiscordWithItems();
	const { atelier } = await start();
	const shown = await show(userClient);
	expect(textOf(shown)).toContain("You can buy these credit packs for this server: 100 credits and 500 credits.");
	expect(skuIdsOf(shown)).toContain(skuId);
	expect(await redeem(userClient, shown)).toContain("You have no purchased credits to add.");
	await admin.buy({ skuId });
	await atelier.stop();
	await start();
	expect(await consumed()).toStrictEqual([false]);
	expect(await redeem(userClient, shown)).toBe(
		"Thank you for adding 100 credits! This server has **600** left, and purchased credits don't expire.",
	);
	expect(await redeem(userClient, shown)).toContain("You have no purchased credits to add.");
	expect(await consumed()).toStrictEqual([true]);
	expect(await serverCreditsLeft(userClient)).toBe(600);
});

test("a denial for lack of the server's credits offers a purchase", async () => {
	const { admin, start, userClient, skuId } = await openDiscordWithItems({ GUILD_CREDITS: "3" });
	await start();
	const denied = await finalReply(userClient.type("/image", { prompt: "a boat" }));
	expect(textOf(denied)).toContain("this server has 3 left");
	expect(skuIdsOf(denied)).toContain(skuId);
	await admin.buy({ skuId, userId: userClient.me.user.id });
	expect(await redeem(userClient, denied)).toContain("has **103** left");
});
