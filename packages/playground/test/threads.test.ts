/** Threads: REST, events, members, archives, and private ones. */
import { type APIThreadChannel, GatewayIntentBits, PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import type { UserClient } from "../src/user-client/user-client.ts";
import { invalidFormBody, openPlayground, refusal } from "../testing/setup.ts";

const { Guilds, GuildMembers } = GatewayIntentBits;

/** A thread of the bot without a message, and a bot on the gateway from before its start. */
async function withThread(intents: number = Guilds) {
	const playground = await openPlayground();
	const { rest, setBotPermissions, bot: openBot } = playground;
	const bot = await openBot({ intents });
	const channel = await playground.channel();
	const created = await rest("POST", `${channel}/threads`, { name: "Ships", type: 11 });
	expect(created.status).toBe(201);
	const { id, parent_id: parentId } = created.body as { id: string; parent_id: string };
	const ada = await playground.userNamed("ada");
	return {
		...playground,
		openBot,
		bot,
		channel,
		id,
		parentId,
		path: `/channels/${id}`,
		ada,
		/** The threads that a list of the bot has. */
		listed: async (list: string) =>
			((await rest("GET", list)).body as { threads: APIThreadChannel[] }).threads.map((thread) => thread.id),
		manage: () => setBotPermissions(PermissionFlagsBits.ManageThreads),
	};
}

const sees = async (user: UserClient, id: string) => (await user.state()).channels.some((channel) => channel.id === id);

test("a message has one thread, with its id, which takes messages and has no thread of its own", async () => {
	const { rest, send, channel } = await openPlayground();
	const { id, channel_id: parentId } = await send({ content: "a boat" });
	const create = (name: string) => rest("POST", `/channels/${parentId}/messages/${id}/threads`, { name });
	for (const name of ["", " "]) expect(await create(name)).toMatchObject(invalidFormBody("name"));
	const thread = { id, type: 11, name: "Boats", parent_id: parentId };
	expect(await create("Boats")).toMatchObject({ status: 201, body: thread });
	expect(await create("Again")).toMatchObject(refusal(400, 160_004));
	expect(await rest("GET", `/channels/${id}`)).toMatchObject({ status: 200, body: thread });
	const inThread = await rest("POST", `/channels/${id}/messages`, { content: "in the thread" });
	expect(inThread).toMatchObject({ status: 200, body: { channel_id: id } });
	const nested = `/channels/${id}/messages/${(inThread.body as { id: string }).id}/threads`;
	expect(await rest("POST", nested, { name: "No" })).toMatchObject(refusal(400, 50_024));
	// The flag of a message with a thread.
	const [started, ...others] = (await rest("GET", `${await channel()}/messages`)).body as object[];
	expect(started).toMatchObject({ flags: 32, thread: { ...thread, message_count: 1 } });
	expect(others).toStrictEqual([]);
});

test("a public thread can start without a message, and takes messages of members", async () => {
	const { rest, channel, id, parentId, path, ada } = await withThread();
	const { channels } = await ada.state();
	expect(channels.find((each) => each.id === id)).toMatchObject({ name: "Ships", type: 11, parentId });
	await ada.say("in the thread", { channel: id });
	expect((await rest("GET", `${path}/messages`)).body).toMatchObject([{ content: "in the thread" }]);
	expect(await rest("POST", `${channel}/threads`, { name: "Ships", type: 10 })).toMatchObject(invalidFormBody("type"));
	expect(await rest("POST", `${path}/threads`, { name: "No", type: 11 })).toMatchObject(refusal(400, 50_024));
});

describe("the events of threads", () => {
	test("report changes and the end", async () => {
		const { bot, rest, path, id, parentId, guild, manage, ada } = await withThread();
		await manage();
		const change = { name: "Boats", locked: true, auto_archive_duration: 60, rate_limit_per_user: 5 };
		expect(await rest("PATCH", path, change)).toMatchObject({ status: 200, body: { name: "Boats" } });
		const thread_metadata = { locked: true, auto_archive_duration: 60 };
		const changed = { id, name: "Boats", rate_limit_per_user: 5, thread_metadata };
		expect(await bot.event("THREAD_UPDATE")).toMatchObject(changed);
		expect(await rest("DELETE", path)).toMatchObject({ status: 200, body: { id } });
		const removed = { id, guild_id: guild.id, parent_id: parentId, type: 11 };
		expect(await bot.event("THREAD_DELETE")).toStrictEqual(removed);
		expect(await rest("GET", path)).toMatchObject(refusal(404, 10003));
		expect(await sees(ada, id)).toBe(false);
	});

	test("report other members with the members intent only", async () => {
		const [few, all] = [await withThread(Guilds), await withThread(Guilds | GuildMembers)];
		for (const { ada, id, rest, path, bot } of [few, all]) {
			await ada.say("hello", { channel: id });
			await rest("PATCH", path, { name: "Last" });
			await bot.event("THREAD_UPDATE");
		}
		expect(few.bot.events("THREAD_MEMBERS_UPDATE")).toHaveLength(1);
		expect(all.bot.events("THREAD_MEMBERS_UPDATE")).toMatchObject([
			{ added_members: [{ user_id: all.applicationId }] },
			{ added_members: [{ user_id: all.ada.me.user.id }], member_count: 2 },
		]);
	});

	test("list the threads of a channel that the bot sees again", async () => {
		const { denyBot, parentId, bot, id, rest, path } = await withThread();
		await denyBot(parentId, PermissionFlagsBits.ViewChannel);
		expect(await rest("GET", path)).toMatchObject(refusal(403, 50001));
		await denyBot(parentId, 0n);
		const synced = { channel_ids: [parentId], threads: [{ id }], members: [{ id }] };
		expect(await bot.event("THREAD_LIST_SYNC")).toMatchObject(synced);
		expect(bot.events("THREAD_UPDATE")).toStrictEqual([]);
	});

	test("come with the guild for a new session, without archived threads", async () => {
		const { openBot, id, rest, path } = await withThread();
		const threadsOf = async () => (await (await openBot({ intents: Guilds })).event("GUILD_CREATE"))["threads"];
		expect(await threadsOf()).toMatchObject([{ id }]);
		await rest("PATCH", path, { archived: true });
		expect(await threadsOf()).toStrictEqual([]);
	});

	test("report the thread that a member starts", async () => {
		const { bot, ada } = await withThread();
		const message = await ada.say("a boat");
		expect(await ada.startThread("Boats", { message })).toBe(message.id);
		const started = await bot.event("THREAD_CREATE", message.id);
		expect(started).toMatchObject({ owner_id: ada.me.user.id, newly_created: true });
		expect(started).not.toHaveProperty("member");
		await expect(ada.startThread("Again", { message })).rejects.toThrow("already been created");
	});
});

test("a bot without permissions adds members to a public thread of someone else", async () => {
	const { rest, ada, userId } = await withThread();
	const threadId = await ada.startThread("Boats");
	const members = `/channels/${threadId}/thread-members`;
	expect(await rest("PUT", `${members}/${userId("grace")}`)).toMatchObject({ status: 204 });
});

test("the members of a thread join and leave by the bot, and are listed", async () => {
	const { rest, path, ada, manage, applicationId, bot } = await withThread(Guilds | GuildMembers);
	const members = `${path}/thread-members`;
	const [own, hers] = [`${members}/@me`, `${members}/${ada.me.user.id}`];
	expect(await rest("DELETE", own)).toMatchObject({ status: 204 });
	expect(await rest("GET", own)).toMatchObject(refusal(404, 10007));
	expect(await rest("PUT", own)).toMatchObject({ status: 204 });
	expect(await rest("GET", own)).toMatchObject({ body: { user_id: applicationId } });
	expect(await rest("PUT", hers)).toMatchObject({ status: 204 });
	const both = [{ user_id: ada.me.user.id }, { user_id: applicationId }];
	expect(await rest("GET", members)).toMatchObject({ body: both });
	const withMember = await rest("GET", `${hers}?with_member=true`);
	expect(withMember).toMatchObject({ body: { member: { user: { username: "ada" } } } });
	expect(await rest("PUT", `${members}/100000000000000000`)).toMatchObject(refusal(404, 10013));
	expect(await rest("DELETE", hers)).toMatchObject(refusal(403, 50013));
	await manage();
	expect(await rest("DELETE", hers)).toMatchObject({ status: 204 });
	expect(await rest("GET", hers)).toMatchObject(refusal(404, 10007));
	expect(await bot.event("THREAD_MEMBERS_UPDATE")).toMatchObject({ member_count: 1 });
});

describe("an archived thread", () => {
	test("is hidden from the page, listed as archived, and accepts no changes", async () => {
		const { rest, path, channel, id, ada, guild, bot, register } = await withThread();
		const { id: messageId } = (await rest("POST", `${path}/messages`, { content: "x" })).body as { id: string };
		const own = await ada.say("mine", { channel: id });
		await register({ name: "sail", description: "Sails" }, { name: "Sink", type: 3 });
		const interaction = await bot.interaction((await ada.type("/sail", {}, { channel: id })).interactionId);
		await interaction.callback({ type: 5 });
		expect(await rest("PATCH", path, { name: " " })).toMatchObject(invalidFormBody("name", "BASE_TYPE_MIN_LENGTH"));
		const [active, archived] = [`/guilds/${guild.id}/threads/active`, `${channel}/threads/archived/public`];
		expect(await rest("GET", active)).toMatchObject({ body: { threads: [{ id }], members: [{ id }] } });
		expect(await rest("PATCH", path, { archived: true })).toMatchObject({ status: 200 });
		expect(await rest("GET", active)).toMatchObject({ body: { threads: [] } });
		expect(await rest("GET", archived)).toMatchObject({ body: { threads: [{ id }], has_more: false } });
		expect(await sees(ada, id)).toBe(false);
		for (const [method, below, body] of [
			["PATCH", "", { name: "x" }],
			["PATCH", `/messages/${messageId}`, { content: "x" }],
			["PUT", `/messages/${messageId}/reactions/${encodeURIComponent("👍")}/@me`],
			["PUT", `/thread-members/${ada.me.user.id}`],
		] as const)
			expect(await rest(method, `${path}${below}`, body)).toMatchObject(refusal(400, 50083));
		expect(await interaction.webhook("PATCH", { content: "x" })).toMatchObject(refusal(400, 50083));
		for (const change of [
			() => ada.edit(own, "x"),
			() => ada.react(own, "👍"),
			() => ada.type("/sail", {}, { channel: id }),
			() => ada.context("Sink", own),
		])
			await expect(change()).rejects.toThrow(/thread is archived/i);
	});

	test("is active again after a message, or by the bot", async () => {
		const { rest, path, id, ada } = await withThread();
		for (const activate of [() => ada.say("hello", { channel: id }), () => rest("PATCH", path, { archived: false })]) {
			await rest("PATCH", path, { archived: true });
			await activate();
			expect(await rest("GET", path)).toMatchObject({ body: { thread_metadata: { archived: false } } });
		}
	});
});

test("a locked thread takes messages only of those who manage threads", async () => {
	const { rest, path, id, ada, manage, userNamed, setBotPermissions } = await withThread();
	expect(await rest("PATCH", path, { locked: true })).toMatchObject(refusal(403, 50013));
	await manage();
	await rest("PATCH", path, { locked: true });
	await expect(ada.say("x", { channel: id })).rejects.toThrow("This thread is locked");
	await (await userNamed("robin")).say("x", { channel: id });
	expect(await rest("POST", `${path}/messages`, { content: "x" })).toMatchObject({ status: 200 });
	await setBotPermissions(null);
	expect(await rest("POST", `${path}/messages`, { content: "x" })).toMatchObject(refusal(400, 160_005));
});

/** A private thread of Ada without the bot, and one of the bot without Ada. */
async function withPrivate() {
	const scene = await withThread();
	const { ada, rest, channel, userNamed } = scene;
	const id = await ada.startThread("Plans", { channel: "general", isPrivate: true });
	const [grace, robin] = [await userNamed("grace"), await userNamed("robin")];
	const own = (await rest("POST", `${channel}/threads`, { name: "Own" })).body as APIThreadChannel;
	return { ...scene, id, path: `/channels/${id}`, grace, robin, own };
}

describe("a private thread", () => {
	test("is seen by its members and by those who manage threads only", async () => {
		const { id, path, rest, ada, grace, robin, bot, openBot, listed, guild, own, manage } = await withPrivate();
		expect([await sees(ada, id), await sees(grace, id), await sees(robin, id)]).toStrictEqual([true, false, true]);
		await expect(grace.say("x", { channel: id })).rejects.toThrow("Unknown channel");
		await ada.say("a secret", { channel: id });
		expect(await rest("GET", path)).toMatchObject(refusal(403, 50001));
		const active = `/guilds/${guild.id}/threads/active`;
		expect(await listed(active)).toContain(own.id);
		expect(await listed(active)).not.toContain(id);
		const created = await (await openBot({ intents: Guilds })).event("GUILD_CREATE");
		expect(JSON.stringify([created, ...bot.gateway.received])).not.toContain(id);
		expect(bot.events("THREAD_CREATE").filter((thread) => thread["id"] === own.id)).toHaveLength(1);
		await manage();
		expect(await rest("GET", path)).toMatchObject({ body: { type: 12 } });
		expect(await listed(active)).toContain(id);
	});

	test("reaches those who are added, and is lost by those who are removed", async () => {
		const { id, path, rest, ada, grace, bot, applicationId } = await withPrivate();
		await ada.say(`come in, <@${grace.me.user.id}> <@${applicationId}>`, { channel: id });
		expect(await sees(grace, id)).toBe(true);
		const joined = await bot.event("THREAD_CREATE", id);
		expect(joined).toMatchObject({ type: 12, member: { user_id: applicationId } });
		expect(joined).not.toHaveProperty("newly_created");
		expect(await rest("GET", path)).toMatchObject({ status: 200 });
		expect(await rest("DELETE", `${path}/thread-members/${grace.me.user.id}`)).toMatchObject(refusal(403, 50013));
		await rest("DELETE", `${path}/thread-members/@me`);
		const left = { id, removed_member_ids: [applicationId] };
		await expect.poll(() => bot.events("THREAD_MEMBERS_UPDATE").at(-1)).toMatchObject(left);
		expect(await rest("GET", path)).toMatchObject(refusal(403, 50001));
	});

	test("takes the members of a mentioned role, and those whom an edit mentions", async () => {
		const { id, path, rest, manage, ada, grace, userNamed, roleId } = await withPrivate();
		const lena = await userNamed("lena");
		const message = await ada.say(`come in, <@&${roleId("Artists")}>`, { channel: id });
		expect([await sees(grace, id), await sees(lena, id)]).toStrictEqual([true, false]);
		await ada.edit(message, `and you, <@${lena.me.user.id}>`);
		expect(await sees(lena, id)).toBe(true);
		// Another edit does not add those who left in between.
		await manage();
		await rest("DELETE", `${path}/thread-members/${lena.me.user.id}`);
		await ada.edit(message, `and you, <@${lena.me.user.id}>!`);
		expect(await sees(lena, id)).toBe(false);
	});

	test("that is not invitable takes members from its owner and from those who manage threads, if they see the channel", async () => {
		const scene = await withPrivate();
		const { own, path, rest, grace, robin, ada, admin, manage, id, parentId, applicationId } = scene;
		await rest("PATCH", `/channels/${own.id}`, { invitable: false });
		const members = `/channels/${own.id}/thread-members`;
		const graceId = grace.me.user.id;
		const invite = (user: UserClient) => user.say(`<@${graceId}>`, { channel: own.id });
		expect(await rest("PUT", `${members}/${ada.me.user.id}`)).toMatchObject({ status: 204 });
		await invite(ada);
		expect(await sees(grace, own.id)).toBe(false);
		const hidden = { id: graceId, type: 1, deny: PermissionFlagsBits.ViewChannel.toString() } as const;
		await admin.setOverwrites({ channelId: parentId, overwrites: [hidden] });
		await invite(robin);
		expect(await rest("PUT", `${members}/${graceId}`)).toMatchObject(refusal(403, 50001));
		expect(JSON.stringify(await rest("GET", members))).not.toContain(graceId);
		await admin.setOverwrites({ channelId: parentId, overwrites: [] });
		await invite(robin);
		expect(await sees(grace, own.id)).toBe(true);
		expect(await rest("DELETE", `${members}/${ada.me.user.id}`)).toMatchObject({ status: 204 });
		expect(await sees(ada, own.id)).toBe(false);
		await ada.say(`<@${applicationId}>`, { channel: id });
		await manage();
		await rest("PATCH", path, { invitable: false });
		await scene.setBotPermissions(null);
		expect(await rest("PUT", `${path}/thread-members/${graceId}`)).toMatchObject(refusal(403, 50013));
	});

	test("is listed with the archived private threads: all for managers, else the joined ones", async () => {
		const { id, own, path, channel, rest, listed, manage, setBotPermissions } = await withPrivate();
		const [all, publicOnes] = [`${channel}/threads/archived/private`, `${channel}/threads/archived/public`];
		const joined = `${channel}/users/@me/threads/archived/private`;
		await rest("PATCH", `/channels/${own.id}`, { archived: true });
		expect(await rest("GET", all)).toMatchObject(refusal(403, 50013));
		await manage();
		await rest("PATCH", path, { archived: true });
		expect(new Set(await listed(all))).toStrictEqual(new Set([id, own.id]));
		await setBotPermissions(null);
		expect([await listed(joined), await listed(publicOnes)]).toStrictEqual([[own.id], []]);
		expect(await listed(`${joined}?before=${own.id}`)).toStrictEqual([]);
	});
});
