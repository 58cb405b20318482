/** Reactions of members and of the bot: REST, events, and the page. */
import { GatewayIntentBits, PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { openPlayground, refusal } from "../testing/setup.ts";

const { GuildMessageReactions, DirectMessageReactions } = GatewayIntentBits;
const THUMB = "👍";

async function withMessage(intents = 0) {
	const playground = await openPlayground();
	const bot = await playground.bot({ intents });
	const ada = await playground.userNamed("ada");
	const grace = await playground.userNamed("grace");
	const message = await ada.say("a boat");
	const path = `/channels/${message.channel_id}/messages/${message.id}`;
	const of = (emoji: string, rest = "") => `${path}/reactions/${encodeURIComponent(emoji)}${rest}`;
	const { rest, applicationId } = playground;
	const event = async (name: string) => (await bot.gateway.until(({ t }) => t === name)).d;
	const { admin } = playground;
	return { playground, bot, ada, grace, message, path, of, rest, event, admin, applicationId };
}

describe("a member's reaction", () => {
	test("reaches the bot with the member; every page counts it, and the member's own page marks it", async () => {
		const { ada, grace, message, event } = await withMessage(GuildMessageReactions);
		await grace.react(message, THUMB);
		await grace.react(message, THUMB);
		const ids = { user_id: grace.me.user.id, channel_id: message.channel_id, message_id: message.id };
		expect(await event("MESSAGE_REACTION_ADD")).toMatchObject({
			...ids,
			guild_id: (await ada.state()).guild.id,
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
		const { ada, bot, event } = await withMessage(DirectMessageReactions);
		const direct = await ada.say("hello", { channel: "@me" });
		await ada.react(direct, "🎉");
		const payload = await event("MESSAGE_REACTION_ADD");
		expect(payload).toMatchObject({ message_id: direct.id, emoji: { name: "🎉" } });
		expect(payload).not.toHaveProperty("member");
		expect(bot.gateway.received.filter(({ t }) => t === "MESSAGE_CREATE")).toStrictEqual([]);
	});

	test.each(["x", "👍👍", "custom:123", ""])("with %j is rejected", async (emoji) => {
		const { ada, message } = await withMessage();
		await expect(ada.react(message, emoji)).rejects.toThrow("Unknown emoji");
	});

	test("needs the permission only for an emoji that the message does not have yet", async () => {
		const { ada, grace, playground, message, rest, of, admin } = await withMessage();
		const { guild } = await ada.state();
		const deny = PermissionFlagsBits.AddReactions.toString();
		await admin.setOverwrites({ channelId: message.channel_id, overwrites: [{ id: guild.id, type: 0, deny }] });
		await expect(grace.react(message, THUMB)).rejects.toThrow("may not add reactions");
		expect(await rest("PUT", of(THUMB, "/@me"))).toMatchObject(refusal(403, 50013));
		// The owner's role has all permissions.
		await (await playground.userNamed("robin")).react(message, THUMB);
		for (const user of [grace, ada]) await user.react(message, THUMB);
		expect(await rest("PUT", of(THUMB, "/@me"))).toMatchObject({ status: 204 });
	});
});

describe("the bot", () => {
	test("adds, lists and removes its reaction", async () => {
		const { rest, of, path, grace, message } = await withMessage();
		expect(await rest("PUT", of(THUMB, "/@me"))).toMatchObject({ status: 204 });
		expect(await rest("PUT", of("⏭", "/@me"))).toMatchObject({ status: 204 });
		await grace.react(message, THUMB);
		await grace.react(message, "⏭️");
		expect(await rest("GET", path)).toMatchObject({
			body: {
				reactions: [
					{ emoji: { id: null, name: THUMB }, count: 2, me: true, count_details: { burst: 0, normal: 2 } },
					{ emoji: { name: "⏭" }, count: 2, me: true },
				],
			},
		});
		const [first] = (await rest("GET", `${of(THUMB)}?limit=1`)).body as { id: string }[];
		expect(await rest("GET", `${of(THUMB)}?after=${first?.id}`)).toMatchObject({ body: [{ username: "grace" }] });
		expect(await rest("GET", of("🎉"))).toMatchObject({ status: 200, body: [] });
		// The playground does not know the custom emoji of a bot on Discord, and accepts them all.
		expect(await rest("PUT", of("boat:100000000000000000", "/@me"))).toMatchObject({ status: 204 });
		expect(await rest("PUT", of("a:wave:100000000000000001", "/@me"))).toMatchObject({ status: 204 });
		const { reactions } = (await rest("GET", path)).body as { reactions: readonly { emoji: object }[] };
		expect(reactions.slice(-2).map(({ emoji }) => emoji)).toStrictEqual([
			{ id: "100000000000000000", name: "boat" },
			{ id: "100000000000000001", name: "wave", animated: true },
		]);
		expect(await rest("DELETE", of(THUMB, "/@me"))).toMatchObject({ status: 204 });
		expect(await rest("GET", of(THUMB))).toMatchObject({ body: [{ username: "grace" }] });
	});

	test("gets 10014 for an unknown emoji, and 30010 for the 21st emoji of a message", async () => {
		const { rest, of, path } = await withMessage();
		expect(await rest("PUT", of("boat", "/@me"))).toMatchObject(refusal(400, 10014));
		expect(await rest("PUT", of("boat:123", "/@me"))).toMatchObject(refusal(400, 10014));
		for (let at = 0; at < 20; at++) await rest("PUT", of(String.fromCodePoint(0x1f1e6 + at), "/@me"));
		expect(await rest("PUT", of(THUMB, "/@me"))).toMatchObject(refusal(400, 30010));
		const { reactions } = (await rest("GET", path)).body as { reactions: readonly unknown[] };
		expect(reactions).toHaveLength(20);
	});

	test("removes reactions of others only with the permission to manage messages", async () => {
		const { rest, of, path, grace, message, event, admin } = await withMessage(GuildMessageReactions | 1);
		await grace.react(message, THUMB);
		const own = of(THUMB, `/${grace.me.user.id}`);
		for (const forbidden of [own, of(THUMB), `${path}/reactions`])
			expect(await rest("DELETE", forbidden)).toMatchObject(refusal(403, 50013));
		await admin.setBotPermissions({ permissions: String(PermissionFlagsBits.ManageMessages) });
		const { role } = (await event("GUILD_ROLE_UPDATE")) as { role: { permissions: string } };
		expect(BigInt(role.permissions) & PermissionFlagsBits.ManageMessages).not.toBe(0n);
		expect(await rest("DELETE", own)).toMatchObject({ status: 204 });
		expect(await event("MESSAGE_REACTION_REMOVE")).toMatchObject({ user_id: grace.me.user.id });
		await grace.react(message, THUMB);
		expect(await rest("DELETE", of(THUMB))).toMatchObject({ status: 204 });
		expect(await event("MESSAGE_REACTION_REMOVE_EMOJI")).toMatchObject({
			message_id: message.id,
			emoji: { name: THUMB },
		});
		await grace.react(message, THUMB);
		expect(await rest("DELETE", `${path}/reactions`)).toMatchObject({ status: 204 });
		expect(await event("MESSAGE_REACTION_REMOVE_ALL")).toStrictEqual({
			message_id: message.id,
			channel_id: message.channel_id,
			guild_id: expect.any(String),
		});
		expect((await rest("GET", path)).body).not.toHaveProperty("reactions");
	});

	test("cannot remove reactions of others in direct messages", async () => {
		const { rest, ada } = await withMessage();
		const { channel_id: channelId, id } = await ada.say("hello", { channel: "@me" });
		expect(await rest("DELETE", `/channels/${channelId}/messages/${id}/reactions`)).toMatchObject(refusal(403, 50003));
	});
});
