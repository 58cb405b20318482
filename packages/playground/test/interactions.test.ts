/** Callbacks of interactions, their tokens, and autocomplete. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type APIMessage, GatewayIntentBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import {
	deferred,
	invalidFormBody,
	invoked,
	MINUTE_MS,
	openPlayground,
	refusal,
	temporaryFolder,
	typed,
} from "../testing/setup.ts";

type Scene = Awaited<ReturnType<typeof typed>>;
type Refused = readonly [what: string, request: (scene: Scene) => Promise<unknown>, answer: object];

const REPLY = { type: 4, data: { content: "hello", tts: true } };
const EDIT = { content: "x" };
const EXPIRED = refusal(401, 50027);
const defer = (flags = 0) => ({ type: 5, data: { flags } });

describe("the callback of an interaction", () => {
	test("creates a message", async () => {
		const { interaction, reply } = await typed();
		expect(await interaction.callback(REPLY)).toMatchObject({ status: 204, body: undefined });
		const shown = { type: 20, content: "hello", tts: true, flags: 0, interaction: { name: "image" } };
		expect(await reply.until()).toMatchObject(shown);
	});

	test("that defers creates a loading message, which can be read at once and is part of the response on request", async () => {
		const { interaction, reply } = await typed();
		expect(await interaction.callback(defer(64), { withResponse: true })).toMatchObject({
			status: 200,
			body: {
				interaction: { id: interaction.id, type: 2, response_message_loading: true, response_message_ephemeral: true },
				resource: { message: { flags: 128 | 64 } },
			},
		});
		expect(await reply.until(() => true)).toMatchObject({ type: 20, flags: 128 | 64, content: "" });
		expect(await interaction.webhook("GET")).toMatchObject({ status: 200, body: { flags: 128 | 64 } });
	});

	test("leaves no file if another one came first", async () => {
		const dataDir = await temporaryFolder();
		const { interaction } = await typed({ playground: await openPlayground({ dataDir }) });
		const reply = (name: string) => interaction.callback(REPLY, { files: [{ name, bytes: Buffer.alloc(1_000_000) }] });
		const answers = await Promise.all([reply("one.mp4"), reply("two.mp4")]);
		expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([204, 400]));
		await expect.poll(() => readdir(join(dataDir, "playground-media"))).toHaveLength(1);
	});

	test("that is missing after three seconds is a failure on the page", async () => {
		const { clock, reply } = await typed();
		await clock.advance(2_999);
		expect(reply.failure()).toBeUndefined();
		await clock.advance(1);
		await expect(reply.until()).rejects.toThrow("The application did not respond");
	});
});

type Request = Refused[1];
const callback = (body: object) => (scene: Scene) => scene.interaction.callback(body);
const webhook = (method: string, body?: object, path?: string) => (scene: Scene) =>
	scene.interaction.webhook(method, body, path === undefined ? {} : { path });
const callbackAt = (path: (scene: Scene) => string) => (scene: Scene) =>
	scene.playground.rest("POST", `/interactions/${path(scene)}/callback`, defer());
const readAt = (path: (scene: Scene) => string) => (scene: Scene) =>
	scene.playground.rest("GET", `/webhooks/${path(scene)}/messages/@original`);
/** The request of a bot that waits too long. */
const after = (waitMs: number, request: Request) => async (scene: Scene) => {
	await scene.clock.advance(waitMs);
	return request(scene);
};
const late = (request: Request) => after(15 * MINUTE_MS, request);
const editOther: Request = async ({ playground, reply }) => {
	const { interaction } = await deferred({ playground });
	return await interaction.webhook("PATCH", EDIT, { path: `/messages/${reply.message()?.id}` });
};

describe("before its callback an interaction rejects", () => {
	test.each<Refused>([
		["a late callback", after(3_000, callback(defer())), refusal(404, 10062)],
		["an edit after the interaction failed", after(3_000, webhook("PATCH", EDIT)), refusal(404, 10015)],
		["a late edit", late(webhook("PATCH", EDIT)), EXPIRED],
		["an edit", webhook("PATCH", EDIT), refusal(404, 10015)],
		[
			"another id",
			callbackAt(({ playground: { applicationId }, interaction: { token } }) => `${applicationId}/${token}`),
			refusal(404, 10062),
		],
		["another token", callbackAt(({ interaction }) => `${interaction.id}/guessed`), refusal(404, 10062)],
		["a deferral with a flag other than EPHEMERAL", callback(defer(32768)), invalidFormBody("data.flags")],
		["an empty message", callback({ type: 4, data: { content: " \n " } }), refusal(400, 50006)],
		["an unknown type", callback({ type: 99 }), invalidFormBody("type")],
	])("%s", async (_, request, answer) => {
		expect(await request(await typed())).toMatchObject(answer);
	});
});

