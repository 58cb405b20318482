import { PermissionFlagsBits } from "discord-api-types/v10";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { request } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import type { PageEvent } from "../src/page/page-contract.ts";
import { deferred, openPlayground, openWire, typed } from "../testing/setup.ts";

/** Node's fetch does not let a caller set Host. */
function statusWith(origin: string, path: string, headers: { [name: string]: string }): Promise<number> {
	return new Promise((resolve, reject) => {
		request(`${origin}${path}`, { headers }, (response) => {
			response.resume();
			resolve(response.statusCode ?? 0);
		})
			.on("error", reject)
			.end();
	});
}

/** A user who types commands with these options, and the interactions of the bot. */
async function withCommand(name: string, ...options: readonly object[]) {
	const playground = await openPlayground();
	const bot = await playground.bot();
	await playground.register({ name, description: "x", options });
	const user = await playground.user();
	const type = async (values: { [option: string]: string | number } = {}, command = `/${name}`) =>
		bot.interaction((await user.type(command, values)).interactionId);
	return { ...playground, you: user, type };
}

describe("a command from the page", () => {
	test.each<[{ [name: string]: string | number }, string]>([
		[{}, "prompt is required."],
		[{ prompt: "" }, "prompt is required."],
		[{ prompt: "x".repeat(101) }, "prompt may have at most 100 characters; this has 101."],
		[{ prompt: "x", seed: "soon" }, "seed must be a whole number."],
		[{ prompt: "x", seed: 1.5 }, "seed must be a whole number."],
		[{ prompt: "x", seed: -1 }, "seed must be 0 or more."],
		[{ prompt: "x", seed: "1001" }, "seed must be 1000 or less."],
		[{ prompt: "x", colour: "blue" }, "There is no option colour."],
		[{ prompt: "x", source: "123" }, "source must be a file that you uploaded."],
	])("%o is rejected: %s", async (values, words) => {
		const { user } = await typed();
		await expect(user.type("/image", values)).rejects.toThrow(words);
	});

	test("takes an upload as an option only from its owner, and only of the option's file types", async () => {
		const { playground, bot, user } = await typed();
		const source = await user.upload({ name: "a.png", bytes: Buffer.from("png") });
		const reply = await user.type("/image", { prompt: "x", source });
		const file = { filename: "a.png", size: 3, content_type: "image/png", ephemeral: true };
		expect((await bot.interaction(reply.interactionId)).payload["data"]).toMatchObject({
			options: [{ name: "prompt" }, { name: "source", type: 11, value: source }],
			resolved: { attachments: { [source]: file } },
		});
		const ada = await playground.userNamed("ada");
		await expect(ada.type("/image", { prompt: "x", source })).rejects.toThrow("a file that you uploaded");
		const text = await user.upload({ name: "a.txt", bytes: Buffer.from("text") });
		await expect(user.type("/image", { prompt: "x", source: text })).rejects.toThrow("takes only these files: image");
	});

	test.each([
		[3, "b", "Blue"],
		[4, 2, "Two"],
	])("with choices of type %i takes a value or a name, and nothing else", async (type, value, name) => {
		const pick = { type, name: "pick", description: "x", choices: [{ name, value }] };
		const { type: typeWith } = await withCommand("choose", pick);
		for (const given of [value, name])
			expect((await typeWith({ pick: given })).payload["data"]).toMatchObject({
				options: [{ name: "pick", type, value }],
			});
		await expect(typeWith({ pick: "other" })).rejects.toThrow(`pick must be one of: ${name}.`);
	});

	test("has its subcommand after its name", async () => {
		const options = [{ type: 6, name: "who", description: "x", required: true }];
		const { you, type } = await withCommand("credits", { type: 1, name: "grant", description: "x", options });
		const who = you.me.user.id;
		const interaction = await type({ who }, "/credits grant");
		expect(interaction.payload["data"]).toMatchObject({
			name: "credits",
			options: [{ name: "grant", type: 1, options: [{ name: "who", type: 6, value: who }] }],
			resolved: { users: { [who]: { username: "robin" } }, members: { [who]: { roles: [expect.any(String)] } } },
		});
		await interaction.callback({ type: 4, data: { content: "granted" } });
		expect(await you.untilMessage(({ content }) => content === "granted")).toMatchObject({
			interaction: { name: "credits grant" },
		});
		await expect(type()).rejects.toThrow("needs a subcommand: grant");
		await expect(type({}, "/credits take")).rejects.toThrow("no subcommand take");
	});

	test("takes a channel only of the option's types, and only one that the member sees", async () => {
		const where = { type: 7, description: "x" };
		const { userNamed, admin, guild, channelId } = await withCommand(
			"go",
			{ ...where, name: "voice", channel_types: [2] },
			{ ...where, name: "thread", channel_types: [11] },
			{ ...where, name: "any" },
		);
		const ada = await userNamed("ada");
		const [general, hidden] = [channelId("general"), channelId("gallery")];
		const thread = await ada.startThread("Boats");
		const deny = [{ id: guild.id, type: 0 as const, deny: "1024" }];
		await admin.setOverwrites({ channelId: hidden, overwrites: deny });
		for (const values of [{ voice: general }, { thread: general }, { any: hidden }] as { [name: string]: string }[])
			await expect(ada.type("/go", values)).rejects.toThrow("must be a channel of this server");
		for (const values of [{ thread }, { any: thread }] as { [name: string]: string }[]) await ada.type("/go", values);
	});

	test("is limited by its contexts; its permissions do not apply in direct messages", async () => {
		const { playground, bot, user } = await typed();
		const ada = await playground.userNamed("ada");
		const { id } = ada.me.user;
		const opened = await playground.rest("POST", "/users/@me/channels", { recipient_id: id });
		const direct = { channel: (opened.body as { id: string }).id };
		await playground.register(
			{ name: "anywhere", description: "x", default_member_permissions: "0" },
			{ name: "guilds", description: "x", contexts: [0] },
			{ name: "direct", description: "x", contexts: [1] },
			{ name: "old", description: "x", dm_permission: false },
			{ name: "personal", description: "x", integration_types: [1] },
		);
		const reply = await ada.type("/anywhere", {}, direct);
		expect((await bot.interaction(reply.interactionId)).payload).toMatchObject({ context: 1, user: { id } });
		for (const [invoker, name, where, words] of [
			[ada, "/guilds", direct, "/guilds cannot be used here."],
			[ada, "/old", direct, "/old cannot be used here."],
			[ada, "/personal", {}, "Unknown command /personal"],
			[ada, "/direct", {}, "/direct cannot be used here."],
			[user, "/anywhere", direct, "Unknown channel."],
		] as const)
			await expect(invoker.type(name, {}, where)).rejects.toThrow(words);
	});

	test.each([60 * 1024 * 1024, 10 * 1024 * 1024 + 1])(
		"with an upload of %i bytes is rejected with a message",
		async (size) => {
			const user = await (await openPlayground()).user();
			const upload = user.upload({ name: "a.png", bytes: Buffer.alloc(size) });
			await expect(upload).rejects.toThrow("at most 10 MB");
		},
	);
});

