import { describe, expect, test } from "vitest";
import { messageWithComponents } from "./message-with-components.ts";
import { invalidFormBody, openPlayground, refusal } from "../testing/setup.ts";

describe("a button interaction", () => {
	test("contains the message, the component and the member", async () => {
		const { message, pressed, user } = await messageWithComponents();
		const { interaction } = await pressed("again");
		expect(interaction.payload).toMatchObject({
			type: 3,
			data: { id: 40, custom_id: "again", component_type: 2 },
			message: { id: message.id, content: "here", author: { bot: true } },
			member: { user: { id: user.me.user.id } },
			channel: { id: message.channel_id },
			guild_id: expect.any(String),
			attachment_size_limit: 10 * 1024 * 1024,
		});
		expect(interaction.payload["data"]).not.toHaveProperty("values");
	});

	test.each([
		["off", "has disabled this"],
		["gone", "button or menu was removed"],
	])("is not sent for the button %s", async (customId, reason) => {
		const { message, user, bot } = await messageWithComponents();
		await expect(user.press(message, { customId })).rejects.toThrow(reason);
		// The interaction of the command that created the message.
		expect(bot.gateway.received.filter(({ t }) => t === "INTERACTION_CREATE")).toHaveLength(1);
	});

	test("from an ephemeral message can come from its recipient only", async () => {
		const { playground, message, pressed } = await messageWithComponents({ flags: 64 });
		const ada = await playground.userNamed("ada");
		await expect(ada.press(message, { customId: "again" })).rejects.toThrow("was deleted");
		expect((await pressed("again")).interaction.payload).toMatchObject({ message: { id: message.id, flags: 64 } });
	});

	test("from a public message can come from any user", async () => {
		const { playground, message, bot, user } = await messageWithComponents();
		const ada = await playground.userNamed("ada");
		const press = await ada.press(message, { customId: "again" });
		const interaction = await bot.interaction(press.interactionId);
		expect(interaction.payload).toMatchObject({ member: { user: { username: "ada" } } });
		await interaction.callback({ type: 4, data: { content: "not yours", flags: 64 } });
		expect(await press.until()).toMatchObject({ content: "not yours" });
		expect((await user.messages()).map(({ content }) => content)).toStrictEqual(["here"]);
	});
});

describe("a menu interaction", () => {
	test("contains the chosen values and the resolved users, roles and channels", async () => {
		const { pressed, playground } = await messageWithComponents();
		const { userId, roleId, channelId } = await playground.ids();
		const [ada, artists, gallery] = [userId("ada"), roleId("Artists"), channelId("gallery")];
		expect((await pressed("size", ["m", "l"])).interaction.payload).toMatchObject({
			data: { component_type: 3, values: ["m", "l"] },
		});
		expect((await pressed("who", [ada])).interaction.payload).toMatchObject({
			data: { component_type: 5, values: [ada], resolved: { users: { [ada]: {} }, members: { [ada]: { roles: {} } } } },
		});
		expect((await pressed("mentionables", [ada, artists])).interaction.payload).toMatchObject({
			data: { component_type: 7, resolved: { users: { [ada]: {} }, roles: { [artists]: {} } } },
		});
		expect((await pressed("where", [gallery])).interaction.payload).toMatchObject({
			data: { component_type: 8, resolved: { channels: { [gallery]: { name: "gallery" } } } },
		});
		expect((await pressed("who", [])).interaction.payload).toMatchObject({ data: { values: [] } });
	});

	test.each([
		["size", [], "choose at least 1"],
		["size", ["s", "m", "l"], "choose at most 2"],
		["size", ["s", "s"], "each value can be chosen only once"],
		["size", ["xl"], "xl cannot be chosen"],
		["who", ["123456789012345678"], "unknown user"],
		["where", ["123456789012345678"], "unknown channel"],
		["again", ["s"], "A button takes no values"],
	])("of %s is not sent for the values %j", async (customId, values, reason) => {
		const { message, user } = await messageWithComponents();
		await expect(user.press(message, { customId }, values)).rejects.toThrow(reason);
	});
});

