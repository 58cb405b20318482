/** Messages of the bot: limits, files, mentions, components, and their life. */
import { describe, expect, test } from "vitest";
import { type APIMessage, PermissionFlagsBits } from "discord-api-types/v10";
import { deferred, invalidFormBody, MINUTE_MS, openPlayground, refusal, type RestOptions } from "../testing/setup.ts";

const PNG = Buffer.concat([
	Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
	Buffer.from("0000000a00000014", "hex"),
	Buffer.alloc(40, 7),
]);
const V2 = 32768;

const png = (...names: readonly string[]) => names.map((name) => ({ name, bytes: PNG }));
const ofSize = (bytes: number, count: number) =>
	Array.from({ length: count }, (_, at) => ({ name: `${at}.mp4`, bytes: Buffer.alloc(bytes) }));

async function inGeneral() {
	const playground = await openPlayground();
	const path = `${await playground.channel()}/messages`;
	return {
		...playground,
		path,
		post: (body: object, options?: RestOptions) => playground.rest("POST", path, body, options),
		edit: (id: string, body: object) => playground.rest("PATCH", `${path}/${id}`, body),
	};
}

/** A deferred reply with the function that edits it. */
async function withReply() {
	const scene = await deferred();
	const edit = (body: object, files: ReturnType<typeof png> = []) =>
		scene.interaction.webhook("PATCH", body, { files });
	return {
		...scene,
		edit,
		edited: async (...change: Parameters<typeof edit>) => (await edit(...change)).body as APIMessage,
	};
}

const OPTION = { label: "One", value: "1" };
const button = (change: object = {}) => ({ type: 2, style: 1, label: "x", custom_id: "x", ...change });
const link = (url: string, change: object = {}) => ({ type: 2, style: 5, label: "x", url, ...change });
const menu = (change: object = {}) => ({ type: 3, custom_id: "x", options: [OPTION], ...change });
const inOneRow = (...components: object[]) => ({ content: "x", components: [{ type: 1, components }] });
const text = (content: string, change: object = {}) => ({ type: 10, content, ...change });
const texts = (count: number, chars = 1) => Array.from({ length: count }, () => text("x".repeat(chars)));
const v2 = (...components: object[]) => ({ flags: V2, components });
const buttonRows = (count: number) =>
	Array.from({ length: count }, (_, at) => ({ type: 1, components: [button({ custom_id: `${at}` })] }));

describe("an edit of a deferred reply is rejected, and the reply stays unchanged, for", () => {
	const MIB = 1024 * 1024;
	const missing = { embeds: [{ title: "A", image: { url: "attachment://a.png" } }] };
	test.each<[string, object, NonNullable<RestOptions["files"]>, object]>([
		["an attachment that names no file", { attachments: [{ id: "3" }] }, [], invalidFormBody("attachments.0.id")],
		["a file that no attachment names", { attachments: [] }, png("a.png"), invalidFormBody("attachments")],
		["one file over 10 MiB", { content: "x" }, ofSize(10 * MIB + 1, 1), refusal(400, 50045)],
		["a body over 25 MiB", { content: "x" }, ofSize(9 * MIB, 3), refusal(413, 40005)],
		["an eleventh file", { content: "x" }, ofSize(1, 11), refusal(400, 30015)],
		["an embed of a file that is not there", missing, [], invalidFormBody("embeds.0.image.url")],
	])("%s", async (_, body, files, answer) => {
		const { edit, reply } = await withReply();
		expect(await edit(body, files as ReturnType<typeof png>)).toMatchObject(answer);
		expect(reply.message()?.flags).toBe(128);
	});
});

const imageAt = (url: string) => ({ embeds: [{ image: { url } }] });