async function uploaded(name: string, bytes: Buffer) {
	const scene = await deferred();
	const { body } = await scene.interaction.webhook("PATCH", { content: "x" }, { files: [{ name, bytes }] });
	const [file] = (body as { attachments: { url: string }[] }).attachments;
	return { ...scene, url: file?.url ?? "" };
}

describe("a file", () => {
	test("that is a video is served in ranges, which browsers need to seek", async () => {
		const { url, user } = await uploaded("a.mp4", Buffer.from("0123456789"));
		expect((await user.download({ url }, { start: 2, end: 4 })).toString()).toBe("234");
		const { status, headers } = await fetch(url, { headers: { range: "bytes=10-" } });
		expect([status, headers.get("content-range")]).toStrictEqual([416, "bytes */10"]);
	});

	test.each([
		["a.html", "application/octet-stream"],
		["a.svg", "image/svg+xml"],
		["a", "application/octet-stream"],
	])("named %s is served as %s, a download that executes nothing", async (name, type) => {
		const { url } = await uploaded(name, Buffer.from("<script>alert(1)</script>"));
		expect(Object.fromEntries((await fetch(url)).headers)).toMatchObject({
			"content-type": type,
			"content-disposition": expect.stringMatching(/^attachment;/),
			"x-content-type-options": "nosniff",
			"content-security-policy": "default-src 'none'; sandbox",
		});
	});

	test("that is missing is 404, and its URL is never a path on the disk", async () => {
		const { origin } = await openPlayground();
		for (const name of ["1/2/a.png", "1/2/..%2F..%2Fpackage.json", "1/..%2F..%2F/a"]) {
			expect((await fetch(`${origin}/playground/media/${name}`)).status).toBe(404);
		}
	});
});

describe("access", () => {
	const OTHER = "evil.example";

	test.each([
		["another host", { host: OTHER }, 403],
		["localhost with another port", { host: "localhost:1" }, 403],
		["localhost with its port", { host: "localhost:PORT" }, 200],
		["the page of another site", { origin: `http://${OTHER}` }, 403],
		["a page without an origin", { origin: "null" }, 403],
		["a page of localhost at another port", { origin: "http://localhost:1" }, 403],
		["its own page", { origin: "http://127.0.0.1:PORT" }, 200],
	])("%s with %o gets %i", async (_, headers: { [name: string]: string }, status) => {
		const { origin } = await openPlayground();
		const { port } = new URL(origin);
		const header = Object.fromEntries(
			Object.entries(headers).map(([name, value]) => [name, value.replace("PORT", port)]),
		);
		expect(await statusWith(origin, "/playground/state", header)).toBe(status);
	});

	test("a connection for another host is rejected by the gateway too", async () => {
		const { origin } = await openPlayground();
		const gateway = openWire(`${origin.replace("http", "ws")}/playground/gateway`, { headers: { host: OTHER } });
		await expect(gateway).rejects.toThrow("403");
	});
});

