import { describe, expect, test } from "vitest";
import type { APIMessage } from "discord-api-types/v10";
import { deferred, type Ground, MINUTE_MS, openGround, type RestOptions } from "../testing/setup.ts";

const PNG = Buffer.concat([
	Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
	Buffer.from("0000000a00000014", "hex"),
	Buffer.alloc(40, 7),
]);

async function inGeneral(): Promise<
	Ground & {
		path: string;
		post: (body: object, options?: RestOptions) => ReturnType<Ground["rest"]>;
		form: (
			path: string,
			fields: { readonly [name: string]: string },
			file?: { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> },
		) => Promise<{ status: number; body: unknown }>;
	}
> {
	const ground = await openGround();
	const { channels } = await (await ground.person()).state();
	const path = `/channels/${channels[0]?.id}/messages`;
	return {
		...ground,
		path,
		post: (body, options) => ground.rest("POST", path, body, options),
		async form(to, fields, file) {
			const body = new FormData();
			for (const [name, value] of Object.entries(fields)) body.set(name, value);
			if (file) body.set("file", new Blob([file.bytes]), file.name);
			const headers = { authorization: `Bot ${ground.playground.botToken}` };
			const response = await fetch(`${ground.origin}/api/v10${to}`, { method: "POST", headers, body });
			return { status: response.status, body: await response.json() };
		},
	};
}