describe("a message is rejected for", () => {
	const SCHEME = "URL_TYPE_INVALID_SCHEME";
	const embeds = [1, 2].map((at) => ({ title: `${at}`, description: "x".repeat(3_000) }));
	const users = { content: "x", allowed_mentions: { parse: ["users"], users: ["1"] } };
	const addressed = { embeds: [{ title: "x", url: "attachment://a.png" }] };
	const file = v2({ type: 13, file: { url: "https://a.example/a" } });
	const twice = v2(text("x", { id: 3 }), text("y", { id: 3 }));

	test.each<[what: string, body: object, place: string, code?: string]>([
		["content of 2001 characters", { content: "x".repeat(2_001) }, "content", "BASE_TYPE_MAX_LENGTH"],
		["embeds of more than 6000 characters together", { embeds }, "embeds"],
		["the flag of an ephemeral message", { content: "x", flags: 64 }, "flags"],
		["the flag of a loading message", { content: "x", flags: 128 }, "flags"],
		["half a flag", { content: "x", flags: 1.5 }, "flags"],
		["a negative flag", { content: "x", flags: -1 }, "flags"],
		["parse and a list of the same kind of mention", users, "allowed_mentions"],
		["an embed without content", { embeds: [{ color: 1 }] }, "embeds.0.description", "BASE_TYPE_REQUIRED"],
		["an embed of spaces", { embeds: [{ description: "\n", footer: { text: " " } }] }, "embeds.0.description"],
		["a file as the address of an embed", addressed, "embeds.0.url", SCHEME],
		["an image of another scheme", imageAt("ftp://a.example/a.png"), "embeds.0.image.url", SCHEME],
		["an image on a drive", imageAt("C:\\a.png"), "embeds.0.image.url", SCHEME],
		["an image without a scheme", imageAt("localhost:3000/a.png"), "embeds.0.image.url", SCHEME],
		["an image with a space", imageAt("https://a.example/a b.png"), "embeds.0.image.url", "URL_TYPE_INVALID_URL"],
		["one custom id twice", inOneRow(button(), button()), "components", "COMPONENT_CUSTOM_ID_DUPLICATED"],
		["six rows", { content: "x", components: buttonRows(6) }, "components"],
		["components v2 without their flag", { components: texts(1) }, "components"],
		["components v2 with content", { ...v2(text("x")), content: "x" }, "content"],
		["two components with one id", twice, "components", "COMPONENT_ID_DUPLICATED"],
		["a file component with a web address", file, "components.0.file.url"],
	])("%s", async (_, body, place, code) => {
		expect(await (await inGeneral()).post(body)).toMatchObject(invalidFormBody(place, code));
	});

	const emoji = { name: "party" };
	const defaults = ["1", "2"].map((value) => ({ label: value, value, default: true }));
	test.each<[what: string, component: object, place: string, code?: string]>([
		["a link with a script", link("javascript:alert(1)"), "url", SCHEME],
		["a link without an address", button({ style: 5, custom_id: undefined }), "url"],
		["a link with a custom id", link("https://a.example", { custom_id: "x" }), "custom_id"],
		["a button without a custom id", button({ custom_id: undefined }), "custom_id"],
		["a button with neither a label nor an emoji", button({ label: undefined }), "label"],
		["a name as the emoji of an option", menu({ options: [{ ...OPTION, emoji }] }), "options.0.emoji.name"],
		["a repeated value of a menu", menu({ options: [OPTION, OPTION] }), "options.1.value"],
		["max_values above the number of options", menu({ max_values: 2 }), "max_values"],
		["min_values above max_values", { type: 5, custom_id: "x", min_values: 3, max_values: 2 }, "min_values"],
		["two defaults of a menu with one value", menu({ options: defaults }), "options"],
	])("%s", async (_, component, place, code) => {
		const answer = await (await inGeneral()).post(inOneRow(component));
		expect(answer).toMatchObject(invalidFormBody(`components.0.components.0.${place}`, code));
	});

	test("two menus in a row", async () => {
		const answer = await (await inGeneral()).post(inOneRow(menu(), menu({ custom_id: "y" })));
		expect(answer).toMatchObject(invalidFormBody("components.0", "COMPONENT_LAYOUT_WIDTH_EXCEEDED"));
	});

	test("a user whom the playground does not know", async () => {
		const { rest } = await openPlayground();
		expect(await rest("POST", "/users/@me/channels", { recipient_id: "123" })).toMatchObject(refusal(400, 50033));
	});
});

