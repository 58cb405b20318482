import { describe, expect, test } from "vitest";
import { deferred, invoked, MINUTE_MS, openGround, typed } from "../testing/setup.ts";

describe("the one callback", () => {
	test("within three seconds an interaction is answered with a message", async () => {
		const { interaction, reply } = await typed();
		const answer = await interaction.callback({ type: 4, data: { content: "hello" } });
		expect(answer).toMatchObject({ status: 204, body: undefined });
		expect(await reply.until()).toMatchObject({ type: 20, content: "hello", flags: 0, interaction: { name: "image" } });
	});

	test("a deferred reply is a loading message, which can be read at once", async () => {
		const { interaction, reply } = await typed();
		expect(await interaction.callback({ type: 5 })).toMatchObject({ status: 204 });
		expect(await reply.until(() => true)).toMatchObject({ type: 20, flags: 128, content: "" });
		expect(await interaction.webhook("GET")).toMatchObject({ status: 200, body: { flags: 128 } });
	});

	test("with_response answers 200 with the message that was made", async () => {
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

	test("without an answer the page says after three seconds that the application did not respond", async () => {
		const { clock, reply } = await typed();
		await clock.advance(2_999);
		expect(reply.failure()).toBeUndefined();
		await clock.advance(1);
		await expect(reply.until()).rejects.toThrow("The application did not respond");
	});

	test("after three seconds a callback is 404 / 10062", async () => {
		const { clock, interaction } = await typed();
		await clock.advance(3_000);
		expect(await interaction.callback({ type: 5 })).toMatchObject({ status: 404, body: { code: 10062 } });
	});

	test("an unknown interaction, and a known one with another token, are 404 / 10062", async () => {
		const { ground, interaction } = await typed();
		const paths = [
			`/interactions/${ground.applicationId}/${interaction.token}`,
			`/interactions/${interaction.id}/guessed`,
		];
		for (const path of paths) {
			expect(await ground.rest("POST", `${path}/callback`, { type: 5 })).toMatchObject({
				status: 404,
				body: { code: 10062 },
			});
		}
	});

	test("a second callback is 400 / 40060", async () => {
		const { interaction } = await deferred();
		expect(await interaction.callback({ type: 4, data: { content: "again" } })).toMatchObject({
			status: 400,
			body: { code: 40060 },
		});
	});

	test("of two callbacks at the same moment one is refused, and there is one reply", async () => {
		const { interaction, person } = await typed();
		const files = [{ name: "a.png", bytes: Buffer.alloc(100_000) }];
		const answers = await Promise.all([
			interaction.callback({ type: 4, data: { content: "one" } }, { files }),
			interaction.callback({ type: 4, data: { content: "two" } }, { files }),
		]);
		expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toStrictEqual([204, 400]);
		expect(await person.messages()).toHaveLength(1);
	});

	test("a defer may carry no flag but EPHEMERAL", async () => {
		const { interaction } = await typed();
		const answer = await interaction.callback({ type: 5, data: { flags: 32768 } });
		expect(answer).toMatchObject({
			status: 400,
			body: { code: 50035, errors: { data: { flags: { _errors: [{}] } } } },
		});
	});

	test("a message without anything in it is 400 / 50006", async () => {
		const { interaction } = await typed();
		const answer = await interaction.callback({ type: 4, data: { content: " \n " } });
		expect(answer).toMatchObject({ status: 400, body: { code: 50006 } });
	});

	test("a command cannot be answered with choices", async () => {
		const { interaction } = await typed();
		const answer = await interaction.callback({ type: 8, data: { choices: [] } });
		expect(answer).toMatchObject({ status: 400, body: { code: 50035, errors: { type: { _errors: [{}] } } } });
	});

	test("a type that no interaction knows is refused by name", async () => {
		const { interaction } = await typed();
		expect(await interaction.callback({ type: 99 })).toMatchObject({
			status: 400,
			body: { code: 50035, errors: { type: {} } },
		});
	});
});

describe("the token", () => {
	test("before the callback an edit is 404 / 10015", async () => {
		const { interaction } = await typed();
		expect(await interaction.webhook("PATCH", { content: "early" })).toMatchObject({
			status: 404,
			body: { code: 10015 },
		});
	});

	test("an edit one millisecond before fifteen minutes is made", async () => {
		const { clock, interaction, reply } = await deferred();
		await clock.advance(15 * MINUTE_MS - 1);
		expect(await interaction.webhook("PATCH", { content: "in time" })).toMatchObject({ status: 200 });
		expect(await reply.until()).toMatchObject({ content: "in time", flags: 0 });
	});

	test.each([
		["GET", undefined, "/messages/@original"],
		["PATCH", { content: "late" }, "/messages/@original"],
		["DELETE", undefined, "/messages/@original"],
		["POST", { content: "late" }, ""],
	])("fifteen minutes after the command %s is 401 / 50027", async (method, body, path) => {
		const { clock, interaction } = await deferred();
		await clock.advance(15 * MINUTE_MS);
		expect(await interaction.webhook(method, body, { path })).toMatchObject({ status: 401, body: { code: 50027 } });
	});

	test("a token that was never given is 401 / 50027, and one of another application 404 / 10015", async () => {
		const { ground, interaction } = await deferred();
		const guessed = await ground.rest("GET", `/webhooks/${ground.applicationId}/guessed/messages/@original`);
		expect(guessed).toMatchObject({ status: 401, body: { code: 50027 } });
		const foreign = await ground.rest("GET", `/webhooks/${interaction.id}/${interaction.token}/messages/@original`);
		expect(foreign).toMatchObject({ status: 404, body: { code: 10015 } });
	});

	test("@original arrives percent-encoded as well", async () => {
		const { interaction } = await deferred();
		expect(await interaction.webhook("GET", undefined, { path: "/messages/%40original" })).toMatchObject({
			status: 200,
		});
	});

	test("right after a defer a follow-up becomes the reply", async () => {
		const { interaction, reply, person } = await deferred();
		await interaction.webhook("POST", { content: "here" }, { path: "" });
		expect(await reply.until()).toMatchObject({ content: "here", type: 20 });
		expect(await person.messages()).toHaveLength(1);
	});

	test("a follow-up is a message of its own, which can be read, edited and deleted by its id", async () => {
		const { interaction, reply, person } = await deferred();
		await interaction.webhook("PATCH", { content: "first" });
		const { body } = await interaction.webhook("POST", { content: "second" }, { path: "" });
		const { id } = body as { id: string };
		expect(body).toMatchObject({ type: 19, message_reference: { message_id: reply.message()?.id } });
		const path = `/messages/${id}`;
		expect(await interaction.webhook("GET", undefined, { path })).toMatchObject({ body: { content: "second" } });
		expect(await interaction.webhook("PATCH", { content: "third" }, { path })).toMatchObject({
			body: { content: "third" },
		});
		expect(await interaction.webhook("DELETE", undefined, { path })).toMatchObject({ status: 204 });
		expect(await interaction.webhook("GET", undefined, { path })).toMatchObject({ status: 404, body: { code: 10008 } });
		expect((await person.messages()).map(({ content }) => content)).toStrictEqual(["first"]);
	});

	test("a token opens no message of another interaction", async () => {
		const first = await deferred();
		const second = await deferred({ ground: first.ground });
		const path = `/messages/${first.reply.message()?.id}`;
		expect(await second.interaction.webhook("PATCH", { content: "mine" }, { path })).toMatchObject({
			status: 404,
			body: { code: 10008 },
		});
	});

	test("a deleted reply is 404 / 10008", async () => {
		const { interaction, reply } = await deferred();
		expect(await interaction.webhook("DELETE")).toMatchObject({ status: 204 });
		expect(await interaction.webhook("PATCH", { content: "gone" })).toMatchObject({
			status: 404,
			body: { code: 10008 },
		});
		expect(reply.message()).toBeUndefined();
	});
});

describe("ephemeral replies", () => {
	test("only the person who typed the command sees them", async () => {
		const ground = await openGround();
		const first = await ground.person();
		const [, ada] = (await first.state()).members;
		const other = await ground.person(ada?.user.id);
		const { interaction, reply } = await deferred({ flags: 64, ground });
		await interaction.webhook("PATCH", { content: "for you alone" });
		expect(await reply.until()).toMatchObject({ content: "for you alone", flags: 64 });
		expect(await first.messages()).toHaveLength(1);
		expect(await other.messages()).toStrictEqual([]);
	});

	test("the bot does not find them with its own token", async () => {
		const { ground, reply } = await deferred({ flags: 64 });
		const message = reply.message();
		const path = `/channels/${message?.channel_id}/messages/${message?.id}`;
		expect(await ground.rest("PATCH", path, { content: "x" })).toMatchObject({ status: 404, body: { code: 10008 } });
	});

	test("whether a reply is ephemeral is settled by the defer", async () => {
		const { interaction, reply } = await deferred();
		expect(await interaction.webhook("PATCH", { content: "x", flags: 64 })).toMatchObject({
			status: 400,
			body: { code: 50035 },
		});
		expect(reply.message()?.flags).toBe(128);
	});
});

describe("what the bot is sent", () => {
	test("an interaction carries everything that libraries rely on", async () => {
		const { ground, interaction, person } = await typed({ values: { prompt: "a lighthouse", seed: "7" } });
		const state = await person.state();
		expect(interaction.payload).toMatchObject({
			type: 2,
			version: 1,
			application_id: ground.applicationId,
			guild_id: state.guild.id,
			channel_id: state.channels[0]?.id,
			channel: { id: state.channels[0]?.id, type: 0, nsfw: false },
			member: {
				user: { id: state.me.user.id, username: "you" },
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
			authorizing_integration_owners: { "0": state.guild.id },
			attachment_size_limit: 10 * 1024 * 1024,
			app_permissions: expect.any(String),
			locale: "en-US",
			guild_locale: "en-US",
			context: 0,
		});
		expect(interaction.id).toMatch(/^\d{17,19}$/);
	});

	test("with no bot connected the page hears so at once", async () => {
		const ground = await openGround();
		await ground.rest("PUT", `/applications/${ground.applicationId}/commands`, [{ name: "ping", description: "Pong" }]);
		const reply = await (await ground.person()).type("/ping");
		await expect(reply.until()).rejects.toThrow("no bot is connected");
	});

	test("autocomplete asks with the text so far and offers what the bot answers", async () => {
		const { ground, bot, person } = await typed();
		const asked = person.autocomplete("/image", { model: "sk" }, "model");
		const { d } = await bot.wire.until(({ t, d: payload }) => t === "INTERACTION_CREATE" && payload["type"] === 4);
		expect(d["data"]).toMatchObject({ options: [{ name: "model", type: 3, value: "sk", focused: true }] });
		const choices = [{ name: "Sketch", value: "sketch" }];
		expect(await invoked(ground.rest, d).callback({ type: 8, data: { choices } })).toMatchObject({ status: 204 });
		expect(await asked).toStrictEqual(choices);
	});

	test("autocomplete gives up after three seconds, and a later callback is 404 / 10062", async () => {
		const { ground, bot, person, clock } = await typed();
		const asked = person.autocomplete("/image", { model: "" }, "model");
		asked.catch(() => {});
		const { d } = await bot.wire.until(({ t, d: payload }) => t === "INTERACTION_CREATE" && payload["type"] === 4);
		await clock.advance(3_000);
		await expect(asked).rejects.toThrow("did not respond");
		expect(await invoked(ground.rest, d).callback({ type: 8, data: { choices: [] } })).toMatchObject({
			status: 404,
			body: { code: 10062 },
		});
	});

	test("26 choices are refused", async () => {
		const { ground, bot, person, clock } = await typed();
		const asked = person.autocomplete("/image", { model: "" }, "model");
		asked.catch(() => {});
		const { d } = await bot.wire.until(({ t, d: payload }) => t === "INTERACTION_CREATE" && payload["type"] === 4);
		const choices = Array.from({ length: 26 }, (_, at) => ({ name: `n${at}`, value: `v${at}` }));
		expect(await invoked(ground.rest, d).callback({ type: 8, data: { choices } })).toMatchObject({
			status: 400,
			body: { code: 50035, errors: { data: { choices: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] } } } },
		});
		await clock.advance(3_000);
	});
});