describe("files", () => {
	test("files[n] pairs with attachments[].id, and the page gets the same bytes", async () => {
		const { interaction, reply, person } = await deferred();
		const body = { content: "done", attachments: [{ id: "0", description: "a lighthouse" }] };
		const answer = await interaction.webhook("PATCH", body, { files: [{ name: "art work.png", bytes: PNG }] });
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
		expect(await person.download(file ?? { url: "" })).toStrictEqual(PNG);
	});

	test("an edit keeps the attachments it lists and removes the others", async () => {
		const { interaction } = await deferred();
		const files = ["a.png", "b.png"].map((name) => ({ name, bytes: PNG }));
		const first = (await interaction.webhook("PATCH", { content: "two" }, { files })).body as APIMessage;
		const [, second] = first.attachments;
		const edited = await interaction.webhook("PATCH", { attachments: [{ id: second?.id }] });
		expect((edited.body as APIMessage).attachments.map(({ filename }) => filename)).toStrictEqual(["b.png"]);
	});

	test("an edit that says nothing of attachments keeps them all", async () => {
		const { interaction } = await deferred();
		await interaction.webhook("PATCH", { content: "one" }, { files: [{ name: "a.png", bytes: PNG }] });
		const edited = await interaction.webhook("PATCH", { content: "still" });
		expect((edited.body as APIMessage).attachments).toHaveLength(1);
	});

	test("of two edits at once the second builds on the first", async () => {
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

	test("a removed attachment is served no longer", async () => {
		const { interaction, person } = await deferred();
		const first = await interaction.webhook("PATCH", { content: "one" }, { files: [{ name: "a.png", bytes: PNG }] });
		const [file] = (first.body as APIMessage).attachments;
		await interaction.webhook("PATCH", { attachments: [] });
		await expect(person.download(file ?? { url: "" })).rejects.toThrow("404");
	});

	test("an attachment that names no file, and a file that no attachment names, are refused", async () => {
		const { interaction } = await deferred();
		expect(await interaction.webhook("PATCH", { attachments: [{ id: "3" }] })).toMatchObject({
			status: 400,
			body: { code: 50035, errors: { attachments: { 0: { id: { _errors: [{}] } } } } },
		});
		expect(
			await interaction.webhook("PATCH", { attachments: [] }, { files: [{ name: "a.png", bytes: PNG }] }),
		).toMatchObject({ status: 400, body: { code: 50035, errors: { attachments: { _errors: [{}] } } } });
	});

	test("one file over the limit of 10 MiB is 50045", async () => {
		const { interaction, reply } = await deferred();
		const files = [{ name: "big.mp4", bytes: Buffer.alloc(10 * 1024 * 1024 + 1) }];
		const answer = await interaction.webhook("PATCH", { content: "x" }, { files });
		expect(answer).toMatchObject({ status: 400, body: { code: 50045 } });
		expect(reply.message()?.flags).toBe(128);
	});

	test("a body over 25 MiB is 413 / 40005", async () => {
		const { interaction } = await deferred();
		const files = [1, 2, 3].map((at) => ({ name: `${at}.mp4`, bytes: Buffer.alloc(9 * 1024 * 1024) }));
		const answer = await interaction.webhook("PATCH", { content: "x" }, { files });
		expect(answer).toMatchObject({ status: 413, body: { code: 40005 } });
	});

	test("attachments[].id may be a number, as in Discord's own example", async () => {
		const { interaction } = await deferred();
		const files = ["a.png", "b.png"].map((name) => ({ name, bytes: PNG }));
		const body = {
			attachments: [
				{ id: 1, description: "second" },
				{ id: 0, description: "first" },
			],
		};
		expect(await interaction.webhook("PATCH", body, { files })).toMatchObject({
			status: 200,
			body: {
				attachments: [
					{ filename: "b.png", description: "second" },
					{ filename: "a.png", description: "first" },
				],
			},
		});
	});

	test("an attachment to keep may be named by a number too large for a double", async () => {
		const { interaction } = await deferred();
		const files = ["a.png", "b.png"].map((name) => ({ name, bytes: PNG }));
		const first = (await interaction.webhook("PATCH", { content: "two" }, { files })).body as APIMessage;
		const edited = await interaction.webhook("PATCH", `{"attachments": [{"id": ${first.attachments[1]?.id}}]}`);
		expect(edited).toMatchObject({ status: 200, body: { attachments: [{ id: first.attachments[1]?.id }] } });
	});

	test("files without an index get the numbers that are left", async () => {
		const { interaction } = await deferred();
		const files = [
			{ name: "a.png", bytes: PNG, field: "file" },
			{ name: "b.png", bytes: PNG, field: "files[0]" },
			{ name: "c.png", bytes: PNG, field: "picture" },
		];
		const body = { attachments: [0, 1, 2].map((id) => ({ id: String(id) })) };
		const answer = await interaction.webhook("PATCH", body, { files });
		expect((answer.body as APIMessage).attachments.map(({ filename }) => filename)).toStrictEqual([
			"b.png",
			"a.png",
			"c.png",
		]);
	});

	test("a form without payload_json says everything in plain fields", async () => {
		const { path, form } = await inGeneral();
		const fields = { content: "Hello, World!", tts: "true", flags: "4", nonce: "12345678901234567890" };
		expect(await form(path, fields, { name: "a.png", bytes: PNG })).toMatchObject({
			status: 200,
			body: {
				content: "Hello, World!",
				tts: true,
				flags: 4,
				nonce: fields.nonce,
				attachments: [{ filename: "a.png" }],
			},
		});
	});

	test("plain fields beside payload_json are ignored", async () => {
		const { path, form } = await inGeneral();
		const fields = { content: "plain", colour: "blue", payload_json: '{"content": "from JSON"}' };
		expect(await form(path, fields)).toMatchObject({ status: 200, body: { content: "from JSON" } });
	});

	test.each([
		[{ content: "x", colour: "blue" }, { colour: { _errors: [{ code: "UNKNOWN_FIELD" }] } }],
		[{ content: "x", tts: "yes" }, { tts: { _errors: [{ code: "BOOLEAN_TYPE_CONVERT" }] } }],
		[{ content: "x", flags: "many" }, { flags: { _errors: [{ code: "NUMBER_TYPE_CONVERT" }] } }],
		[{ embeds: "[]" }, { embeds: { _errors: [{ code: "ARRAY_TYPE_CONVERT" }] } }],
	])("the plain fields %o are refused where they are wrong", async (fields, errors) => {
		const { path, form } = await inGeneral();
		expect(await form(path, fields)).toMatchObject({ status: 400, body: { code: 50035, errors } });
	});

	test("an eleventh file is 30015", async () => {
		const { interaction } = await deferred();
		const files = Array.from({ length: 11 }, (_, at) => ({ name: `${at}.png`, bytes: PNG }));
		const answer = await interaction.webhook("PATCH", { content: "x" }, { files });
		expect(answer).toMatchObject({ status: 400, body: { code: 30015 } });
	});

	test("a name is never a path: folders and what is no letter are taken out", async () => {
		const { interaction } = await deferred();
		const body = { attachments: [{ id: "0", filename: "../../etc/pass wd\u0000.png" }] };
		const answer = await interaction.webhook("PATCH", body, { files: [{ name: "x.png", bytes: PNG }] });
		expect(answer.body).toMatchObject({ attachments: [{ filename: "pass_wd_.png" }] });
	});

	test("attachment://name in an embed becomes the file's address, and must name a file", async () => {
		const { interaction } = await deferred();
		const embeds = [{ title: "A", image: { url: "attachment://a.png" } }];
		const missing = await interaction.webhook("PATCH", { embeds });
		expect(missing).toMatchObject({
			status: 400,
			body: { errors: { embeds: { 0: { image: { url: { _errors: [{}] } } } } } },
		});
		const { body } = await interaction.webhook("PATCH", { embeds }, { files: [{ name: "a.png", bytes: PNG }] });
		const {
			embeds: [embed],
			attachments: [file],
		} = body as APIMessage;
		expect(embed?.image).toMatchObject({ url: file?.url, width: 10, height: 20 });
	});
});

describe("mentions", () => {
	test("a reply pings people by default, and nobody else", async () => {
		const { interaction, person } = await deferred();
		const you = person.me.user.id;
		const answer = await interaction.webhook("PATCH", { content: `<@${you}> @everyone <@&${you}>` });
		expect(answer.body).toMatchObject({ mentions: [{ id: you }], mention_everyone: false, mention_roles: [] });
	});

	test("with parse: [] nothing pings, whatever the text says", async () => {
		const { interaction, person } = await deferred();
		const content = `<@${person.me.user.id}> @everyone @here`;
		const answer = await interaction.webhook("PATCH", { content, allowed_mentions: { parse: [] } });
		expect(answer.body).toMatchObject({ content, mentions: [], mention_everyone: false, mention_roles: [] });
	});

	test("an edit without the field is subject to the default again", async () => {
		const { interaction, person } = await deferred();
		const content = `<@${person.me.user.id}>`;
		await interaction.webhook("PATCH", { content, allowed_mentions: { parse: [] } });
		const answer = await interaction.webhook("PATCH", { embeds: [{ title: "later" }] });
		expect(answer.body).toMatchObject({ mentions: [{ id: person.me.user.id }] });
	});

	test("a message of the bot's own pings everybody unless it says otherwise", async () => {
		const { post } = await inGeneral();
		expect((await post({ content: "@everyone" })).body).toMatchObject({ mention_everyone: true });
		expect((await post({ content: "@everyone", allowed_mentions: { parse: [] } })).body).toMatchObject({
			mention_everyone: false,
		});
	});

	test("parse and a list of the same kind exclude each other", async () => {
		const { post } = await inGeneral();
		const answer = await post({ content: "x", allowed_mentions: { parse: ["users"], users: ["1"] } });
		expect(answer).toMatchObject({ status: 400, body: { code: 50035, errors: { allowed_mentions: {} } } });
	});
});

describe("limits that the schema does not know", () => {
	test("content has 2000 characters, on the bot's own routes too", async () => {
		const { post } = await inGeneral();
		expect(await post({ content: "x".repeat(2_000) })).toMatchObject({ status: 200 });
		expect(await post({ content: "x".repeat(2_001) })).toMatchObject({
			status: 400,
			body: { errors: { content: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] } } },
		});
	});

	test("embeds have 6000 characters together", async () => {
		const { post } = await inGeneral();
		const embeds = [1, 2].map((at) => ({ title: `${at}`, description: "x".repeat(3_000) }));
		expect(await post({ embeds })).toMatchObject({ status: 400, body: { errors: { embeds: {} } } });
	});

	test("flags are whole numbers of settable bits", async () => {
		const { post } = await inGeneral();
		for (const flags of [64, 128, 1.5, -1]) {
			expect(await post({ content: "x", flags })).toMatchObject({ status: 400, body: { errors: { flags: {} } } });
		}
	});

	test("components v2 need their flag, and then no content and no embeds", async () => {
		const { post } = await inGeneral();
		const components = [{ type: 10, content: "hello" }];
		expect(await post({ components })).toMatchObject({ status: 400, body: { errors: { components: {} } } });
		expect(await post({ components, flags: 32768, content: "x" })).toMatchObject({
			status: 400,
			body: { errors: { content: {} } },
		});
		expect(await post({ components, flags: 32768 })).toMatchObject({
			status: 200,
			body: { flags: 32768, components: [{ type: 10, id: 1, content: "hello" }] },
		});
	});

	test("a deferred reply becomes a v2 message with a gallery of its own file", async () => {
		const { interaction } = await deferred();
		const components = [{ type: 12, items: [{ media: { url: "attachment://a.png" } }] }];
		const files = [{ name: "a.png", bytes: PNG }];
		const { status, body } = await interaction.webhook(
			"PATCH",
			{ flags: 32768, content: null, embeds: [], components },
			{ files },
		);
		expect(status).toBe(200);
		const {
			attachments: [file],
		} = body as APIMessage;
		expect(body).toMatchObject({
			components: [
				{
					type: 12,
					items: [{ media: { url: file?.url, attachment_id: file?.id }, description: null, spoiler: false }],
				},
			],
		});
	});

	test("buttons and selects are answered with their defaults, numbered", async () => {
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
		const twice = [1, 2].map(() => ({ type: 1, components: [button] }));
		expect(await post({ content: "x", components: twice })).toMatchObject({
			status: 400,
			body: { errors: { components: {} } },
		});
	});
});