describe("files", () => {
	test("files[n] pairs with attachments[].id, and the page gets the same bytes", async () => {
		const { edit, reply, user } = await withReply();
		const described = { description: "a lighthouse" };
		const answer = await edit({ content: "done", attachments: [{ id: "0", ...described }] }, png("art work.png"));
		expect(answer).toMatchObject({ status: 200 });
		const { attachments } = await reply.until();
		const size = { size: PNG.byteLength, width: 10, height: 20 };
		const file = { filename: "art_work.png", content_type: "image/png", ...described, ...size };
		expect(attachments).toMatchObject([file]);
		expect(await user.download(attachments[0] ?? { url: "" })).toStrictEqual(PNG);
	});

	test("an edit keeps all attachments unless it lists some or has new ones; files of removed ones are gone", async () => {
		const { edited, user } = await withReply();
		const { attachments: both } = await edited({ content: "two" }, png("a.png", "b.png"));
		expect((await edited({ content: "still" })).attachments).toStrictEqual(both);
		const [first, second] = both;
		const described = { filename: "b.png", description: "the second" };
		for (const change of [described, {}]) {
			const { attachments } = await edited({ attachments: [{ ...change, id: second?.id }] });
			expect(attachments).toMatchObject([described]);
		}
		await expect(user.download(first ?? { url: "" })).rejects.toThrow("404");
		const { attachments } = await edited({ content: "another" }, png("c.png"));
		expect(attachments).toMatchObject([{ filename: "c.png" }]);
	});

	test("in received embeds and components can be sent back", async () => {
		const { post, edit } = await inGeneral();
		const [icon_url, url] = ["attachment://icon.png", "attachment://a.png"];
		const embed = { title: "A", image: { url }, author: { name: "A", icon_url }, footer: { text: "F", icon_url } };
		const row = { type: 1, components: [link("discord://-/home")] };
		for (const body of [{ embeds: [embed] }, v2({ type: 12, items: [{ media: { url } }] }, row)]) {
			const sent = (await post(body, { files: png("a.png", "icon.png") })).body as APIMessage;
			const back = "embeds" in body ? { embeds: sent.embeds } : { components: sent.components };
			expect(await edit(sent.id, back)).toMatchObject({ status: 200 });
		}
	});

	test("of two concurrent edits, the second builds on the first", async () => {
		const { edit, reply } = await withReply();
		const embeds = [{ title: "with an embed" }];
		await Promise.all([edit({ content: "with a file" }, ofSize(500_000, 1)), edit({ embeds })]);
		const both = { content: "with a file", attachments: [{ filename: "0.mp4" }], embeds };
		expect(await reply.until((message) => message.content !== "" && message.embeds.length > 0)).toMatchObject(both);
	});

	test("a voice message is one audio file with its length and waveform, and cannot be edited", async () => {
		const { post, edit, denyBot, channelId } = await inGeneral();
		const metadata = { duration_secs: 1.5, waveform: "AAA=" };
		const send = (change: object = {}, name = "voice.ogg", fields: object = metadata) =>
			post({ flags: 8192, attachments: [{ id: "0", ...fields }], ...change }, { files: [{ name, bytes: PNG }] });
		const sent = await send();
		expect(sent).toMatchObject({ status: 200, body: { flags: 8192, attachments: [metadata] } });
		expect(await edit((sent.body as APIMessage).id, { content: "x" })).toMatchObject(refusal(400, 50162));
		expect(await send({ content: "x" })).toMatchObject(refusal(400, 50159));
		expect(await send({}, "voice.png")).toMatchObject(refusal(400, 50160));
		expect(await post({ flags: 8192 })).toMatchObject(refusal(400, 50160));
		expect(await send({}, "voice.ogg", {})).toMatchObject(refusal(400, 50161));
		const [plain] = ((await send({ flags: 0 })).body as APIMessage).attachments;
		expect(plain).not.toHaveProperty("waveform");
		await denyBot(channelId("general"), PermissionFlagsBits.SendVoiceMessages);
		expect(await send()).toMatchObject(refusal(403, 50173));
		await denyBot(channelId("general"), PermissionFlagsBits.AttachFiles);
		expect(await send()).toMatchObject({ status: 200 });
	});

	test("files without an index get the remaining numbers", async () => {
		const { interaction } = await deferred();
		const files = [
			{ name: "a.png", bytes: PNG, field: "file" },
			{ name: "b.png", bytes: PNG, field: "files[0]" },
			{ name: "c.png", bytes: PNG, field: "picture" },
		];
		const body = { attachments: [0, 1, 2].map((id) => ({ id: String(id) })) };
		const answer = await interaction.webhook("PATCH", body, { files });
		expect(answer.body).toMatchObject({ attachments: ["b.png", "a.png", "c.png"].map((filename) => ({ filename })) });
	});

	test("a form without payload_json contains the fields of the message itself", async () => {
		const { origin, botToken, path } = await inGeneral();
		const fields = { content: "Hello, World!", tts: "true", flags: "4", nonce: "12345678901234567890" };
		const body = new FormData();
		for (const [name, value] of Object.entries(fields)) body.set(name, value);
		body.set("file", new Blob([PNG]), "a.png");
		const headers = { authorization: `Bot ${botToken}` };
		const response = await fetch(`${origin}/api/v10${path}`, { method: "POST", headers, body });
		const message = { ...fields, tts: true, flags: 4, attachments: [{ filename: "a.png" }] };
		expect(await response.json()).toMatchObject(message);
	});

	test("a file name is never a path: directories and unusual characters are removed", async () => {
		const { edited } = await withReply();
		const listed = { attachments: [{ id: "0", filename: "../../etc/pass wd\u0000.png" }] };
		expect(await edited(listed, png("x.png"))).toMatchObject({ attachments: [{ filename: "pass_wd_.png" }] });
	});

	test("attachment://name in an embed becomes the URL of the file, which is listed there only", async () => {
		const { edited, user } = await withReply();
		const icon_url = "attachment://icon.png";
		const embeds = [
			{ image: { url: "attachment://a.png" }, author: { name: "A", icon_url }, footer: { text: "F", icon_url } },
		];
		const { embeds: shown, attachments } = await edited({ embeds }, png("a.png", "icon.png", "other.png"));
		const icon = { icon_url: expect.stringMatching(/^http.*\/icon\.png$/) };
		const image = { url: expect.stringMatching(/^http.*\/a\.png$/), width: 10, height: 20 };
		expect(shown).toMatchObject([{ image, author: icon, footer: icon }]);
		expect(attachments).toMatchObject([{ filename: "other.png" }]);
		// The list of an edit need not repeat a file that a kept embed shows.
		expect(await edited({ attachments: [] })).toMatchObject({ attachments: [], embeds: [{ image, author: icon }] });
		expect(await user.download({ url: shown[0]?.image?.url ?? "" })).toStrictEqual(PNG);
		// A file returns to the list when its embed is removed.
		const { attachments: listed } = await edited({ content: "x", embeds: [] });
		expect(listed).toMatchObject([{ filename: "a.png" }, { filename: "icon.png" }]);
	});

	test("titles and descriptions of embeds are trimmed, and empty ones are omitted", async () => {
		const { send } = await inGeneral();
		const image = { url: "https://example.com/a.png" };
		const { embeds } = await send({ embeds: [{ title: " ", description: " a boat\n", image }] });
		expect(embeds).toMatchObject([{ description: "a boat", image }]);
		expect(embeds[0]).not.toHaveProperty("title");
	});

	test("SUPPRESS_EMBEDS hides the embeds until an edit removes the flag", async () => {
		const { send, edit } = await inGeneral();
		const embeds = [{ title: "A" }];
		const { id, ...hidden } = await send({ content: "x", embeds, flags: 4 });
		expect(hidden).toMatchObject({ embeds: [], flags: 4 });
		expect((await edit(id, { flags: 0 })).body).toMatchObject({ embeds, flags: 0 });
	});

	test("an edit of flags repeats those that it cannot change, or leaves them out", async () => {
		const { rest, path, send, edit } = await inGeneral();
		const { id } = await send({ content: "x", flags: 4096 });
		await rest("POST", `${path}/${id}/threads`, { name: "Boats" });
		expect(await edit(id, { flags: 4096 | 32 | 4 })).toMatchObject({ status: 200, body: { flags: 4096 | 32 | 4 } });
		expect(await edit(id, { flags: 64 })).toMatchObject({ status: 200, body: { flags: 4096 | 32 } });
		expect(await edit(id, { flags: -1 })).toMatchObject(invalidFormBody("flags"));
	});
});

