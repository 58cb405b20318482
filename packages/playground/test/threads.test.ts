import { type APIMessage, type APIThreadChannel, GatewayIntentBits, PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import type { PageState } from "../src/page/page-contract.ts";
import { invalidFormBody, openPlayground, refusal } from "../testing/setup.ts";

async function withMessage() {
	const opened = await openPlayground();
	const channel = await opened.channel();
	const posted = (await opened.rest("POST", `${channel}/messages`, { content: "a boat" })).body as APIMessage;
	const threads = `${channel}/messages/${posted.id}/threads`;
	return {
		...opened,
		channel,
		posted,
		create: (body: object = { name: "Boats" }) => opened.rest("POST", threads, body),
	};
}

test("a thread starts from a message, has its id, and takes messages of its own", async () => {
	const { rest, channel, posted, create } = await withMessage();
	const thread = { id: posted.id, type: 11, name: "Boats", parent_id: posted.channel_id };
	expect(await create()).toMatchObject({ status: 201, body: thread });
	expect(await rest("GET", `/channels/${posted.id}`)).toMatchObject({ status: 200, body: thread });
	const inThread = await rest("POST", `/channels/${posted.id}/messages`, { content: "in the thread" });
	expect(inThread).toMatchObject({ status: 200, body: { channel_id: posted.id } });
	expect((await rest("GET", `${channel}/messages`)).body).toHaveLength(1);
	// The flag of a message with a thread.
	const started = (await rest("GET", `${channel}/messages/${posted.id}`)).body;
	expect(started).toMatchObject({ flags: 32, thread: { ...thread, message_count: 1 } });
});

test("a message has one thread, and a thread has none", async () => {
	const { rest, posted, create } = await withMessage();
	await create();
	expect(await create()).toMatchObject(refusal(400, 160_004));
	const inThread = (await rest("POST", `/channels/${posted.id}/messages`, { content: "x" })).body as APIMessage;
	const nested = await rest("POST", `/channels/${posted.id}/messages/${inThread.id}/threads`, { name: "No" });
	expect(nested).toMatchObject(refusal(400, 50_024));
	const other = await withMessage();
	expect(await other.create({ name: "" })).toMatchObject(invalidFormBody("name"));
});

test("a public thread can start without a message, and takes messages of members", async () => {
	const { rest, channel, posted, userNamed } = await withMessage();
	const created = await rest("POST", `${channel}/threads`, { name: "Ships", type: 11 });
	expect(created).toMatchObject({ status: 201, body: { type: 11, name: "Ships", parent_id: posted.channel_id } });
	const { id } = created.body as { id: string };
	const ada = await userNamed("ada");
	const { channels } = await ada.state();
	expect(channels.find((each) => each.id === id)).toMatchObject({ name: "Ships", parentId: posted.channel_id });
	await ada.say("in the thread", { channel: id });
	expect((await rest("GET", `/channels/${id}/messages`)).body).toMatchObject([{ content: "in the thread" }]);
	expect(await rest("POST", `${channel}/threads`, { name: "Ships", type: 10 })).toMatchObject(invalidFormBody("type"));
	expect(await rest("POST", `/channels/${id}/threads`, { name: "No", type: 11 })).toMatchObject(refusal(400, 50_024));
});

const { Guilds, GuildMembers } = GatewayIntentBits;

/** A thread of the bot without a message, and a bot on the gateway from before its start. */
async function withThread(intents: number = Guilds) {
	const opened = await openPlayground();
	const { rest, admin } = opened;
	const bot = await opened.bot({ intents });
	const channel = await opened.channel();
	const { id } = (await rest("POST", `${channel}/threads`, { name: "Ships", type: 11 })).body as { id: string };
	const path = `/channels/${id}`;
	const ada = await opened.userNamed("ada");
	/** The payloads of an event about this thread so far. */
	const events = (name: string) =>
		bot.gateway.received.filter(({ t, d }) => t === name && d["id"] === id).map(({ d }) => d);
	const event = async (name: string) =>
		(await bot.gateway.until(({ t, d }) => t === name && (d["id"] === id || name === "THREAD_LIST_SYNC"))).d;
	const manage = () => admin.setBotPermissions({ permissions: String(PermissionFlagsBits.ManageThreads) });
	return {
		...opened,
		openBot: opened.bot,
		bot,
		channel,
		id,
		path,
		ada,
		events,
		event,
		manage,
	};
}

describe("the events of threads", () => {
	test("report changes and the end", async () => {
		const { event, rest, path, id, manage, ada } = await withThread();
		await manage();
		const change = { name: "Boats", locked: true, auto_archive_duration: 60, rate_limit_per_user: 5 };
		expect(await rest("PATCH", path, change)).toMatchObject({ status: 200, body: { name: "Boats" } });
		expect(await event("THREAD_UPDATE")).toMatchObject({
			name: "Boats",
			rate_limit_per_user: 5,
			thread_metadata: { locked: true, auto_archive_duration: 60 },
		});
		expect(await rest("DELETE", path)).toMatchObject({ status: 200, body: { id } });
		expect(await event("THREAD_DELETE")).toStrictEqual({
			id,
			guild_id: expect.any(String),
			parent_id: expect.any(String),
			type: 11,
		});
		expect(await rest("GET", path)).toMatchObject(refusal(404, 10003));
		expect((await ada.state()).channels.map((channel) => channel.id)).not.toContain(id);
	});

	test("report other members with the members intent only", async () => {
		const [few, all] = [await withThread(Guilds), await withThread(Guilds | GuildMembers)];
		for (const { ada, id, rest, path } of [few, all]) {
			await ada.say("hello", { channel: id });
			await rest("PATCH", path, { name: "Last" });
		}
		await few.event("THREAD_UPDATE");
		expect(few.events("THREAD_MEMBERS_UPDATE")).toHaveLength(1);
		await all.event("THREAD_UPDATE");
		expect(all.events("THREAD_MEMBERS_UPDATE")).toMatchObject([
			{ added_members: [{ user_id: all.applicationId }] },
			{ added_members: [{ user_id: all.ada.me.user.id }], member_count: 2 },
		]);
	});

	test("list the threads of a channel that the bot sees again", async () => {
		const { admin, channel, event, id, events, rest, path } = await withThread();
		const channelId = channel.split("/").at(-1) ?? "";
		await admin.setBotAccess({ channelId, access: "none" });
		expect(await rest("GET", path)).toMatchObject(refusal(403, 50001));
		await admin.setBotAccess({ channelId, access: "all" });
		expect(await event("THREAD_LIST_SYNC")).toMatchObject({
			channel_ids: [channelId],
			threads: [{ id }],
			members: [{ id }],
		});
		expect(events("THREAD_UPDATE")).toStrictEqual([]);
	});

	test("come with the guild for a new session, without archived threads", async () => {
		const { openBot, id, rest, path } = await withThread();
		const threadsOf = async () => {
			const { gateway } = await openBot({ intents: Guilds });
			return (await gateway.until(({ t }) => t === "GUILD_CREATE")).d["threads"];
		};
		expect(await threadsOf()).toMatchObject([{ id }]);
		await rest("PATCH", path, { archived: true });
		expect(await threadsOf()).toStrictEqual([]);
	});

	test("report the thread that a member starts", async () => {
		const { bot, ada } = await withThread();
		const message = await ada.say("a boat");
		const id = await ada.startThread("Boats", { message });
		expect(id).toBe(message.id);
		const { d } = await bot.gateway.until(({ t, d: payload }) => t === "THREAD_CREATE" && payload["id"] === id);
		expect(d).toMatchObject({ owner_id: ada.me.user.id, newly_created: true });
		expect(d).not.toHaveProperty("member");
		await expect(ada.startThread("Again", { message })).rejects.toThrow("has a thread already");
	});
});

describe("the members of a thread", () => {
	test("join and leave by the bot, and are listed", async () => {
		const { rest, path, ada, manage, applicationId, event } = await withThread(Guilds | GuildMembers);
		const members = `${path}/thread-members`;
		const { id } = ada.me.user;
		expect(await rest("DELETE", `${members}/@me`)).toMatchObject({ status: 204 });
		expect(await rest("GET", `${members}/@me`)).toMatchObject(refusal(404, 10007));
		expect(await rest("PUT", `${members}/@me`)).toMatchObject({ status: 204 });
		expect(await rest("GET", `${members}/@me`)).toMatchObject({ body: { user_id: applicationId } });
		expect(await rest("PUT", `${members}/${id}`)).toMatchObject({ status: 204 });
		expect(await rest("GET", members)).toMatchObject({ body: [{ user_id: applicationId }, { user_id: id }] });
		expect(await rest("GET", `${members}/${id}?with_member=true`)).toMatchObject({
			body: { member: { user: { username: "ada" } } },
		});
		expect(await rest("PUT", `${members}/100000000000000000`)).toMatchObject(refusal(404, 10013));
		expect(await rest("DELETE", `${members}/${id}`)).toMatchObject(refusal(403, 50013));
		await manage();
		expect(await rest("DELETE", `${members}/${id}`)).toMatchObject({ status: 204 });
		expect(await rest("GET", `${members}/${id}`)).toMatchObject(refusal(404, 10007));
		expect(await event("THREAD_MEMBERS_UPDATE")).toMatchObject({ member_count: 1 });
	});
});

describe("an archived thread", () => {
	test("is hidden from the page, listed as archived, and accepts no changes", async () => {
		const { rest, path, channel, id, ada, bot, register } = await withThread();
		const message = (await rest("POST", `${path}/messages`, { content: "x" })).body as APIMessage;
		const own = await ada.say("mine", { channel: id });
		await register({ name: "sail", description: "Sails" }, { name: "Sink", type: 3 });
		const interaction = await bot.interaction((await ada.type("/sail", {}, { channel: id })).interactionId);
		await interaction.callback({ type: 5 });
		const guildId = (await ada.state()).guild.id;
		const [active, archived] = [`/guilds/${guildId}/threads/active`, `${channel}/threads/archived/public`];
		expect(await rest("GET", active)).toMatchObject({ body: { threads: [{ id }], members: [{ id }] } });
		expect(await rest("PATCH", path, { archived: true })).toMatchObject({ status: 200 });
		expect(await rest("GET", active)).toMatchObject({ body: { threads: [] } });
		expect(await rest("GET", archived)).toMatchObject({ body: { threads: [{ id }], has_more: false } });
		expect((await ada.state()).channels.map((each) => each.id)).not.toContain(id);
		for (const [method, below, body] of [
			["PATCH", "", { name: "x" }],
			["PATCH", `/messages/${message.id}`, { content: "x" }],
			["PUT", `/messages/${message.id}/reactions/${encodeURIComponent("👍")}/@me`],
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
			await expect(change()).rejects.toThrow("This thread is archived.");
	});

	test("is active again after a message, or by the bot", async () => {
		const { rest, path, id, ada } = await withThread();
		const isArchived = async () =>
			((await rest("GET", path)).body as { thread_metadata: { archived: boolean } }).thread_metadata.archived;
		await rest("PATCH", path, { archived: true });
		await ada.say("hello", { channel: id });
		expect(await isArchived()).toBe(false);
		await rest("PATCH", path, { archived: true });
		await rest("PATCH", path, { archived: false });
		expect(await isArchived()).toBe(false);
	});
});

test("a locked thread takes messages only of those who manage threads", async () => {
	const { rest, path, id, ada, manage, userNamed, admin } = await withThread();
	expect(await rest("PATCH", path, { locked: true })).toMatchObject(refusal(403, 50013));
	await manage();
	await rest("PATCH", path, { locked: true });
	await expect(ada.say("x", { channel: id })).rejects.toThrow("This thread is locked.");
	await (await userNamed("robin")).say("x", { channel: id });
	expect(await rest("POST", `${path}/messages`, { content: "x" })).toMatchObject({ status: 200 });
	await admin.setBotPermissions({ permissions: null });
	expect(await rest("POST", `${path}/messages`, { content: "x" })).toMatchObject(refusal(400, 160_005));
});

/** A private thread of Ada, without the bot. */
async function withPrivate() {
	const opened = await withThread();
	const { ada, rest, channel, userNamed } = opened;
	const id = await ada.startThread("Plans", { channel: "general", isPrivate: true });
	const path = `/channels/${id}`;
	const guildId = (await ada.state()).guild.id;
	const [grace, robin] = [await userNamed("grace"), await userNamed("robin")];
	const listed = async (list: string) =>
		((await rest("GET", list)).body as { threads: APIThreadChannel[] }).threads.map((thread) => thread.id);
	const active = () => listed(`/guilds/${guildId}/threads/active`);
	const own = (await rest("POST", `${channel}/threads`, { name: "Own" })).body as APIThreadChannel;
	return { ...opened, id, path, grace, robin, listed, active, own };
}
const sees = async (user: { state: () => Promise<PageState> }, id: string) =>
	(await user.state()).channels.some((channel) => channel.id === id);

describe("a private thread", () => {
	test("is seen by its members and by those who manage threads only", async () => {
		const { id, path, rest, ada, grace, robin, bot, openBot, active, own, manage } = await withPrivate();
		expect([await sees(ada, id), await sees(grace, id), await sees(robin, id)]).toStrictEqual([true, false, true]);
		await expect(grace.say("x", { channel: id })).rejects.toThrow("Unknown channel");
		await ada.say("a secret", { channel: id });
		expect(await rest("GET", path)).toMatchObject(refusal(403, 50001));
		expect(await active()).not.toContain(id);
		expect(await active()).toContain(own.id);
		const { gateway } = await openBot({ intents: Guilds });
		const { d } = await gateway.until(({ t }) => t === "GUILD_CREATE");
		expect((d["threads"] as APIThreadChannel[]).map((thread) => thread.id)).not.toContain(id);
		expect(JSON.stringify(bot.gateway.received)).not.toContain(id);
		const created = bot.gateway.received.filter(({ t, d: thread }) => t === "THREAD_CREATE" && thread["id"] === own.id);
		expect(created).toHaveLength(1);
		await manage();
		expect(await rest("GET", path)).toMatchObject({ body: { type: 12 } });
		expect(await active()).toContain(id);
	});

	test("reaches those who are added, and is lost by those who are removed", async () => {
		const { id, path, rest, ada, grace, bot, applicationId } = await withPrivate();
		const isAbout = (name: string) => bot.gateway.received.filter(({ t, d }) => t === name && d["id"] === id);
		await ada.say(`come in, <@${grace.me.user.id}> <@${applicationId}>`, { channel: id });
		expect(await sees(grace, id)).toBe(true);
		const { d } = await bot.gateway.until(({ t, d: thread }) => t === "THREAD_CREATE" && thread["id"] === id);
		expect(d).toMatchObject({ type: 12, member: { user_id: applicationId } });
		expect(d).not.toHaveProperty("newly_created");
		expect(await rest("GET", path)).toMatchObject({ status: 200 });
		expect(await rest("DELETE", `${path}/thread-members/${grace.me.user.id}`)).toMatchObject(refusal(403, 50013));
		await rest("DELETE", `${path}/thread-members/@me`);
		await expect
			.poll(() => isAbout("THREAD_MEMBERS_UPDATE").at(-1)?.d)
			.toMatchObject({
				removed_member_ids: [applicationId],
			});
		expect(await rest("GET", path)).toMatchObject(refusal(403, 50001));
	});

	test("that is not invitable takes members from its owner and from those who manage threads, if they see the channel", async () => {
		const { own, path, rest, grace, robin, ada, admin, manage, id, applicationId } = await withPrivate();
		await rest("PATCH", `/channels/${own.id}`, { invitable: false });
		const members = `/channels/${own.id}/thread-members`;
		expect(await rest("PUT", `${members}/${ada.me.user.id}`)).toMatchObject({ status: 204 });
		await ada.say(`<@${grace.me.user.id}>`, { channel: own.id });
		expect(await sees(grace, own.id)).toBe(false);
		const hidden = { id: grace.me.user.id, type: 1, deny: PermissionFlagsBits.ViewChannel.toString() } as const;
		await admin.setOverwrites({ channelId: own.parent_id ?? "", overwrites: [hidden] });
		await robin.say(`<@${grace.me.user.id}>`, { channel: own.id });
		expect(await rest("PUT", `${members}/${grace.me.user.id}`)).toMatchObject(refusal(403, 50001));
		expect(JSON.stringify(await rest("GET", members))).not.toContain(grace.me.user.id);
		await admin.setOverwrites({ channelId: own.parent_id ?? "", overwrites: [] });
		await robin.say(`<@${grace.me.user.id}>`, { channel: own.id });
		expect(await sees(grace, own.id)).toBe(true);
		expect(await rest("DELETE", `${members}/${ada.me.user.id}`)).toMatchObject({ status: 204 });
		expect(await sees(ada, own.id)).toBe(false);
		await ada.say(`<@${applicationId}>`, { channel: id });
		await manage();
		await rest("PATCH", path, { invitable: false });
		await admin.setBotPermissions({ permissions: null });
		expect(await rest("PUT", `${path}/thread-members/${grace.me.user.id}`)).toMatchObject(refusal(403, 50013));
	});

	test("is listed with the archived private threads: all for managers, else the joined ones", async () => {
		const { id, own, path, channel, rest, listed, manage, admin } = await withPrivate();
		expect(own).toMatchObject({ type: 12 });
		const [all, publicOnes] = [`${channel}/threads/archived/private`, `${channel}/threads/archived/public`];
		const joined = `${channel}/users/@me/threads/archived/private`;
		await rest("PATCH", `/channels/${own.id}`, { archived: true });
		expect(await rest("GET", all)).toMatchObject(refusal(403, 50013));
		await manage();
		await rest("PATCH", path, { archived: true });
		expect(new Set(await listed(all))).toStrictEqual(new Set([id, own.id]));
		await admin.setBotPermissions({ permissions: null });
		expect([await listed(joined), await listed(publicOnes)]).toStrictEqual([[own.id], []]);
		expect(await listed(`${joined}?before=${own.id}`)).toStrictEqual([]);
	});
});