describe("after a deferral an interaction rejects", () => {
	test.each<Refused>([
		["a second callback", callback(REPLY), refusal(400, 40060)],
		["a late read", late(webhook("GET")), EXPIRED],
		["a late edit", late(webhook("PATCH", EDIT)), EXPIRED],
		["a late deletion", late(webhook("DELETE")), EXPIRED],
		["a late follow-up", late(webhook("POST", EDIT, "")), EXPIRED],
		["an unknown token", readAt(({ playground }) => `${playground.applicationId}/guessed`), EXPIRED],
		["another application", readAt(({ interaction: { id, token } }) => `${id}/${token}`), refusal(404, 10015)],
		["an edit of another interaction's message", editOther, refusal(404, 10008)],
	])("%s", async (_, request, answer) => {
		const scene = await deferred();
		expect(await request(scene)).toMatchObject(answer);
		expect(scene.reply.message()?.flags).toBe(128);
	});
});

describe("the interaction token", () => {
	test("can edit until fifteen minutes have passed", async () => {
		const { clock, interaction, reply } = await deferred();
		await clock.advance(15 * MINUTE_MS - 1);
		expect(await interaction.webhook("PATCH", { content: "in time" })).toMatchObject({ status: 200 });
		expect(await reply.until()).toMatchObject({ content: "in time", flags: 0 });
	});

	test("creates the reply with only one of two follow-ups that arrive together after a deferral", async () => {
		const { interaction, user } = await deferred();
		const followUp = (name: string) =>
			interaction.webhook("POST", { content: name }, { path: "", files: [{ name, bytes: Buffer.alloc(3_000_000) }] });
		await Promise.all([followUp("one"), followUp("two")]);
		expect((await user.messages()).map(({ content }) => content).toSorted()).toStrictEqual(["one", "two"]);
	});

	test("creates the reply with the first follow-up after a deferral, and later ones as separate messages", async () => {
		const { interaction, reply, user } = await deferred();
		const send = (content: string) => interaction.webhook("POST", { content }, { path: "" });
		await send("first");
		expect(await reply.until()).toMatchObject({ content: "first", type: 20 });
		const { body } = await send("second");
		expect(body).toMatchObject({ type: 19, message_reference: { message_id: reply.message()?.id } });
		const followUp = (method: string, change?: object) =>
			interaction.webhook(method, change, { path: `/messages/${(body as { id: string }).id}` });
		expect(await followUp("GET")).toMatchObject({ body: { content: "second" } });
		expect(await followUp("PATCH", { content: "third" })).toMatchObject({ body: { content: "third" } });
		expect(await followUp("DELETE")).toMatchObject({ status: 204 });
		expect(await followUp("GET")).toMatchObject(refusal(404, 10008));
		expect((await user.messages()).map(({ content }) => content)).toStrictEqual(["first"]);
	});

	test("can delete the reply, which is 404 / 10008 afterwards", async () => {
		const { interaction, reply } = await deferred();
		expect(await interaction.webhook("DELETE")).toMatchObject({ status: 204 });
		expect(await interaction.webhook("PATCH", EDIT)).toMatchObject(refusal(404, 10008));
		expect(reply.message()).toBeUndefined();
	});
});