describe("the callback of a component", () => {
	test("UPDATE_MESSAGE (7) edits the message for every user, and @original is that message", async () => {
		const { message, pressed, user, reply } = await messageWithComponents();
		const { press, interaction } = await pressed("again");
		const answer = await interaction.callback(
			{ type: 7, data: { content: "pressed", components: [] } },
			{ withResponse: true },
		);
		expect(answer).toMatchObject({
			status: 200,
			body: {
				interaction: { type: 3, response_message_id: message.id },
				resource: { type: 7, message: { id: message.id, content: "pressed", components: [] } },
			},
		});
		expect(await press.until()).toMatchObject({
			id: message.id,
			content: "pressed",
			edited_timestamp: expect.any(String),
		});
		expect(reply.message()).toMatchObject({ content: "pressed", interaction_metadata: { id: reply.interactionId } });
		expect(await interaction.webhook("PATCH", { content: "again" })).toMatchObject({
			status: 200,
			body: { id: message.id },
		});
		expect(await user.messages()).toMatchObject([{ id: message.id, content: "again" }]);
	});

	test("DEFERRED_UPDATE (6) changes nothing; the later edit changes that message", async () => {
		const { message, pressed, user } = await messageWithComponents();
		const { press, interaction } = await pressed("again");
		expect(await interaction.callback({ type: 6 })).toMatchObject({ status: 204 });
		await press.answered();
		expect(await user.messages()).toMatchObject([{ content: "here", edited_timestamp: null }]);
		await interaction.webhook("PATCH", { content: "later" });
		expect(await press.until()).toMatchObject({ id: message.id, content: "later" });
	});

	test("CHANNEL_MESSAGE (4) replies to the message, and its metadata names the interaction", async () => {
		const { message, pressed } = await messageWithComponents();
		const { press, interaction } = await pressed("again");
		await interaction.callback({ type: 4, data: { content: "new" } });
		const answer = await press.until();
		expect(answer).toMatchObject({
			type: 19,
			message_reference: { message_id: message.id },
			interaction_metadata: { id: interaction.id, type: 3, interacted_message_id: message.id },
		});
		expect(answer).not.toHaveProperty("interaction");
		expect(await interaction.webhook("GET")).toMatchObject({ body: { id: answer.id } });
	});

	test("a follow-up after DEFERRED_UPDATE (6) replies to the message and leaves it unchanged", async () => {
		const { message, pressed, user } = await messageWithComponents();
		const { press, interaction } = await pressed("again");
		await interaction.callback({ type: 6 });
		await interaction.webhook("POST", { content: "by the way", flags: 64 }, { path: "" });
		await expect.poll(() => press.messages().map(({ content }) => content)).toStrictEqual(["by the way"]);
		expect(press.messages()).toMatchObject([
			{
				type: 19,
				message_reference: { message_id: message.id },
				interaction_metadata: { original_response_message_id: message.id, interacted_message_id: message.id },
			},
		]);
		expect(await user.messages()).toHaveLength(2);
	});

	test("an autocomplete result (8) is rejected, as are updates (6, 7) for a command", async () => {
		const { pressed, user, bot } = await messageWithComponents();
		const { interaction } = await pressed("again");
		const refused = invalidFormBody("type");
		expect(await interaction.callback({ type: 8, data: { choices: [] } })).toMatchObject(refused);
		const typed = await bot.interaction((await user.type("/image", { prompt: "x" })).interactionId);
		for (const type of [6, 7]) expect(await typed.callback({ type })).toMatchObject(refused);
	});

	test("on a deleted message is Unknown Message (10008): at once for an update, at its edit for a deferred one", async () => {
		const { interaction, pressed } = await messageWithComponents();
		const [seven, six] = [(await pressed("again")).interaction, (await pressed("size", ["s"])).interaction];
		await interaction.webhook("DELETE");
		const unknown = refusal(404, 10008);
		expect(await seven.callback({ type: 7, data: { content: "x" } })).toMatchObject(unknown);
		expect(await six.callback({ type: 6 })).toMatchObject({ status: 204 });
		expect(await six.webhook("PATCH", { content: "x" })).toMatchObject(unknown);
	});

	test("is accepted once: of two concurrent updates one is rejected, and the message has the file of the other only", async () => {
		const { pressed, user } = await messageWithComponents();
		const { interaction } = await pressed("again");
		const files = [{ name: "a.png", bytes: Buffer.alloc(50_000) }];
		const answers = await Promise.all(
			["one", "two"].map((content) => interaction.callback({ type: 7, data: { content } }, { files })),
		);
		expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toStrictEqual([204, 400]);
		expect(await user.messages()).toMatchObject([{ attachments: [{ filename: "a.png" }] }]);
	});
});