describe("the bot's own messages", () => {
	test("an old reply can be edited by the bot long after its token is dead", async () => {
		const { ground, clock, reply } = await deferred();
		const message = reply.message();
		await clock.advance(60 * MINUTE_MS);
		const path = `/channels/${message?.channel_id}/messages/${message?.id}`;
		const files = [{ name: "a.png", bytes: PNG }];
		const answer = await ground.rest("PATCH", path, { content: "late, but here" }, { files });
		expect(answer).toMatchObject({ status: 200, body: { flags: 0, attachments: [{ filename: "a.png" }] } });
		expect(await reply.until()).toMatchObject({ content: "late, but here" });
	});

	test("a nonce that is enforced makes one message, however often it is sent", async () => {
		const { post, clock } = await inGeneral();
		const first = await post({ content: "once", nonce: "task-1", enforce_nonce: true });
		const again = await post({ content: "once", nonce: "task-1", enforce_nonce: true });
		const other = await post({ content: "once", nonce: "task-1" });
		expect((again.body as APIMessage).id).toBe((first.body as APIMessage).id);
		expect((other.body as APIMessage).id).not.toBe((first.body as APIMessage).id);
		await clock.advance(6 * MINUTE_MS);
		const later = await post({ content: "once", nonce: "task-1", enforce_nonce: true });
		expect((later.body as APIMessage).id).not.toBe((first.body as APIMessage).id);
	});

	test("messages are read one by one and newest first, edited, replied to, and deleted", async () => {
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
		expect(await rest("GET", `${path}/${id}`)).toMatchObject({ status: 404, body: { code: 10008 } });
		expect(await post({ content: "x", message_reference: { message_id: id } })).toMatchObject({
			status: 400,
			body: { code: 50035 },
		});
	});

	test("an unknown channel is 404 / 10003", async () => {
		const { rest } = await inGeneral();
		expect(await rest("POST", "/channels/123/messages", { content: "x" })).toMatchObject({
			status: 404,
			body: { code: 10003 },
		});
	});

	test("a direct message reaches its person alone", async () => {
		const ground = await openGround();
		const you = await ground.person();
		const [, ada] = (await you.state()).members;
		const recipient_id = ada?.user.id;
		const opened = await ground.rest("POST", "/users/@me/channels", { recipient_id });
		expect(opened).toMatchObject({ status: 200, body: { type: 1, recipients: [{ id: recipient_id }] } });
		const { id } = opened.body as { id: string };
		expect((await ground.rest("POST", "/users/@me/channels", { recipient_id })).body).toMatchObject({ id });
		await ground.rest("POST", `/channels/${id}/messages`, { content: "psst" });
		const other = await ground.person(recipient_id);
		expect(await you.messages()).toStrictEqual([]);
		expect(await other.state()).toMatchObject({
			channels: [{ name: "general" }, { name: "gallery" }, {}, {}, { id, isDirect: true }],
			messages: [{ content: "psst", channel_id: id }],
		});
	});

	test("nobody can be written to whom the playground does not know", async () => {
		const { rest } = await inGeneral();
		expect(await rest("POST", "/users/@me/channels", { recipient_id: "123" })).toMatchObject({
			status: 400,
			body: { code: 50033 },
		});
	});
});