/** Reads the events of a page that opens now. Resolves to those until the first one that satisfies `isLast`. */
async function openStream(origin: string, query = "") {
	const { body } = await fetch(`${origin}/playground/events${query}`);
	const stream = (body ?? new ReadableStream<never>()).pipeThrough(new TextDecoderStream());
	const reader = stream.pipeThrough(new EventSourceParserStream()).getReader();
	onTestFinished(() => reader.cancel());
	expect(JSON.parse((await reader.read()).value?.data ?? "")).toMatchObject({ type: "state" });
	const events: PageEvent[] = [];
	return async (isLast: (event: PageEvent) => boolean): Promise<readonly PageEvent[]> => {
		for (;;) {
			const at = events.findIndex(isLast);
			if (at !== -1) return events.slice(0, at + 1);
			const { value } = await reader.read();
			events.push(JSON.parse(value?.data ?? "") as PageEvent);
		}
	};
}

const says = (content: string) => (event: PageEvent) => event.type === "message" && event.message.content === content;

const pageFields = (event: PageEvent | undefined): string[] => (event?.type === "page" ? Object.keys(event.page) : []);

describe("the event stream", () => {
	test("has one event for the changes of one request, with the changed fields only", async () => {
		const { origin, register, admin, user, userId, roleId } = await openPlayground();
		await register({ name: "old", description: "x" });
		for (const name of ["ada", "grace", "lena", "yuki"])
			await admin.setMember({ userId: userId(name), roleIds: [roleId("Patrons")] });
		const eventsUntil = await openStream(origin);
		await admin.reset();
		await (await user()).say("Done.");
		const events = await eventsUntil(says("Done."));
		expect(events.map(({ type }) => type)).toStrictEqual(["page", "message"]);
		expect(pageFields(events[0])).toStrictEqual(["members"]);
		await register({ name: "new", description: "x" });
		const changed = (await eventsUntil((event) => pageFields(event).includes("commands"))).at(-1);
		expect(pageFields(changed)).toStrictEqual(["channels", "commands"]);
		expect(changed).toMatchObject({ page: { commands: [{ name: "new" }] } });
	});

	test("has a new thread before its first message, and the members only if they changed, not if they join a thread", async () => {
		const { origin, admin, userNamed, userId, roleId } = await openPlayground();
		const [ada, grace] = [await userNamed("ada"), await userNamed("grace")];
		const threadId = await ada.startThread("Boats");
		const eventsUntil = await openStream(origin);
		await grace.say("A boat.", { channel: threadId });
		const newThreadId = await ada.startThread("Lighthouses");
		await admin.setMember({ userId: userId("ada"), roleIds: [roleId("Patrons")] });
		await ada.say("Done.", { channel: newThreadId });
		const pages = (await eventsUntil(says("Done."))).filter((event) => event.type === "page");
		expect(pages.map(({ page }) => "members" in page)).toStrictEqual([false, true]);
		expect(pages[0]?.page.channels?.map(({ id }) => id)).toContain(newThreadId);
	});

	test("has the state again when a channel comes into view, with its messages", async () => {
		const { origin, admin, channelId, guild, rest, channel, userId } = await openPlayground();
		const hide = async (deny: bigint) =>
			admin.setOverwrites({
				channelId: channelId("gallery"),
				overwrites: [{ id: guild.id, type: 0, deny: String(deny) }],
			});
		await rest("POST", `${await channel("gallery")}/messages`, { content: "hidden" });
		await hide(PermissionFlagsBits.ViewChannel);
		const eventsUntil = await openStream(origin, `?user=${userId("ada")}`);
		await hide(0n);
		const state = (await eventsUntil(({ type }) => type === "state")).at(-1);
		expect(state).toMatchObject({ state: { messages: [{ content: "hidden" }] } });
	});
});

test("the state has the newest hundred messages of each channel", async () => {
	const { rest, send, channel, user } = await openPlayground();
	await rest("POST", `${await channel("gallery")}/messages`, { content: "quiet" });
	for (let at = 0; at < 101; at++) await send({ content: `${at}` });
	const contents = (await (await user()).messages()).map(({ content }) => content);
	expect(contents).toHaveLength(101);
	expect(contents.slice(0, 2)).toStrictEqual(["quiet", "1"]);
});
