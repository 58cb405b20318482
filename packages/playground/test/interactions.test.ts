import { type APIMessage, GatewayIntentBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { deferred, invalidFormBody, invoked, MINUTE_MS, openPlayground, refusal, typed } from "../testing/setup.ts";

type Scene = Awaited<ReturnType<typeof typed>>;
type Refused = readonly [what: string, request: (scene: Scene) => Promise<unknown>, answer: object];

const REPLY = { type: 4, data: { content: "hello", tts: true } };

describe("the callback of an interaction", () => {
	test("creates a message", async () => {
		const { interaction, reply } = await typed();
		expect(await interaction.callback(REPLY)).toMatchObject({ status: 204, body: undefined });
		expect(await reply.until()).toMatchObject({
			type: 20,
			content: "hello",
			tts: true,
			flags: 0,
			interaction: { name: "image" },
		});
	});

	test("that defers creates a loading message, which can be read at once", async () => {
		const { interaction, reply } = await typed();
		expect(await interaction.callback({ type: 5 })).toMatchObject({ status: 204 });
		expect(await reply.until(() => true)).toMatchObject({ type: 20, flags: 128, content: "" });
		expect(await interaction.webhook("GET")).toMatchObject({ status: 200, body: { flags: 128 } });
	});

	test("with with_response returns 200 and the created message", async () => {
		const { interaction } = await typed();
		const answer = await interaction.callback({ type: 5, data: { flags: 64 } }, { withResponse: true });
		expect(answer).toMatchObject({
			status: 200,
			body: {
				interaction: { id: interaction.id, type: 2, response_message_loading: true, response_message_ephemeral: true },
				resource: { message: { flags: 128 | 64 } },
			},
		});
	});

	test("that is missing after three seconds is a failure on the page", async () => {
		const { clock, reply } = await typed();
		await clock.advance(2_999);
		expect(reply.failure()).toBeUndefined();
		await clock.advance(1);
		await expect(reply.until()).rejects.toThrow("The application did not respond");
	});

	test("that is sent twice at once is rejected once, and there is one reply", async () => {
		const { interaction, user } = await typed();
		const files = [{ name: "a.png", bytes: Buffer.alloc(100_000) }];
		const answers = await Promise.all([1, 2].map(() => interaction.callback(REPLY, { files })));
		expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toStrictEqual([204, 400]);
		expect(await user.messages()).toHaveLength(1);
	});
});

const unknown = (path: (scene: Scene) => string) => (scene: Scene) =>
	scene.playground.rest("POST", `/interactions/${path(scene)}/callback`, { type: 5 });

const late = (method: string, body?: object, path?: string): Refused => [
	`${method} after fifteen minutes`,
	async ({ clock, interaction }) => {
		await clock.advance(15 * MINUTE_MS);
		return await interaction.webhook(method, body, path === undefined ? {} : { path });
	},
	refusal(401, 50027),
];

describe("before its callback an interaction rejects", () => {
	test.each<Refused>([
		[
			"a callback after three seconds",
			async ({ clock, interaction }) => {
				await clock.advance(3_000);
				return await interaction.callback({ type: 5 });
			},
			refusal(404, 10062),
		],
		[
			"an edit after the interaction failed",
			async ({ clock, interaction }) => {
				await clock.advance(3_000);
				return await interaction.webhook("PATCH", { content: "late" });
			},
			refusal(404, 10015),
		],
		late("PATCH", { content: "late" }),
		[
			"a callback with another id",
			unknown(({ playground, interaction }) => `${playground.applicationId}/${interaction.token}`),
			refusal(404, 10062),
		],
		["a callback with another token", unknown(({ interaction }) => `${interaction.id}/guessed`), refusal(404, 10062)],
		[
			"a deferral with a flag other than EPHEMERAL",
			({ interaction }) => interaction.callback({ type: 5, data: { flags: 32768 } }),
			invalidFormBody("data.flags"),
		],
		[
			"a message without anything in it",
			({ interaction }) => interaction.callback({ type: 4, data: { content: " \n " } }),
			refusal(400, 50006),
		],
		["an unknown type", ({ interaction }) => interaction.callback({ type: 99 }), invalidFormBody("type")],
		["an edit", ({ interaction }) => interaction.webhook("PATCH", { content: "early" }), refusal(404, 10015)],
	])("%s", async (_, request, answer) => {
		expect(await request(await typed())).toMatchObject(answer);
	});
});

describe("after a deferral an interaction rejects", () => {
	test.each<Refused>([
		["a second callback", ({ interaction }) => interaction.callback(REPLY), refusal(400, 40060)],
		late("GET"),
		late("PATCH", { content: "late" }),
		late("DELETE"),
		late("POST", { content: "late" }, ""),
		[
			"an unknown token",
			({ playground }) => playground.rest("GET", `/webhooks/${playground.applicationId}/guessed/messages/@original`),
			refusal(401, 50027),
		],
		[
			"its token for another application",
			({ playground, interaction: { id, token } }) =>
				playground.rest("GET", `/webhooks/${id}/${token}/messages/@original`),
			refusal(404, 10015),
		],
		[
			"an edit of another interaction's message",
			async ({ playground, reply }) => {
				const { interaction } = await deferred({ playground });
				return await interaction.webhook("PATCH", { content: "x" }, { path: `/messages/${reply.message()?.id}` });
			},
			refusal(404, 10008),
		],
		[
			"a change between public and ephemeral",
			({ interaction }) => interaction.webhook("PATCH", { content: "x", flags: 64 }),
			refusal(400, 50035),
		],
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

	test("creates the reply with the first follow-up after a deferral", async () => {
		const { interaction, reply, user } = await deferred();
		await interaction.webhook("POST", { content: "here" }, { path: "" });
		expect(await reply.until()).toMatchObject({ content: "here", type: 20 });
		expect(await user.messages()).toHaveLength(1);
	});

	test("creates the reply with only one of two follow-ups that arrive together after a deferral", async () => {
		const { interaction, user } = await deferred();
		const followUp = (name: string) =>
			interaction.webhook("POST", { content: name }, { path: "", files: [{ name, bytes: Buffer.alloc(3_000_000) }] });
		await Promise.all([followUp("one"), followUp("two")]);
		expect((await user.messages()).map(({ content }) => content).toSorted()).toStrictEqual(["one", "two"]);
	});

	test("creates later follow-ups as separate messages, which can be read, edited and deleted by their ids", async () => {
		const { interaction, reply, user } = await deferred();
		await interaction.webhook("PATCH", { content: "first" });
		const { body } = await interaction.webhook("POST", { content: "second" }, { path: "" });
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
		expect(await interaction.webhook("PATCH", { content: "gone" })).toMatchObject(refusal(404, 10008));
		expect(reply.message()).toBeUndefined();
	});
});

test("a public message that refers to an ephemeral one shows it to its member only", async () => {
	const { playground, interaction, reply, user } = await deferred({ flags: 64 });
	const other = await playground.userNamed("ada");
	const bot = await playground.bot({ intents: GatewayIntentBits.GuildMessages });
	await interaction.webhook("PATCH", { content: "secret" });
	const answer = await interaction.webhook("POST", { content: "for all" }, { path: "" });
	const { id } = answer.body as APIMessage;
	const { d: event } = await bot.gateway.until(({ t, d }) => t === "MESSAGE_CREATE" && d["id"] === id);
	const seen = await other.untilMessage((message) => message.id === id);
	for (const hidden of [seen, event, answer.body]) {
		expect(hidden).toMatchObject({ message_reference: { message_id: reply.message()?.id } });
		expect(hidden).not.toHaveProperty("referenced_message");
	}
	expect(await user.untilMessage((message) => message.id === id)).toMatchObject({
		referenced_message: { content: "secret" },
	});
	// The bot's token does not find it either.
	const path = `/channels/${String(interaction.payload["channel_id"])}/messages`;
	const referring = { content: "x", message_reference: { message_id: reply.message()?.id } };
	expect(await playground.rest("POST", path, referring)).toMatchObject(invalidFormBody("message_reference"));
});

test("an ephemeral reply is visible to its member only, not to others or the bot token", async () => {
	const playground = await openPlayground();
	const [first, other] = [await playground.user(), await playground.userNamed("ada")];
	const { interaction, reply } = await deferred({ flags: 64, playground });
	await interaction.webhook("PATCH", { content: "for you alone" });
	expect(await reply.until()).toMatchObject({ content: "for you alone", flags: 64 });
	expect(await first.messages()).toHaveLength(1);
	expect(await other.messages()).toStrictEqual([]);
	const path = `${await playground.channel()}/messages/${reply.message()?.id}`;
	expect(await playground.rest("PATCH", path, { content: "x" })).toMatchObject(refusal(404, 10008));
});

describe("an interaction", () => {
	test("contains the fields that libraries rely on", async () => {
		const { playground, interaction, user } = await typed({ values: { prompt: "a lighthouse", seed: "7" } });
		const { me, guild, channels } = await user.state();
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
			data: {
				name: "image",
				type: 1,
				options: [
					{ name: "prompt", type: 3, value: "a lighthouse" },
					{ name: "seed", type: 4, value: 7 },
				],
			},
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
});

test("an interaction fails at once if no bot is connected", async () => {
	const playground = await openPlayground();
	await playground.register({ name: "ping", description: "Pong" });
	const reply = await (await playground.user()).type("/ping");
	await expect(reply.until()).rejects.toThrow("no bot is connected");
});

async function asking(model: string) {
	const scene = await typed();
	const asked = scene.user.autocomplete("/image", { model }, "model");
	asked.catch(() => {});
	const { d } = await scene.bot.gateway.until(({ t, d: each }) => t === "INTERACTION_CREATE" && each["type"] === 4);
	const offer = (choices: readonly object[]) =>
		invoked(scene.playground.rest, d).callback({ type: 8, data: { choices } });
	return { ...scene, asked, d, offer };
}

describe("autocomplete", () => {
	test("contains the typed text, and the page offers the choices of the bot", async () => {
		const { asked, d, offer } = await asking("sk");
		expect(d["data"]).toMatchObject({ options: [{ name: "model", type: 3, value: "sk", focused: true }] });
		const choices = [{ name: "Sketch", value: "sketch" }];
		expect(await offer(choices)).toMatchObject({ status: 204 });
		expect(await asked).toStrictEqual(choices);
	});

	test("ends after three seconds; a later callback is 404 / 10062", async () => {
		const { asked, offer, clock } = await asking("");
		await clock.advance(3_000);
		await expect(asked).rejects.toThrow("did not respond");
		expect(await offer([])).toMatchObject(refusal(404, 10062));
	});

	test.each([
		[3, "five", 5, "STRING_TYPE_CONVERT"],
		[4, 5, 5.5, "NUMBER_TYPE_COERCE"],
		[10, 5.5, "five", "NUMBER_TYPE_COERCE"],
	])("for an option of type %i accepts %j, and rejects %j", async (type, value, other, code) => {
		const playground = await openPlayground();
		const bot = await playground.bot();
		const option = { type, name: "what", description: "x", autocomplete: true };
		await playground.register({ name: "pick", description: "x", options: [option] });
		const asked = (await playground.user()).autocomplete("/pick", { what: "" }, "what");
		const { d } = await bot.gateway.until(({ t }) => t === "INTERACTION_CREATE");
		const offer = (choice: string | number) =>
			invoked(playground.rest, d).callback({ type: 8, data: { choices: [{ name: "x", value: choice }] } });
		expect(await offer(other)).toMatchObject(invalidFormBody("data.choices.0.value", code));
		expect(await offer(value)).toMatchObject({ status: 204 });
		expect(await asked).toStrictEqual([{ name: "x", value }]);
	});
});
