/** Custom emoji of a guild: REST, events, reactions, and the page. */
import { type APIEmoji, GatewayIntentBits, PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { GIF_DATA, PNG_DATA } from "../testing/images.ts";
import { invalidFormBody, openPlayground, refusal } from "../testing/setup.ts";

async function withEmoji(intents = 0) {
	const playground = await openPlayground();
	const { rest, admin } = playground;
	await admin.setBotPermissions(PermissionFlagsBits.CreateGuildExpressions);
	const ada = await playground.userNamed("ada");
	const { guild } = await ada.state();
	const bot = await playground.bot({ intents });
	const emojis = `/guilds/${guild.id}/emojis`;
	const created = await rest("POST", emojis, { name: "boat", image: PNG_DATA });
	return { ...playground, bot, ada, guild, emojis, created, emoji: created.body as APIEmoji };
}

describe("the bot", () => {
	test("creates, lists, renames and deletes emoji, and receives an event for each change", async () => {
		const { rest, emojis, emoji, created, bot, guild } = await withEmoji(GatewayIntentBits.GuildExpressions);
		expect(created).toMatchObject({ status: 201, body: { name: "boat", animated: false, user: { bot: true } } });
		expect(await rest("GET", emojis)).toMatchObject({ body: [{ id: emoji.id }] });
		expect(await rest("GET", `/guilds/${guild.id}`)).toMatchObject({ body: { emojis: [{ id: emoji.id }] } });
		const path = `${emojis}/${emoji.id}`;
		expect(await rest("PATCH", path, { name: "ship" })).toMatchObject({ status: 200, body: { name: "ship" } });
		expect(await rest("GET", path)).toMatchObject({ body: { name: "ship" } });
		expect(await rest("DELETE", path)).toMatchObject({ status: 204 });
		expect(await rest("GET", path)).toMatchObject(refusal(404, 10014));
		const updates = () => bot.gateway.received.filter(({ t }) => t === "GUILD_EMOJIS_UPDATE").map(({ d }) => d);
		await expect.poll(() => updates().length).toBe(3);
		expect(updates()).toMatchObject([
			{ guild_id: guild.id, emojis: [{ name: "boat" }] },
			{ emojis: [{ name: "ship" }] },
			{ emojis: [] },
		]);
	});

	test("needs the permission to create expressions, a valid name, and an image of an allowed size", async () => {
		const { rest, emojis, emoji, admin } = await withEmoji();
		for (const [body, field, code] of [
			[{ name: "x", image: PNG_DATA }, "name", "BASE_TYPE_MIN_LENGTH"],
			[{ name: "a b", image: PNG_DATA }, "name", "REGEX_TYPE_CONVERT"],
			[{ name: "boat", image: "boat" }, "image", "IMAGE_INVALID"],
			[
				{ name: "boat", image: `${PNG_DATA.replace(/=+$/, "")}${"A".repeat(400_000)}` },
				"image",
				"BINARY_TYPE_MAX_SIZE",
			],
		] as const)
			expect(await rest("POST", emojis, body)).toMatchObject(invalidFormBody(field, code));
		await admin.setBotPermissions(null);
		expect(await rest("POST", emojis, { name: "ship", image: PNG_DATA })).toMatchObject(refusal(403, 50013));
		expect(await rest("DELETE", `${emojis}/${emoji.id}`)).toMatchObject(refusal(403, 50013));
		expect(await rest("GET", emojis)).toMatchObject({ status: 200 });
	});

	test("gets 30008 for the fifty-first emoji of a kind", async () => {
		const { rest, emojis } = await withEmoji();
		for (let count = 1; count < 50; count++) await rest("POST", emojis, { name: `n${count}`, image: PNG_DATA });
		expect(await rest("POST", emojis, { name: "last", image: PNG_DATA })).toMatchObject(refusal(400, 30008));
		expect(await rest("POST", emojis, { name: "last", image: GIF_DATA })).toMatchObject({ body: { animated: true } });
	});

	test("reacts with an emoji of the guild, and lists the users who reacted with it", async () => {
		const { rest, emoji, ada, bot } = await withEmoji(GatewayIntentBits.GuildMessageReactions);
		const message = await ada.say("a boat");
		const reactions = `/channels/${message.channel_id}/messages/${message.id}/reactions`;
		const of = `${reactions}/${encodeURIComponent(`boat:${emoji.id}`)}`;
		expect(await rest("PUT", `${of}/@me`)).toMatchObject({ status: 204 });
		await ada.react(message, `boat:${emoji.id}`);
		const { d } = await bot.gateway.until(
			({ t, d: payload }) => t === "MESSAGE_REACTION_ADD" && payload["user_id"] === ada.me.user.id,
		);
		expect(d).toMatchObject({ emoji: { id: emoji.id, name: "boat" } });
		expect(await rest("GET", of)).toMatchObject({ body: [{ bot: true }, { username: "ada" }] });
		expect(await ada.untilMessage(({ reactions: shown }) => shown?.[0]?.count === 2)).toMatchObject({
			reactions: [{ emoji: { id: emoji.id, name: "boat" }, me: true }],
		});
		await ada.unreact(message, `boat:${emoji.id}`);
		expect(await rest("DELETE", `${of}/@me`)).toMatchObject({ status: 204 });
		await expect(ada.react(message, "boat:100000000000000000")).rejects.toThrow("Unknown emoji");
	});
});

test("the page shows the emoji of its guild", async () => {
	const { rest, emojis, emoji, ada, origin } = await withEmoji();
	expect((await ada.state()).emojis).toStrictEqual([{ id: emoji.id, name: "boat" }]);
	const image = await fetch(`${origin}/playground/media/emojis/${emoji.id}/boat`);
	expect([image.status, image.headers.get("content-type")]).toStrictEqual([200, "image/png"]);
	await rest("DELETE", `${emojis}/${emoji.id}`);
	expect((await ada.state()).emojis).toStrictEqual([]);
	expect((await fetch(`${origin}/playground/media/emojis/${emoji.id}/boat`)).status).toBe(404);
});
