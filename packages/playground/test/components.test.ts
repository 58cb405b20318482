/** Interactions of buttons and menus, their callbacks, and those of context menus. */
import { describe, expect, test } from "vitest";
import { messageWithComponents } from "./message-with-components.ts";
import { invalidFormBody, refusal } from "../testing/setup.ts";

/** A member who has pressed the button "again". */
async function withPress() {
	const scene = await messageWithComponents();
	return { ...scene, ...(await scene.pressed("again")), command: scene.interaction };
}

describe("a button interaction", () => {
	test("contains the message, the component and the member", async () => {
		const { message, interaction, user } = await withPress();
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
		expect(bot.events("INTERACTION_CREATE")).toHaveLength(1);
	});

	test("from an ephemeral message can come from its recipient only", async () => {
		const { playground, message, pressed } = await messageWithComponents({ flags: 64 });
		const ada = await playground.userNamed("ada");
		await expect(ada.press(message, { customId: "again" })).rejects.toThrow("was deleted");
		expect((await pressed("again")).interaction.payload).toMatchObject({ message: { id: message.id, flags: 64 } });
	});
});

describe("a menu interaction", () => {
	test("contains the chosen values and the resolved users, roles and channels", async () => {
		const { pressed, playground } = await messageWithComponents();
		const { userId, roleId, channelId } = playground;
		const [ada, artists, gallery] = [userId("ada"), roleId("Artists"), channelId("gallery")];
		const users = { [ada]: {} };
		for (const [customId, values, data] of [
			["size", ["m", "l"], { component_type: 3 }],
			["who", [ada], { component_type: 5, resolved: { users, members: { [ada]: { roles: {} } } } }],
			["mentionables", [ada, artists], { component_type: 7, resolved: { users, roles: { [artists]: {} } } }],
			["where", [gallery], { component_type: 8, resolved: { channels: { [gallery]: { name: "gallery" } } } }],
			["who", [], {}],
		] as const)
			expect((await pressed(customId, values)).interaction.payload).toMatchObject({ data: { ...data, values } });
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
		const { message: before, press, interaction, user, reply } = await withPress();
		const { id } = before;
		const changed = { id, content: "pressed", components: [] };
		const update = { type: 7, data: { content: "pressed", components: [] } };
		expect(await interaction.callback(update, { withResponse: true })).toMatchObject({
			status: 200,
			body: { interaction: { type: 3, response_message_id: id }, resource: { type: 7, message: changed } },
		});
		expect(await press.until()).toMatchObject({ ...changed, edited_timestamp: expect.any(String) });
		expect(reply.message()).toMatchObject({ content: "pressed", interaction_metadata: { id: reply.interactionId } });
		expect(await interaction.webhook("PATCH", { content: "again" })).toMatchObject({ status: 200, body: { id } });
		expect(await user.messages()).toMatchObject([{ id, content: "again" }]);
	});

	test("DEFERRED_UPDATE (6) changes nothing; the later edit changes that message", async () => {
		const { message, press, interaction, user } = await withPress();
		expect(await interaction.callback({ type: 6 })).toMatchObject({ status: 204 });
		await press.answered();
		expect(await user.messages()).toMatchObject([{ content: "here", edited_timestamp: null }]);
		await interaction.webhook("PATCH", { content: "later" });
		expect(await press.until()).toMatchObject({ id: message.id, content: "later" });
	});

	test("CHANNEL_MESSAGE (4) replies to the message, and its metadata names the interaction", async () => {
		const { message, press, interaction } = await withPress();
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
		const { message, press, interaction, user } = await withPress();
		await interaction.callback({ type: 6 });
		await interaction.webhook("POST", { content: "by the way", flags: 64 }, { path: "" });
		await expect.poll(() => press.messages()).toHaveLength(1);
		const { id } = message;
		expect(press.messages()).toMatchObject([
			{
				type: 19,
				content: "by the way",
				message_reference: { message_id: id },
				interaction_metadata: { original_response_message_id: id, interacted_message_id: id },
			},
		]);
		expect(await user.messages()).toHaveLength(2);
	});

	test("an autocomplete result (8) is rejected, as are updates (6, 7) for a command", async () => {
		const { interaction, user, bot } = await withPress();
		const refused = invalidFormBody("type");
		expect(await interaction.callback({ type: 8, data: { choices: [] } })).toMatchObject(refused);
		const typed = await bot.interaction((await user.type("/image", { prompt: "x" })).interactionId);
		for (const type of [6, 7]) expect(await typed.callback({ type })).toMatchObject(refused);
	});

	test("on a deleted message is Unknown Message (10008): at once for an update, at its edit for a deferred one", async () => {
		const { command, pressed, interaction: seven } = await withPress();
		const six = (await pressed("size", ["s"])).interaction;
		await command.webhook("DELETE");
		const unknown = refusal(404, 10008);
		expect(await seven.callback({ type: 7, data: { content: "x" } })).toMatchObject(unknown);
		expect(await six.callback({ type: 6 })).toMatchObject({ status: 204 });
		expect(await six.webhook("PATCH", { content: "x" })).toMatchObject(unknown);
	});

	test("is accepted once: of two concurrent updates one is rejected, and the message has the file of the other only", async () => {
		const { interaction, user } = await withPress();
		const files = [{ name: "a.png", bytes: Buffer.alloc(50_000) }];
		const answers = await Promise.all(
			["one", "two"].map((content) => interaction.callback({ type: 7, data: { content } }, { files })),
		);
		expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toStrictEqual([204, 400]);
		expect(await user.messages()).toMatchObject([{ attachments: [{ filename: "a.png" }] }]);
	});
});