describe("mentions", () => {
	test.each([
		["the mentioned user only", {}, 1],
		["no member with parse: []", { allowed_mentions: { parse: [] } }, 0],
	])("of a reply notify %s", async (_, allowed, count) => {
		const { edited, user } = await withReply();
		const { id } = user.me.user;
		const content = `<@${id}> @everyone @here <@&${id}>`;
		const mentions = Array.from({ length: count }, () => ({ id }));
		const pinged = { content, mentions, mention_everyone: false, mention_roles: [] };
		expect(await edited({ content, ...allowed })).toMatchObject(pinged);
		// Only an edit of the content pings again: without allowed_mentions by default.
		expect(await edited({ embeds: [{ title: "later" }] })).toMatchObject({ mentions });
		expect(await edited({ content })).toMatchObject({ mentions: [{ id }] });
	});

	test("of the guild's id as a role ping no one", async () => {
		const { send, guild } = await inGeneral();
		expect(await send({ content: `<@&${guild.id}>` })).toMatchObject({ mention_roles: [], mention_everyone: false });
	});

	test("in text displays ping as those in the content do", async () => {
		const { send, edit, userId } = await inGeneral();
		const adaId = userId("ada");
		const { flags, components } = v2({ type: 17, components: [text(`<@${adaId}> @everyone`)] });
		const sent = await send({ flags, components, allowed_mentions: { parse: ["users"] } });
		expect(sent).toMatchObject({ mentions: [{ id: adaId }], mention_everyone: false });
		expect((await edit(sent.id, { components })).body).toMatchObject({ mention_everyone: true });
	});

	test.each([
		[{}, true],
		[{ allowed_mentions: { parse: [] } }, false],
		[{ content: "`@everyone` and ``a ` @everyone``" }, false],
		[{ content: "```\n@everyone\n```" }, false],
		[{ content: "`a` @everyone `b`" }, true],
	])("of a bot message with %j notify every member: %s", async (changes, mention_everyone) => {
		const { send } = await openPlayground();
		expect(await send({ content: "@everyone", ...changes })).toMatchObject({ mention_everyone });
	});
});

