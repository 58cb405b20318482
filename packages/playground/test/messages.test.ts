import { describe, expect, test } from "vitest";
import type { APIMessage } from "discord-api-types/v10";
import { deferred, invalidFormBody, MINUTE_MS, openPlayground, refusal, type RestOptions } from "../testing/setup.ts";

const PNG = Buffer.concat([
	Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
	Buffer.from("0000000a00000014", "hex"),
	Buffer.alloc(40, 7),
]);

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
		form: async (fields: { readonly [name: string]: string }, file?: ReturnType<typeof png>[number]) => {
			const body = new FormData();
			for (const [name, value] of Object.entries(fields)) body.set(name, value);
			if (file) body.set("file", new Blob([file.bytes]), file.name);
			const headers = { authorization: `Bot ${playground.botToken}` };
			const response = await fetch(`${playground.origin}/api/v10${path}`, { method: "POST", headers, body });
			return { status: response.status, body: await response.json() };
		},
	};
}

const inOneRow = (...components: object[]) => ({ content: "x", components: [{ type: 1, components }] });
const menu = (custom_id: string) => ({ type: 3, custom_id, options: [{ label: "One", value: "1" }] });
const texts = (count: number, chars = 1) =>
	Array.from({ length: count }, () => ({ type: 10, content: "x".repeat(chars) }));
const buttonRows = (count: number) =>
	Array.from({ length: count }, (_, at) => ({
		type: 1,
		components: [{ type: 2, style: 1, label: "Again", custom_id: `again-${at}` }],
	}));

describe("an edit of a deferred reply is rejected, and the reply stays unchanged, for", () => {
	const MIB = 1024 * 1024;
	test.each<[string, object, NonNullable<RestOptions["files"]>, object]>([
		["an attachment that names no file", { attachments: [{ id: "3" }] }, [], invalidFormBody("attachments.0.id")],
		["a file that no attachment names", { attachments: [] }, png("a.png"), invalidFormBody("attachments")],
		[
			"components v2 without their flag",
			{ components: [{ type: 17, components: texts(1) }] },
			[],
			invalidFormBody("components"),
		],
		["six rows", { content: "x", components: buttonRows(6) }, [], invalidFormBody("components")],
		["one file over 10 MiB", { content: "x" }, ofSize(10 * MIB + 1, 1), refusal(400, 50045)],
		["a body over 25 MiB", { content: "x" }, ofSize(9 * MIB, 3), refusal(413, 40005)],
		["an eleventh file", { content: "x" }, ofSize(1, 11), refusal(400, 30015)],
		[
			"an embed of a file that is not there",
			{ embeds: [{ title: "A", image: { url: "attachment://a.png" } }] },
			[],
			invalidFormBody("embeds.0.image.url"),
		],
	])("%s", async (_, body, files, answer) => {
		const { interaction, reply } = await deferred();
		expect(await interaction.webhook("PATCH", body, { files })).toMatchObject(answer);
		expect(reply.message()?.flags).toBe(128);
	});
});