async function withMenus() {
	const scene = await messageWithComponents();
	await scene.playground.register(
		{ type: 3, name: "Make variations" },
		{ type: 2, name: "Show gallery" },
		{ type: 3, name: "For admins", default_member_permissions: "0" },
	);
	return { ...scene, ada: await scene.playground.userNamed("ada") };
}

describe("a command of a context menu", () => {
	test("on a message contains the message, and the reply names the command", async () => {
		const { user, bot, message } = await withMenus();
		const reply = await user.context("Make variations", message);
		const interaction = await bot.interaction(reply.interactionId);
		const { id, channel_id } = message;
		const resolved = { messages: { [id]: { content: "here", author: { bot: true } } } };
		const data = { type: 3, name: "Make variations", target_id: id, resolved };
		expect(interaction.payload).toMatchObject({ type: 2, data });
		await interaction.callback({ type: 4, data: { content: "done" } });
		expect(await reply.until()).toMatchObject({
			type: 23,
			interaction: { name: "Make variations" },
			message_reference: { message_id: id, channel_id },
			referenced_message: { content: "here" },
			interaction_metadata: { type: 2, target_message_id: id },
		});
	});

	test("on a user contains the user and the member", async () => {
		const { user, bot, ada } = await withMenus();
		const reply = await user.context("Show gallery", ada.me);
		const interaction = await bot.interaction(reply.interactionId);
		const { id } = ada.me.user;
		const resolved = { users: { [id]: { username: "ada" } }, members: { [id]: {} } };
		expect(interaction.payload).toMatchObject({ data: { type: 2, target_id: id, resolved } });
		await interaction.callback({ type: 4, data: { content: "done" } });
		expect(await reply.until()).toMatchObject({ type: 23, interaction_metadata: { target_user: { id } } });
	});

	test("is rejected for a member without its permission, another target type, or a deleted message", async () => {
		const { ada, user, message, interaction } = await withMenus();
		await expect(ada.context("For admins", message)).rejects.toThrow("Unknown command For admins");
		await expect(user.context("Show gallery", message)).rejects.toThrow("Unknown command Show gallery");
		await interaction.webhook("DELETE");
		await expect(user.context("Make variations", message)).rejects.toThrow("was deleted");
	});
});