const shownFile = (name: string) => ({
	url: expect.stringContaining(`/${name}`),
	width: 10,
	height: 20,
	attachment_id: expect.any(String),
});

describe("components", () => {
	test("of version 2 replace a deferred reply, and contain what is known of the files that they show", async () => {
		const { edit } = await withReply();
		const [a, b] = [{ url: "attachment://a.png" }, { url: "attachment://b.png" }];
		const body = v2({ type: 12, items: [{ media: a }] }, { type: 13, file: b });
		const answer = await edit({ ...body, content: null, embeds: [] }, png("a.png", "b.png"));
		expect(answer.status).toBe(200);
		const items = [{ media: shownFile("a.png"), description: null, spoiler: false }];
		const file = { file: shownFile("b.png"), name: "b.png", size: PNG.byteLength, spoiler: false };
		// Discord lists the files of components there only.
		const components = [
			{ type: 12, items },
			{ type: 13, ...file },
		];
		expect(answer.body).toMatchObject({ attachments: [], components });
	});

	test.each([
		["more than 40 components", { components: [{ type: 17, components: texts(40) }] }, "components"],
		["more than 4,000 characters of text", { components: texts(2, 2_001) }, "components"],
		["content", { content: "x" }, "content"],
		["embeds", { embeds: [{ title: "A" }] }, "embeds"],
	])("of version 2 cannot be edited to %s, even without repeating the flag", async (_, body, place) => {
		const { send, edit } = await inGeneral();
		const { id } = await send(v2(text("x")));
		expect(await edit(id, { components: texts(40) })).toMatchObject({ status: 200 });
		expect(await edit(id, body)).toMatchObject(invalidFormBody(place));
	});

	test("are returned with default values, numeric ids, and only the valid fields of emoji", async () => {
		const { send } = await openPlayground();
		const custom = { id: "100000000000000001", name: "wave" };
		const oak = { id: null, name: "🌳", animated: false };
		const buttons = [oak, { ...custom, animated: "yes" }, { ...custom, animated: true }].map((emoji, at) =>
			button({ custom_id: `${at}`, emoji }),
		);
		const options = [oak, { ...custom, animated: 1 }, null].map((emoji, at) => ({
			label: "x",
			value: `${at}`,
			description: null,
			emoji,
		}));
		const { components } = await send({
			components: [buttons, [menu({ options })]].map((row) => ({ type: 1, components: row })),
		});
		const shown = [{ name: "🌳" }, custom, { ...custom, animated: true }];
		const row = shown.map((emoji, at) => ({ ...buttons[at], id: at + 2, disabled: false, emoji }));
		const select = {
			...menu(),
			id: 6,
			min_values: 1,
			max_values: 1,
			disabled: false,
			options: [{ emoji: { name: "🌳" } }, { emoji: custom }, {}].map((change, at) => ({
				label: "x",
				value: `${at}`,
				...change,
			})),
		};
		expect(components).toStrictEqual([
			{ type: 1, id: 1, components: row },
			{ type: 1, id: 5, components: [select] },
		]);
	});
});