describe("a message is rejected for", () => {
	const embeds = [1, 2].map((at) => ({ title: `${at}`, description: "x".repeat(3_000) }));
	const button = { type: 1, components: [{ type: 2, style: 1, label: "Again", custom_id: "again" }] };
	const text = [{ type: 10, content: "hello" }];
	const party = { emoji: { name: "party" } };
	const inRow = "components.0.components.0";
	test.each<[string, object, object]>([
		["content of 2001 characters", { content: "x".repeat(2_001) }, invalidFormBody("content", "BASE_TYPE_MAX_LENGTH")],
		["embeds of more than 6000 characters together", { embeds }, invalidFormBody("embeds")],
		...[64, 128, 1.5, -1].map((flags): [string, object, object] => [
			`the flags ${flags}`,
			{ content: "x", flags },
			invalidFormBody("flags"),
		]),
		["components v2 without their flag", { components: text }, invalidFormBody("components")],
		["components v2 with content", { components: text, flags: 32768, content: "x" }, invalidFormBody("content")],
		["one custom id twice", { content: "x", components: [button, button] }, invalidFormBody("components")],
		[
			"two menus in a row",
			inOneRow(menu("a"), menu("b")),
			invalidFormBody("components.0", "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
		],
		[
			"a name as the emoji of an option",
			inOneRow({ type: 3, custom_id: "a", options: [{ label: "One", value: "1", ...party }] }),
			invalidFormBody(`${inRow}.options.0.emoji.name`, "COMPONENT_INVALID_EMOJI"),
		],
		[
			"a file component with a web address",
			{ flags: 32768, components: [{ type: 13, file: { url: "https://example.com/a.txt" } }] },
			invalidFormBody("components.0.file.url"),
		],
		[
			"an embed without content",
			{ embeds: [{ color: 1 }] },
			invalidFormBody("embeds.0.description", "BASE_TYPE_REQUIRED"),
		],
		...(
			[
				["ftp://a.example/a.png", "SCHEME"],
				["C:\\a.png", "SCHEME"],
				["localhost:3000/a.png", "SCHEME"],
				["https://a.example/a b.png", "URL"],
			] as const
		).map(([url, problem]): [string, object, object] => [
			`the picture ${url}`,
			{ embeds: [{ image: { url } }] },
			invalidFormBody("embeds.0.image.url", `URL_TYPE_INVALID_${problem}`),
		]),
		[
			"a link with a script",
			inOneRow({ type: 2, style: 5, label: "x", url: "javascript:alert(1)" }),
			invalidFormBody(`${inRow}.url`, "URL_TYPE_INVALID_SCHEME"),
		],
		[
			"a file as the address of an embed",
			{ embeds: [{ title: "x", url: "attachment://a.png" }] },
			invalidFormBody("embeds.0.url", "URL_TYPE_INVALID_SCHEME"),
		],
		[
			"two components with one id",
			{
				flags: 32768,
				components: [
					{ ...text[0], id: 3 },
					{ ...text[0], id: 3 },
				],
			},
			invalidFormBody("components", "COMPONENT_ID_DUPLICATED"),
		],
		[
			"two defaults of a menu with one value",
			inOneRow({
				type: 3,
				custom_id: "a",
				options: ["1", "2"].map((value) => ({ label: value, value, default: true })),
			}),
			invalidFormBody(`${inRow}.options`),
		],
		[
			"parse and a list of the same kind of mention",
			{ content: "x", allowed_mentions: { parse: ["users"], users: ["1"] } },
			invalidFormBody("allowed_mentions"),
		],
	])("%s", async (_, body, answer) => {
		expect(await (await inGeneral()).post(body)).toMatchObject(answer);
	});

	test.each<[string, string, object, object]>([
		["an unknown channel", "/channels/123/messages", { content: "x" }, refusal(404, 10003)],
		["a user whom the playground does not know", "/users/@me/channels", { recipient_id: "123" }, refusal(400, 50033)],
	])("%s", async (_, path, body, answer) => {
		expect(await (await openPlayground()).rest("POST", path, body)).toMatchObject(answer);
	});
});

describe("files", () => {
	test("files[n] pairs with attachments[].id, and the page gets the same bytes", async () => {
		const { interaction, reply, user } = await deferred();
		const body = { content: "done", attachments: [{ id: "0", description: "a lighthouse" }] };
		const answer = await interaction.webhook("PATCH", body, { files: png("art work.png") });
		expect(answer).toMatchObject({ status: 200 });
		const { attachments } = await reply.until();
		expect(attachments).toMatchObject([
			{
				filename: "art_work.png",
				size: PNG.byteLength,
				content_type: "image/png",
				description: "a lighthouse",
				width: 10,
				height: 20,
			},
		]);
		const [file] = attachments;
		expect(await user.download(file ?? { url: "" })).toStrictEqual(PNG);
	});

	test("an edit keeps all attachments unless it lists some or has new ones; files of removed ones are gone", async () => {
		const { interaction, user } = await deferred();
		const edited = async (body: object, files: ReturnType<typeof png> = []) =>
			((await interaction.webhook("PATCH", body, { files })).body as APIMessage).attachments;
		const both = await edited({ content: "two" }, png("a.png", "b.png"));
		expect(await edited({ content: "still" })).toStrictEqual(both);
		const [first, second] = both;
		const described = { filename: "b.png", description: "the second" };
		expect(await edited({ attachments: [{ ...described, id: second?.id }] })).toMatchObject([described]);
		expect(await edited({ attachments: [{ id: second?.id }] })).toMatchObject([described]);
		await expect(user.download(first ?? { url: "" })).rejects.toThrow("404");
		expect(await edited({ content: "another" }, png("c.png"))).toMatchObject([{ filename: "c.png" }]);
	});

	test("in received embeds and components can be sent back", async () => {
		const { post, rest, path } = await inGeneral();
		const [icon_url, url] = ["attachment://icon.png", "attachment://a.png"];
		const embed = { title: "A", image: { url }, author: { name: "A", icon_url }, footer: { text: "F", icon_url } };
		const components = [
			{ type: 12, items: [{ media: { url } }] },
			{ type: 1, components: [{ type: 2, style: 5, label: "App", url: "discord://-/home" }] },
		];
		for (const body of [{ embeds: [embed] }, { components, flags: 32768 }]) {
			const sent = (await post(body, { files: png("a.png", "icon.png") })).body as APIMessage;
			const back = "embeds" in body ? { embeds: sent.embeds } : { components: sent.components };
			expect(await rest("PATCH", `${path}/${sent.id}`, back)).toMatchObject({ status: 200 });
		}
	});

	test("of two concurrent edits, the second builds on the first", async () => {
		const { interaction, reply } = await deferred();
		const file = { name: "a.png", bytes: Buffer.alloc(500_000, 1) };
		await Promise.all([
			interaction.webhook("PATCH", { content: "with a picture" }, { files: [file] }),
			interaction.webhook("PATCH", { embeds: [{ title: "with an embed" }] }),
		]);
		expect(await reply.until(({ content, embeds }) => content !== "" && embeds.length > 0)).toMatchObject({
			content: "with a picture",
			attachments: [{ filename: "a.png" }],
			embeds: [{ title: "with an embed" }],
		});
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
		const { form } = await inGeneral();
		const fields = { content: "Hello, World!", tts: "true", flags: "4", nonce: "12345678901234567890" };
		const body = { ...fields, tts: true, flags: 4, attachments: [{ filename: "a.png" }] };
		expect(await form(fields, ...png("a.png"))).toMatchObject({ status: 200, body });
	});

	test("a file name is never a path: directories and unusual characters are removed", async () => {
		const { interaction } = await deferred();
		const body = { attachments: [{ id: "0", filename: "../../etc/pass wd\u0000.png" }] };
		const answer = await interaction.webhook("PATCH", body, { files: png("x.png") });
		expect(answer.body).toMatchObject({ attachments: [{ filename: "pass_wd_.png" }] });
	});

	test("attachment://name in an embed becomes the URL of the file, which is listed there only", async () => {
		const { interaction, user } = await deferred();
		const icon_url = "attachment://icon.png";
		const embeds = [
			{ image: { url: "attachment://a.png" }, author: { name: "A", icon_url }, footer: { text: "F", icon_url } },
		];
		const edited = async (body: object, names: readonly string[] = []) =>
			(await interaction.webhook("PATCH", body, { files: png(...names) })).body as APIMessage;
		const { embeds: shown, attachments } = await edited({ embeds }, ["a.png", "icon.png", "other.png"]);
		const icon = { icon_url: expect.stringMatching(/^http.*\/icon\.png$/) };
		const image = { url: expect.stringMatching(/^http.*\/a\.png$/), width: 10, height: 20 };
		expect(shown).toMatchObject([{ image, author: icon, footer: icon }]);
		expect(attachments).toMatchObject([{ filename: "other.png" }]);
		// The list of an edit need not repeat a file that a kept embed shows.
		expect(await edited({ attachments: [] })).toMatchObject({ attachments: [], embeds: [{ image, author: icon }] });
		expect(await user.download({ url: shown[0]?.image?.url ?? "" })).toStrictEqual(PNG);
		// A file returns to the list when its embed is removed.
		expect((await edited({ content: "x", embeds: [] })).attachments).toMatchObject([
			{ filename: "a.png" },
			{ filename: "icon.png" },
		]);
	});

	test("SUPPRESS_EMBEDS hides the embeds until an edit removes the flag", async () => {
		const { post, rest, path } = await inGeneral();
		const { id, ...hidden } = (await post({ content: "x", embeds: [{ title: "A" }], flags: 4 })).body as APIMessage;
		expect(hidden).toMatchObject({ embeds: [], flags: 4 });
		expect((await rest("PATCH", `${path}/${id}`, { flags: 0 })).body).toMatchObject({
			embeds: [{ title: "A" }],
			flags: 0,
		});
	});
});

describe("mentions", () => {
	test.each([
		["the mentioned user only", {}, 1],
		["no member with parse: []", { allowed_mentions: { parse: [] } }, 0],
	])("of a reply notify %s", async (_, allowed, count) => {
		const { interaction, user } = await deferred();
		const { id } = user.me.user;
		const content = `<@${id}> @everyone @here <@&${id}>`;
		const mentions = Array.from({ length: count }, () => ({ id }));
		const answer = await interaction.webhook("PATCH", { content, ...allowed });
		expect(answer.body).toMatchObject({ content, mentions, mention_everyone: false, mention_roles: [] });
		// Only an edit of the content pings again: without allowed_mentions by default.
		const edited = await interaction.webhook("PATCH", { embeds: [{ title: "later" }] });
		expect(edited.body).toMatchObject({ mentions });
		expect((await interaction.webhook("PATCH", { content })).body).toMatchObject({ mentions: [{ id }] });
	});

	test("in text displays ping as those in the content do", async () => {
		const { post, rest, path, ids } = await inGeneral();
		const adaId = (await ids()).userId("ada");
		const components = [{ type: 17, components: [{ type: 10, content: `<@${adaId}> @everyone` }] }];
		const { body } = await post({ flags: 32768, components, allowed_mentions: { parse: ["users"] } });
		expect(body).toMatchObject({ mentions: [{ id: adaId }], mention_everyone: false });
		const edited = await rest("PATCH", `${path}/${(body as APIMessage).id}`, { components });
		expect(edited.body).toMatchObject({ mention_everyone: true });
	});

	test.each([
		[{}, true],
		[{ allowed_mentions: { parse: [] } }, false],
		[{ content: "`@everyone` and ``a ` @everyone``" }, false],
		[{ content: "```\n@everyone\n```" }, false],
		[{ content: "`a` @everyone `b`" }, true],
	])("of a bot message with %j notify every member: %s", async (changes, mention_everyone) => {
		const { post } = await inGeneral();
		expect((await post({ content: "@everyone", ...changes })).body).toMatchObject({ mention_everyone });
	});
});

describe("components", () => {
	test("of version 2 replace a deferred reply, with a gallery of an uploaded file", async () => {
		const { interaction } = await deferred();
		const components = [{ type: 12, items: [{ media: { url: "attachment://a.png" } }] }];
		const v2 = { flags: 32768, content: null, embeds: [], components };
		const { status, body } = await interaction.webhook("PATCH", v2, { files: png("a.png") });
		expect(status).toBe(200);
		const media = { url: expect.stringContaining("/a.png"), attachment_id: expect.any(String) };
		expect(body).toMatchObject({
			// Discord lists the files of components there only.
			attachments: [],
			components: [{ type: 12, items: [{ media, description: null, spoiler: false }] }],
		});
	});

	test("of version 2 contain the name and the size of the file that a file component shows", async () => {
		const { post } = await inGeneral();
		const components = [{ type: 13, file: { url: "attachment://a.png" } }];
		const { body } = await post({ flags: 32768, components }, { files: png("a.png") });
		const file = { url: expect.stringContaining("/a.png"), width: 10, height: 20, attachment_id: expect.any(String) };
		expect(body).toMatchObject({
			components: [{ type: 13, file, name: "a.png", size: PNG.byteLength, spoiler: false }],
		});
	});

	test.each([
		["more than 40 components", { components: [{ type: 17, components: texts(40) }] }, "components"],
		["more than 4,000 characters of text", { components: texts(2, 2_001) }, "components"],
		["content", { content: "x" }, "content"],
		["embeds", { embeds: [{ title: "A" }] }, "embeds"],
	])("of version 2 cannot be edited to %s, even without repeating the flag", async (_, body, place) => {
		const { post, rest, path } = await inGeneral();
		const { id } = (await post({ flags: 32768, components: texts(1) })).body as APIMessage;
		expect(await rest("PATCH", `${path}/${id}`, { components: texts(40) })).toMatchObject({ status: 200 });
		expect(await rest("PATCH", `${path}/${id}`, body)).toMatchObject(invalidFormBody(place));
	});

	test("are returned with default values and numeric ids", async () => {
		const { post } = await inGeneral();
		const button = { type: 2, style: 1, label: "Again", custom_id: "again" };
		const select = { type: 3, custom_id: "pick", options: [{ label: "One", value: "1" }] };
		const rows = [button, select].map((component) => ({ type: 1, components: [component] }));
		expect((await post({ content: "x", components: rows })).body).toMatchObject({
			components: [
				{ type: 1, id: 1, components: [{ ...button, id: 2 }] },
				{ type: 1, id: 3, components: [{ ...select, id: 4, min_values: 1, max_values: 1 }] },
			],
		});
	});
});

describe("the bot's own messages", () => {
	test("a reply can be edited by the bot token long after the interaction token expired", async () => {
		const { playground, clock, reply } = await deferred();
		const message = reply.message();
		await clock.advance(60 * MINUTE_MS);
		const path = `/channels/${message?.channel_id}/messages/${message?.id}`;
		const files = png("a.png");
		const answer = await playground.rest("PATCH", path, { content: "late, but here" }, { files });
		expect(answer).toMatchObject({ status: 200, body: { flags: 0, attachments: [{ filename: "a.png" }] } });
		expect(await reply.until()).toMatchObject({ content: "late, but here" });
	});

	test("an enforced nonce creates one message in five minutes", async () => {
		const { post, clock } = await inGeneral();
		const idOf = async (enforced: object) =>
			((await post({ content: "once", nonce: "task-1", ...enforced })).body as APIMessage).id;
		const first = await idOf({ enforce_nonce: true });
		expect(await idOf({ enforce_nonce: true })).toBe(first);
		expect(await idOf({})).not.toBe(first);
		await clock.advance(6 * MINUTE_MS);
		expect(await idOf({ enforce_nonce: true })).not.toBe(first);
	});

	test("an enforced nonce differs from no nonce, also if it is the text null", async () => {
		const { post } = await inGeneral();
		await post({ content: "without" });
		expect(await post({ content: "with", nonce: "null", enforce_nonce: true })).toMatchObject({
			body: { content: "with", nonce: "null" },
		});
	});

	test("can be read, listed newest first, edited, replied to, and deleted", async () => {
		const { post, rest, path, clock } = await inGeneral();
		const { id } = (await post({ content: "one" })).body as APIMessage;
		await clock.advance(1_000);
		const reply = await post({ content: "two", message_reference: { message_id: id } });
		expect(reply.body).toMatchObject({ type: 19, message_reference: { message_id: id } });
		expect(((await rest("GET", path)).body as APIMessage[]).map(({ content }) => content)).toStrictEqual([
			"two",
			"one",
		]);
		expect((await rest("PATCH", `${path}/${id}`, { content: "uno" })).body).toMatchObject({
			content: "uno",
			edited_timestamp: "2026-01-01T00:00:01.000000+00:00",
		});
		expect(await rest("DELETE", `${path}/${id}`)).toMatchObject({ status: 204 });
		expect(await rest("GET", `${path}/${id}`)).toMatchObject(refusal(404, 10008));
		expect(await post({ content: "x", message_reference: { message_id: id } })).toMatchObject(refusal(400, 50035));
	});

	test("are listed in pages before or after an id", async () => {
		const { post, rest, path } = await inGeneral();
		const ids: string[] = [];
		for (const content of ["one", "two", "three", "four"]) ids.push(((await post({ content })).body as APIMessage).id);
		const page = async (query: string) =>
			((await rest("GET", `${path}?${query}`)).body as APIMessage[]).map(({ content }) => content);
		expect(await page("limit=2")).toStrictEqual(["four", "three"]);
		expect(await page(`before=${ids[2]}&limit=1`)).toStrictEqual(["two"]);
		expect(await page(`after=${ids[0]}&limit=2`)).toStrictEqual(["three", "two"]);
		expect(await rest("GET", `${path}?limit=101`)).toMatchObject(invalidFormBody("limit", "NUMBER_TYPE_MAX"));
	});

	test("a direct message is visible to its recipient only", async () => {
		const playground = await openPlayground();
		const you = await playground.user();
		const [, ada] = (await you.state()).members;
		const recipient_id = ada?.user.id;
		const opened = await playground.rest("POST", "/users/@me/channels", { recipient_id });
		expect(opened).toMatchObject({ status: 200, body: { type: 1, recipients: [{ id: recipient_id }] } });
		const { id } = opened.body as { id: string };
		expect((await playground.rest("POST", "/users/@me/channels", { recipient_id })).body).toMatchObject({ id });
		await playground.rest("POST", `/channels/${id}/messages`, { content: "psst" });
		const other = await playground.user(recipient_id);
		expect(await you.messages()).toStrictEqual([]);
		expect(await other.state()).toMatchObject({
			channels: [{ name: "general" }, { name: "gallery" }, {}, {}, { id, type: 1 }],
			messages: [{ content: "psst", channel_id: id }],
		});
	});
});
