/** Reactions of members and of the bot: REST, events, and the page. */
import { GatewayIntentBits, PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { openPlayground, refusal } from "../testing/setup.ts";

const { Guilds, GuildMessageReactions, DirectMessageReactions } = GatewayIntentBits;
const THUMB = "👍";

async function withMessage(intents = 0) {
	const playground = await openPlayground();
	const { event, events } = await playground.bot({ intents });
	const [ada, grace] = [await playground.userNamed("ada"), await playground.userNamed("grace")];
	const message = await ada.say("a boat");
	const path = `/channels/${message.channel_id}/messages/${message.id}`;
	const of = (emoji: string, rest = "") => `${path}/reactions/${encodeURIComponent(emoji)}${rest}`;
	const { rest } = playground;
	const reactions = async () => ((await rest("GET", path)).body as { reactions?: readonly object[] }).reactions;
	return { ...playground, event, events, ada, grace, message, path, of, reactions };
}

describe("a member's reaction", () => {
	test("reaches the bot with the member; every page counts it, and the member's own page marks it", async () => {
		const { ada, grace, guild, message, event } = await withMessage(GuildMessageReactions);
		for (let times = 0; times < 2; times += 1) await grace.react(message, THUMB);
		const ids = { user_id: grace.me.user.id, channel_id: message.channel_id, message_id: message.id };
		expect(await event("MESSAGE_REACTION_ADD")).toMatchObject({
			...ids,
			guild_id: guild.id,
			emoji: { id: null, name: THUMB },
			member: { user: { username: "grace" } },
			message_author_id: ada.me.user.id,
			type: 0,
			burst: false,
		});
		const seenBy = async (user: typeof ada) =>
			(await user.untilMessage(({ reactions = [] }) => reactions.length > 0)).reactions;
		expect(await seenBy(ada)).toMatchObject([{ emoji: { name: THUMB }, count: 1, me: false }]);
		expect(await seenBy(grace)).toMatchObject([{ count: 1, me: true }]);
		await grace.unreact(message, THUMB);
		expect(await event("MESSAGE_REACTION_REMOVE")).toMatchObject({ ...ids, emoji: { name: THUMB } });
		await ada.untilMessage(({ id, reactions = [] }) => id === message.id && reactions.length === 0);
	});

	test("in a direct message reaches a bot with the intent for reactions there, without a member", async () => {
		const { ada, rest, event, events } = await withMessage(DirectMessageReactions);
		const direct = await ada.say("hello", { channel: "@me" });
		await ada.react(direct, "🎉");
		const payload = await event("MESSAGE_REACTION_ADD");
		expect(payload).toMatchObject({ message_id: direct.id, emoji: { name: "🎉" } });
		expect(payload).not.toHaveProperty("member");
		expect(events("MESSAGE_CREATE")).toStrictEqual([]);
		// The bot cannot remove those of others there.
		const all = `/channels/${direct.channel_id}/messages/${direct.id}/reactions`;
		expect(await rest("DELETE", all)).toMatchObject(refusal(403, 50003));
	});

	test.each(["x", "👍👍", "custom:123", ""])("with %j is rejected", async (emoji) => {
		const { ada, message } = await withMessage();
		await expect(ada.react(message, emoji)).rejects.toThrow("Unknown Emoji");
	});

	test("needs the permission only for an emoji that the message does not have yet", async () => {
		const { ada, grace, userNamed, guild, message, rest, of, admin } = await withMessage();
		const deny = PermissionFlagsBits.AddReactions.toString();
		await admin.setOverwrites({ channelId: message.channel_id, overwrites: [{ id: guild.id, type: 0, deny }] });
		await expect(grace.react(message, THUMB)).rejects.toThrow("may not add reactions");
		expect(await rest("PUT", of(THUMB, "/@me"))).toMatchObject(refusal(403, 50013));
		// The owner's role has all permissions.
		for (const user of [await userNamed("robin"), grace, ada]) await user.react(message, THUMB);
		expect(await rest("PUT", of(THUMB, "/@me"))).toMatchObject({ status: 204 });
	});
});

describe("the bot", () => {
	test("replies to a message with reactions: the quoted one has none, as in Discord's schema", async () => {
		const { rest, channel, ada, message } = await withMessage();
		await ada.react(message, THUMB);
		const reply = { content: "a ship", message_reference: { message_id: message.id } };
		const { body } = await rest("POST", `${await channel()}/messages`, reply);
		expect(body).toMatchObject({ referenced_message: { id: message.id } });
		expect(body).not.toHaveProperty("referenced_message.reactions");
	});

	test("adds, lists and removes its reaction", async () => {
		const { rest, of, reactions, grace, message } = await withMessage();
		// The playground does not know the custom emoji of a bot on Discord, and accepts them all.
		for (const emoji of [THUMB, "⏭", "boat:100000000000000000", "a:wave:100000000000000001"])
			expect(await rest("PUT", of(emoji, "/@me"))).toMatchObject({ status: 204 });
		for (const emoji of [THUMB, "⏭️"]) await grace.react(message, emoji);
		const [thumb, skip, ...custom] = (await reactions()) as { emoji: object }[];
		expect(thumb).toMatchObject({ emoji: { id: null, name: THUMB }, count: 2, me: true });
		expect(thumb).toHaveProperty("count_details", { burst: 0, normal: 2 });
		expect(skip).toMatchObject({ emoji: { name: "⏭" }, count: 2, me: true });
		expect(custom.map(({ emoji }) => emoji)).toStrictEqual([
			{ id: "100000000000000000", name: "boat" },
			{ id: "100000000000000001", name: "wave", animated: true },
		]);
		const [first] = (await rest("GET", `${of(THUMB)}?limit=1`)).body as { id: string }[];
		expect(await rest("GET", `${of(THUMB)}?after=${first?.id}`)).toMatchObject({ body: [{ username: "Atelier" }] });
		expect(await rest("GET", of("🎉"))).toMatchObject({ status: 200, body: [] });
		expect(await rest("DELETE", of(THUMB, "/@me"))).toMatchObject({ status: 204 });
		expect(await rest("GET", of(THUMB))).toMatchObject({ body: [{ username: "grace" }] });
	});

	test("gets 10014 for an unknown emoji, and 30010 for the 21st emoji of a message", async () => {
		const { rest, of, reactions } = await withMessage();
		for (const emoji of ["boat", "boat:123"])
			expect(await rest("PUT", of(emoji, "/@me"))).toMatchObject(refusal(400, 10014));
		for (let at = 0; at < 20; at++) await rest("PUT", of(String.fromCodePoint(0x1f1e6 + at), "/@me"));
		expect(await rest("PUT", of(THUMB, "/@me"))).toMatchObject(refusal(400, 30010));
		expect(await reactions()).toHaveLength(20);
	});

	test("removes reactions of others only with the permission to manage messages", async () => {
		const { rest, of, path, reactions, grace, message, event, setBotPermissions } = await withMessage(
			GuildMessageReactions | Guilds,
		);
		const [own, ofEmoji, all] = [of(THUMB, `/${grace.me.user.id}`), of(THUMB), `${path}/reactions`];
		await grace.react(message, THUMB);
		for (const route of [own, ofEmoji, all]) expect(await rest("DELETE", route)).toMatchObject(refusal(403, 50013));
		await setBotPermissions(PermissionFlagsBits.ManageMessages);
		const { role } = (await event("GUILD_ROLE_UPDATE")) as { role: { permissions: string } };
		expect(BigInt(role.permissions) & PermissionFlagsBits.ManageMessages).not.toBe(0n);
		const ids = { message_id: message.id, channel_id: message.channel_id, guild_id: expect.any(String) };
		for (const [route, name, more] of [
			[own, "MESSAGE_REACTION_REMOVE", { user_id: grace.me.user.id }],
			[ofEmoji, "MESSAGE_REACTION_REMOVE_EMOJI", { emoji: { name: THUMB } }],
			[all, "MESSAGE_REACTION_REMOVE_ALL", {}],
		] as const) {
			await grace.react(message, THUMB);
			expect(await rest("DELETE", route)).toMatchObject({ status: 204 });
			expect(await event(name)).toMatchObject({ ...ids, ...more });
		}
		expect(await reactions()).toBeUndefined();
	});
});