test("an ephemeral reply is visible to its member only, also in a public message that refers to it", async () => {
	const { playground, interaction, reply, user } = await deferred({ flags: 64 });
	const other = await playground.userNamed("ada");
	const bot = await playground.bot({ intents: GatewayIntentBits.GuildMessages });
	await interaction.webhook("PATCH", { content: "secret" });
	const secret = await reply.until();
	expect(secret).toMatchObject({ content: "secret", flags: 64 });
	expect(await user.messages()).toHaveLength(1);
	expect(await other.messages()).toStrictEqual([]);
	const answer = await interaction.webhook("POST", { content: "for all" }, { path: "" });
	const { id } = answer.body as APIMessage;
	const seen = await other.untilMessage((message) => message.id === id);
	for (const hidden of [seen, await bot.event("MESSAGE_CREATE", id), answer.body]) {
		expect(hidden).toMatchObject({ message_reference: { message_id: secret.id } });
		expect(hidden).not.toHaveProperty("referenced_message");
	}
	expect(await user.untilMessage((message) => message.id === id)).toMatchObject({
		referenced_message: { content: "secret" },
	});
	// The bot's token does not find it either.
	const path = `/channels/${secret.channel_id}/messages`;
	expect(await playground.rest("PATCH", `${path}/${secret.id}`, EDIT)).toMatchObject(refusal(404, 10008));
	const referring = { ...EDIT, message_reference: { message_id: secret.id } };
	expect(await playground.rest("POST", path, referring)).toMatchObject(invalidFormBody("message_reference"));
});

test("an interaction contains the fields that libraries rely on", async () => {
	const { playground, interaction, user } = await typed({ values: { prompt: "a lighthouse", seed: "7" } });
	const { me, guild, channels } = await user.state();
	const options = [
		{ name: "prompt", type: 3, value: "a lighthouse" },
		{ name: "seed", type: 4, value: 7 },
	];
	expect(interaction.payload).toMatchObject({
		type: 2,
		version: 1,
		application_id: playground.applicationId,
		guild_id: guild.id,
		channel_id: channels[0]?.id,
		channel: { id: channels[0]?.id, type: 0, nsfw: false },
		member: {
			user: { id: me.user.id, username: "robin" },
			roles: [expect.any(String)],
			permissions: expect.any(String),
		},
		data: { name: "image", type: 1, options },
		entitlements: [],
		authorizing_integration_owners: { "0": guild.id },
		attachment_size_limit: 10 * 1024 * 1024,
		app_permissions: expect.any(String),
		locale: "en-US",
		guild_locale: "en-US",
		context: 0,
	});
	expect(interaction.id).toMatch(/^\d{17,19}$/);
});

test("an interaction fails at once if no bot is connected", async () => {
	const playground = await openPlayground();
	await playground.register({ name: "ping", description: "Pong" });
	const reply = await (await playground.user()).type("/ping");
	await expect(reply.until()).rejects.toThrow("no bot is connected");
});

/** A member who types the beginning of an option of this type. */
async function asking(type: number, what = "") {
	const playground = await openPlayground();
	const bot = await playground.bot();
	const option = { type, name: "what", description: "x", autocomplete: true };
	await playground.register({ name: "pick", description: "x", options: [option] });
	const asked = (await playground.user()).autocomplete("/pick", { what }, "what");
	asked.catch(() => {});
	const payload = await bot.event("INTERACTION_CREATE");
	const offer = (...values: readonly (string | number)[]) => {
		const choices = values.map((value) => ({ name: "x", value }));
		return invoked(playground.rest, payload).callback({ type: 8, data: { choices } });
	};
	return { asked, payload, offer, clock: playground.clock };
}

describe("autocomplete", () => {
	test("ends after three seconds; a later callback is 404 / 10062", async () => {
		const { asked, offer, clock } = await asking(3);
		await clock.advance(3_000);
		await expect(asked).rejects.toThrow("did not respond");
		expect(await offer()).toMatchObject(refusal(404, 10062));
	});

	test.each([
		[3, "five", 5, "STRING_TYPE_CONVERT"],
		[3, "x".repeat(100), "x".repeat(101), "BASE_TYPE_MAX_LENGTH"],
		[4, 5, 5.5, "NUMBER_TYPE_COERCE"],
		[10, 5.5, "five", "NUMBER_TYPE_COERCE"],
	])("for an option of type %i accepts %j, and rejects %j", async (type, value, other, code) => {
		const { asked, payload, offer } = await asking(type, "f");
		expect(payload).toMatchObject({
			type: 4,
			data: { options: [{ name: "what", type, value: "f", focused: true }] },
		});
		expect(await offer(other)).toMatchObject(invalidFormBody("data.choices.0.value", code));
		expect(await offer(value)).toMatchObject({ status: 204 });
		expect(await asked).toStrictEqual([{ name: "x", value }]);
	});
});