describe("the bot's own messages", () => {
	test("a reply can be edited by the bot token long after the interaction token expired", async () => {
		const { playground, clock, reply } = await deferred();
		const message = reply.message();
		await clock.advance(60 * MINUTE_MS);
		const path = `/channels/${message?.channel_id}/messages/${message?.id}`;
		const answer = await playground.rest("PATCH", path, { content: "late, but here" }, { files: png("a.png") });
		expect(answer).toMatchObject({ status: 200, body: { flags: 0, attachments: [{ filename: "a.png" }] } });
		expect(await reply.until()).toMatchObject({ content: "late, but here" });
	});

	test("an enforced nonce creates one message in five minutes", async () => {
		const { send, clock } = await openPlayground();
		const idOf = async (enforced: object) => (await send({ content: "once", nonce: "task-1", ...enforced })).id;
		const first = await idOf({ enforce_nonce: true });
		expect(await idOf({ enforce_nonce: true })).toBe(first);
		expect(await idOf({})).not.toBe(first);
		await clock.advance(6 * MINUTE_MS);
		expect(await idOf({ enforce_nonce: true })).not.toBe(first);
	});

	test("an enforced nonce creates one message of its author in all channels", async () => {
		const { send, rest, userNamed } = await openPlayground();
		const enforced = { content: "once", nonce: "task-1", enforce_nonce: true };
		const { id } = await send(enforced);
		const ada = await userNamed("ada");
		const opened = await rest("POST", "/users/@me/channels", { recipient_id: ada.me.user.id });
		const direct = `/channels/${(opened.body as { id: string }).id}/messages`;
		expect(await rest("POST", direct, enforced)).toMatchObject({ body: { id } });
		expect(await rest("POST", direct, { ...enforced, nonce: "task-2" })).not.toMatchObject({ body: { id } });
	});

	test("an enforced nonce differs from no nonce, also if it is the text null", async () => {
		const { send } = await openPlayground();
		await send({ content: "without" });
		const enforced = { content: "with", nonce: "null" };
		expect(await send({ ...enforced, enforce_nonce: true })).toMatchObject(enforced);
	});

	test("can be read, edited, replied to, and deleted", async () => {
		const { send, post, edit, rest, path, clock, channelId } = await inGeneral();
		const { id } = await send({ content: "one" });
		await clock.advance(1_000);
		const replied = { message_reference: { message_id: id } };
		expect(await send({ content: "two", ...replied })).toMatchObject({ type: 19, ...replied });
		const forward = { message_reference: { type: 1, message_id: id, channel_id: channelId("general") } };
		expect(await post(forward)).toMatchObject(invalidFormBody("message_reference.type"));
		const elsewhere = { message_reference: { message_id: id, channel_id: channelId("gallery") } };
		const refused = invalidFormBody("message_reference", "REPLIES_CANNOT_REFERENCE_OTHER_CHANNEL");
		expect(await post({ content: "x", ...elsewhere })).toMatchObject(refused);
		const edited = { content: "uno", edited_timestamp: "2026-01-01T00:00:01.000000+00:00" };
		expect((await edit(id, { content: "uno" })).body).toMatchObject(edited);
		expect(await rest("GET", `${path}/${id}`)).toMatchObject({ body: edited });
		expect(await rest("DELETE", `${path}/${id}`)).toMatchObject({ status: 204 });
		expect(await rest("GET", `${path}/${id}`)).toMatchObject(refusal(404, 10008));
		expect(await post({ content: "x", ...replied })).toMatchObject(refusal(400, 50035));
	});

	test("are listed newest first, in pages before or after an id", async () => {
		const { send, rest, path } = await inGeneral();
		const ids: string[] = [];
		for (const content of ["one", "two", "three", "four"]) ids.push((await send({ content })).id);
		const page = async (query: string) =>
			((await rest("GET", `${path}?${query}`)).body as APIMessage[]).map(({ content }) => content);
		expect(await page("limit=2")).toStrictEqual(["four", "three"]);
		expect(await page(`before=${ids[2]}&limit=1`)).toStrictEqual(["two"]);
		expect(await page(`after=${ids[0]}&limit=2`)).toStrictEqual(["three", "two"]);
		expect(await rest("GET", `${path}?limit=101`)).toMatchObject(invalidFormBody("limit", "NUMBER_TYPE_MAX"));
	});
});
