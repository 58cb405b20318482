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

describe("the state of the page", () => {
	test("of a new playground has a guild with four channels and five members, and no bot online", async () => {
		const playground = await openPlayground();
		expect(await (await playground.user()).state()).toMatchObject({
			me: { user: { username: "robin", global_name: "Robin" }, isAdmin: true },
			members: [
				{ user: { username: "robin" } },
				{ user: { username: "ada" }, isAdmin: false },
				{ user: { username: "grace" } },
				{ user: { username: "lena" }, locale: "de" },
				{ user: { username: "yuki" }, locale: "ja" },
			],
			guild: { name: "Atelier Playground" },
			channels: [{ name: "general" }, { name: "gallery" }, { name: "after-dark" }, { name: "notices" }],
			bot: { online: false, user: { username: "Atelier" } },
			commands: [],
			messages: [],
		});
	});
});

describe("a command from the page", () => {
	test.each([
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
		await expect(user.type("/image", values as { [name: string]: string })).rejects.toThrow(words);
	});

	test("takes an upload as an option only from its owner, and only of the option's file types", async () => {
		const { playground, bot, user } = await typed();
		const source = await user.upload({ name: "a.png", bytes: Buffer.from("png") });
		const reply = await user.type("/image", { prompt: "x", source });
		const { payload } = await bot.interaction(reply.interactionId);
		expect(payload["data"]).toMatchObject({
			options: [{ name: "prompt" }, { name: "source", type: 11, value: source }],
			resolved: {
				attachments: { [source]: { filename: "a.png", size: 3, content_type: "image/png", ephemeral: true } },
			},
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
		const { playground, bot, user } = await typed();
		const option = { type, name: "pick", description: "x", choices: [{ name, value }] };
		await playground.register({ name: "choose", description: "x", options: [option] });
		for (const pick of [value, name]) {
			const { interactionId } = await user.type("/choose", { pick });
			const { payload } = await bot.interaction(interactionId);
			expect(payload["data"]).toMatchObject({ options: [{ name: "pick", type, value }] });
		}
		await expect(user.type("/choose", { pick: "other" })).rejects.toThrow(`pick must be one of: ${name}.`);
	});

	test("has its subcommand after its name", async () => {
		const { playground, bot, user } = await typed();
		const grant = {
			type: 1,
			name: "grant",
			description: "x",
			options: [{ type: 6, name: "who", description: "x", required: true }],
		};
		await playground.register({ name: "credits", description: "x", options: [grant] });
		const who = user.me.user.id;
		const reply = await user.type("/credits grant", { who });
		const interaction = await bot.interaction(reply.interactionId);
		expect(interaction.payload["data"]).toMatchObject({
			name: "credits",
			options: [{ name: "grant", type: 1, options: [{ name: "who", type: 6, value: who }] }],
			resolved: { users: { [who]: { username: "robin" } }, members: { [who]: { roles: [expect.any(String)] } } },
		});
		await interaction.callback({ type: 4, data: { content: "granted" } });
		expect(await reply.until()).toMatchObject({ interaction: { name: "credits grant" } });
		await expect(user.type("/credits", {})).rejects.toThrow("needs a subcommand: grant");
		await expect(user.type("/credits take", {})).rejects.toThrow("no subcommand take");
	});

	test("takes a channel only of the option's types, and only one that the member sees", async () => {
		const { register, user, admin, ids } = await openPlayground();
		const where = { type: 7, description: "x" };
		const options = [
			{ ...where, name: "voice", channel_types: [2] },
			{ ...where, name: "thread", channel_types: [11] },
			{ ...where, name: "any" },
		];
		await register({ name: "go", description: "x", options });
		const ada = await user((await ids()).userId("ada"));
		const { guild } = await ada.state();
		const general = (await ids()).channelId("general");
		const thread = await ada.startThread("Boats");
		for (const values of [{ voice: general }, { thread: general }])
			await expect(ada.type("/go", values)).rejects.toThrow("must be a channel of this server");
		await ada.type("/go", { thread });
		await ada.type("/go", { any: thread });
		const hidden = (await ids()).channelId("gallery");
		await admin.setOverwrites({ channelId: hidden, overwrites: [{ id: guild.id, type: 0, deny: "1024" }] });
		await expect(ada.type("/go", { any: hidden })).rejects.toThrow("must be a channel of this server");
	});

	test("is limited by its contexts; its permissions do not apply in direct messages", async () => {
		const { playground, bot, user } = await typed();
		const ada = (await user.state()).members[1]?.user.id ?? "";
		const { id: channel } = (await playground.rest("POST", "/users/@me/channels", { recipient_id: ada })).body as {
			id: string;
		};
		await playground.register(
			{ name: "anywhere", description: "x", default_member_permissions: "0" },
			{ name: "guilds", description: "x", contexts: [0] },
			{ name: "direct", description: "x", contexts: [1] },
			{ name: "old", description: "x", dm_permission: false },
			{ name: "personal", description: "x", integration_types: [1] },
		);
		const other = await playground.user(ada);
		const reply = await other.type("/anywhere", {}, { channel });
		expect((await bot.interaction(reply.interactionId)).payload).toMatchObject({ context: 1, user: { id: ada } });
		for (const name of ["/guilds", "/old"]) {
			await expect(other.type(name, {}, { channel })).rejects.toThrow(`${name} cannot be used here.`);
		}
		await expect(other.type("/personal")).rejects.toThrow("Unknown command /personal");
		await expect(other.type("/direct")).rejects.toThrow("/direct cannot be used here.");
		await expect(user.type("/anywhere", {}, { channel })).rejects.toThrow("Unknown channel.");
	});

	test("with an upload of any size over the limit is rejected with a message", async () => {
		const { user } = await typed();
		for (const size of [60 * 1024 * 1024, 10 * 1024 * 1024 + 1]) {
			const upload = user.upload({ name: "a.png", bytes: Buffer.alloc(size) });
			await expect(upload).rejects.toThrow("at most 10 MiB");
		}
	});
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
		const { headers } = await fetch(url);
		expect(headers.get("content-type")).toBe(type);
		expect(headers.get("content-disposition")).toMatch(/^attachment;/);
		expect(headers.get("x-content-type-options")).toBe("nosniff");
		expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
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
async function openStream(origin: string) {
	const { body } = await fetch(`${origin}/playground/events`);
	const reader = (body ?? new ReadableStream<never>()).pipeThrough(new TextDecoderStream()).getReader();
	onTestFinished(() => reader.cancel());
	let text = "";
	return async (isLast: (event: PageEvent) => boolean): Promise<readonly PageEvent[]> => {
		for (;;) {
			const events = text
				.split("\n\n")
				.slice(0, -1)
				.filter((each) => each.startsWith("data: "));
			const parsed = events.map((each): PageEvent => JSON.parse(each.slice("data: ".length)));
			const at = parsed.findIndex(isLast);
			if (at !== -1) return parsed.slice(0, at + 1);
			text += (await reader.read()).value ?? "";
		}
	};
}

describe("the event stream", () => {
	test("has one event for the changes of one request, with the commands only if they changed", async () => {
		const { origin, register, admin, user, ids } = await openPlayground();
		const { userId, roleId } = await ids();
		await register({ name: "old", description: "x" });
		const names = ["ada", "grace", "lena", "yuki"];
		for (const name of names) await admin.setMember({ userId: userId(name), roleIds: [roleId("Patrons")] });
		const eventsUntil = await openStream(origin);
		await admin.reset();
		await (await user()).say("Done.");
		const events = await eventsUntil(({ type }) => type === "message");
		expect(events.map(({ type }) => type)).toStrictEqual(["page", "message"]);
		expect(events[0]).not.toHaveProperty("page.commands");
		await register({ name: "new", description: "x" });
		const [changed] = (await eventsUntil((event) => event.type === "page" && event.page.commands !== undefined)).slice(
			-1,
		);
		expect(changed).toMatchObject({ page: { commands: [{ name: "new" }] } });
	});

	test("has the members only if they changed, and nothing for those who join a public thread", async () => {
		const { origin, admin, userNamed, ids } = await openPlayground();
		const { userId, roleId } = await ids();
		const [ada, grace] = [await userNamed("ada"), await userNamed("grace")];
		const threadId = await ada.startThread("Boats");
		const eventsUntil = await openStream(origin);
		await grace.say("A boat.", { channel: threadId });
		await ada.startThread("Lighthouses");
		await admin.setMember({ userId: userId("ada"), roleIds: [roleId("Patrons")] });
		await ada.say("Done.");
		const events = await eventsUntil((event) => event.type === "message" && event.message.content === "Done.");
		expect(
			events.flatMap((event) => (event.type === "page" ? [Object.keys(event.page).includes("members")] : [])),
		).toStrictEqual([false, true]);
	});

	test("has a new thread before its first message", async () => {
		const { origin, user } = await openPlayground();
		const eventsUntil = await openStream(origin);
		const member = await user();
		const threadId = await member.startThread("Boats");
		await member.say("A boat.", { channel: threadId });
		const events = await eventsUntil((event) => event.type === "message" && event.message.content === "A boat.");
		const firstMessage = events.findIndex((event) => event.type === "message" && event.message.channel_id === threadId);
		const page = events.findIndex(
			(event) => event.type === "page" && event.page.channels.some(({ id }) => id === threadId),
		);
		expect(page).toBeGreaterThan(-1);
		expect(page).toBeLessThan(firstMessage);
	});
});