describe("a component is rejected for", () => {
	const option = { label: "a", value: "a" };
	test.each([
		["a link without an address", { type: 2, style: 5, label: "x" }, "url"],
		[
			"a link with a custom id",
			{ type: 2, style: 5, label: "x", url: "https://a.example", custom_id: "x" },
			"custom_id",
		],
		["a button without a custom id", { type: 2, style: 1, label: "x" }, "custom_id"],
		["a button with neither a label nor an emoji", { type: 2, style: 1, custom_id: "x" }, "label"],
		[
			"a menu with min_values above max_values",
			{ type: 5, custom_id: "x", min_values: 3, max_values: 2 },
			"min_values",
		],
		[
			"a menu with max_values above the number of options",
			{ type: 3, custom_id: "x", max_values: 2, options: [option] },
			"max_values",
		],
		["a menu with a repeated value", { type: 3, custom_id: "x", options: [option, option] }, "options.1.value"],
	])("%s", async (_, component, field) => {
		const { interaction } = await (await messageWithComponents()).pressed("again");
		const data = { components: [{ type: 1, components: [component] }] };
		const answer = await interaction.callback({ type: 7, data });
		expect(answer).toMatchObject(invalidFormBody(`data.components.0.components.0.${field}`));
	});
});

const button = (custom_id: string, emoji: object) => ({ type: 2, style: 2, custom_id, emoji });
const option = (value: string, emoji: object | null) => ({ label: value, value, description: null, emoji });

describe("a component in a response", () => {
	test("has only the valid fields of its emoji and of its options", async () => {
		const playground = await openPlayground();
		const custom = { id: "100000000000000001", name: "wave" };
		const sent = await playground.rest("POST", `${await playground.channel()}/messages`, {
			components: [
				{
					type: 1,
					components: [
						button("unicode", { id: null, name: "🌱", animated: false }),
						button("custom", { ...custom, animated: "yes" }),
						button("moving", { ...custom, animated: true }),
					],
				},
				{
					type: 1,
					components: [
						{
							type: 3,
							custom_id: "tree",
							options: [
								option("oak", { id: null, name: "🌳" }),
								option("elm", { ...custom, animated: 1 }),
								option("ash", null),
							],
						},
					],
				},
			],
		});
		expect(sent.status).toBe(200);
		const [row, menuRow] = (sent.body as { components: { components: { emoji?: object; options?: object[] }[] }[] })
			.components;
		expect(row?.components.map(({ emoji }) => emoji)).toStrictEqual([
			{ name: "🌱" },
			custom,
			{ ...custom, animated: true },
		]);
		expect(menuRow?.components[0]?.options).toStrictEqual([
			{ label: "oak", value: "oak", emoji: { name: "🌳" } },
			{ label: "elm", value: "elm", emoji: custom },
			{ label: "ash", value: "ash" },
		]);
	});
});
