import { describe, expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { pressable } from "./pressable.ts";
import { invalidForm, invoked, openGround, refusal, temporaryFolder } from "../testing/setup.ts";

describe("the interaction of a button", () => {
	test("is the message, the component, and who pressed it", async () => {
		const { message, pressed, person } = await pressable();
		const { told } = await pressed("again");
		expect(told.payload).toMatchObject({
			type: 3,
			data: { id: 40, custom_id: "again", component_type: 2 },
			message: { id: message.id, content: "here", author: { bot: true } },
			member: { user: { id: person.me.user.id } },
			channel: { id: message.channel_id },
			guild_id: expect.any(String),
			attachment_size_limit: 10 * 1024 * 1024,
		});
		expect(told.payload["data"]).not.toHaveProperty("values");
	});

	test("by its label, as a person finds it", async () => {
		const { message, person, bot } = await pressable();
		const press = await person.press(message, { label: "Again" });
		expect((await bot.interaction(press.interactionId)).payload).toMatchObject({ data: { custom_id: "again" } });
		await expect(person.press(message, { label: "Never" })).rejects.toThrow(
			'this message has no "Never"; it has: Again, Off, Size, Who',
		);
	});

	test.each([
		["off", "has disabled this"],
		["gone", "button or menu was removed"],
	])("is nothing where %s cannot be pressed", async (customId, reason) => {
		const { message, person, bot } = await pressable();
		await expect(person.press(message, { customId })).rejects.toThrow(reason);
		expect(bot.wire.received.filter(({ t }) => t === "INTERACTION_CREATE")).toHaveLength(1);
	});

	test("is nothing where the message is gone", async () => {
		const { message, person, interaction } = await pressable();
		await interaction.webhook("DELETE");
		await expect(person.press(message, { customId: "again" })).rejects.toThrow("was deleted");
	});

	test("in an ephemeral message comes from its person alone", async () => {
		const { ground, message, pressed } = await pressable({ flags: 64 });
		const ada = await ground.personNamed("ada");
		await expect(ada.press(message, { customId: "again" })).rejects.toThrow("was deleted");
		expect((await pressed("again")).told.payload).toMatchObject({ message: { id: message.id, flags: 64 } });
	});

	test("in a public message comes from any user", async () => {
		const { ground, message, bot, person } = await pressable();
		const { members } = await person.state();
		const adaId = members.find(({ user }) => user.username === "ada")?.user.id;
		const ada = await ground.person(adaId);
		const press = await ada.press(message, { customId: "again" });
		const told = await bot.interaction(press.interactionId);
		expect(told.payload).toMatchObject({ member: { user: { id: adaId } } });
		await told.callback({ type: 4, data: { content: "not yours", flags: 64 } });
		expect(await press.until()).toMatchObject({ content: "not yours" });
		expect((await person.messages()).map(({ content }) => content)).toStrictEqual(["here"]);
	});
});

describe("the interaction of a menu", () => {
	test("is what was chosen, and whom it stands for", async () => {
		const { pressed, person } = await pressable();
		const { members, roles, channels } = await person.state();
		const ada = members.find(({ user }) => user.username === "ada")?.user.id ?? "";
		const [role] = roles;
		const [, gallery] = channels;
		expect((await pressed("size", ["m", "l"])).told.payload).toMatchObject({
			data: { component_type: 3, values: ["m", "l"] },
		});
		expect((await pressed("who", [ada])).told.payload).toMatchObject({
			data: { component_type: 5, values: [ada], resolved: { users: { [ada]: {} }, members: { [ada]: { roles: {} } } } },
		});
		expect((await pressed("whoever", [ada, role?.id ?? ""])).told.payload).toMatchObject({
			data: { component_type: 7, resolved: { users: { [ada]: {} }, roles: { [role?.id ?? ""]: {} } } },
		});
		expect((await pressed("where", [gallery?.id ?? ""])).told.payload).toMatchObject({
			data: { component_type: 8, resolved: { channels: { [gallery?.id ?? ""]: { name: "gallery" } } } },
		});
		expect((await pressed("who", [])).told.payload).toMatchObject({ data: { values: [] } });
	});

	test.each([
		["size", [], "choose at least 1"],
		["size", ["s", "m", "l"], "choose at most 2"],
		["size", ["s", "s"], "each value can be chosen only once"],
		["size", ["xl"], "xl cannot be chosen"],
		["who", ["123456789012345678"], "unknown user"],
		["where", ["123456789012345678"], "unknown channel"],
		["again", ["s"], "A button takes no values"],
	])("is nothing where %s cannot be %j", async (customId, values, reason) => {
		const { message, person } = await pressable();
		await expect(person.press(message, { customId }, values)).rejects.toThrow(reason);
	});
});

describe("the callback of a component", () => {
	test("7 edits the message for every user, and @original is that message", async () => {
		const { message, pressed, person, reply } = await pressable();
		const { press, told } = await pressed("again");
		const answer = await told.callback(
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
		expect(await told.webhook("PATCH", { content: "again" })).toMatchObject({ status: 200, body: { id: message.id } });
		expect(await person.messages()).toMatchObject([{ id: message.id, content: "again" }]);
	});

	test("6 changes nothing yet; the edit that follows is of that message", async () => {
		const { message, pressed, person } = await pressable();
		const { press, told } = await pressed("again");
		expect(await told.callback({ type: 6 })).toMatchObject({ status: 204 });
		await press.answered();
		expect(await person.messages()).toMatchObject([{ content: "here", edited_timestamp: null }]);
		await told.webhook("PATCH", { content: "later" });
		expect(await press.until()).toMatchObject({ id: message.id, content: "later" });
	});

	test("4 replies to the message, and says by what it came", async () => {
		const { message, pressed } = await pressable();
		const { press, told } = await pressed("again");
		await told.callback({ type: 4, data: { content: "new" } });
		const answer = await press.until();
		expect(answer).toMatchObject({
			type: 19,
			message_reference: { message_id: message.id },
			interaction_metadata: { id: told.id, type: 3, interacted_message_id: message.id },
		});
		expect(answer).not.toHaveProperty("interaction");
		expect(await told.webhook("GET")).toMatchObject({ body: { id: answer.id } });
	});

	test("5 thinks in a message of its own, and what follows right after is that message", async () => {
		const { pressed, person } = await pressable();
		const { press, told } = await pressed("again");
		await told.callback({ type: 5, data: { flags: 64 } });
		await press.until(() => true);
		await told.webhook("POST", { content: "thought" }, { path: "" });
		expect(await press.until()).toMatchObject({ content: "thought", flags: 64 });
		expect(press.states.map(({ kind }) => kind)).toStrictEqual(["thinking", "message"]);
		expect(await person.messages()).toHaveLength(2);
	});

	test("a follow-up after 6 replies to the message, which stays as it is", async () => {
		const { message, pressed, person } = await pressable();
		const { press, told } = await pressed("again");
		await told.callback({ type: 6 });
		await told.webhook("POST", { content: "by the way", flags: 64 }, { path: "" });
		await expect.poll(() => press.messages().map(({ content }) => content)).toStrictEqual(["by the way"]);
		expect(press.messages()).toMatchObject([
			{
				type: 19,
				message_reference: { message_id: message.id },
				interaction_metadata: { original_response_message_id: message.id, interacted_message_id: message.id },
			},
		]);
		expect(await person.messages()).toHaveLength(2);
	});

	test("8 is refused, and so are 6 and 7 for a command", async () => {
		const { pressed, person, bot } = await pressable();
		const { told } = await pressed("again");
		const refused = invalidForm("type");
		expect(await told.callback({ type: 8, data: { choices: [] } })).toMatchObject(refused);
		const typed = await bot.interaction((await person.type("/image", { prompt: "x" })).interactionId);
		for (const type of [6, 7]) expect(await typed.callback({ type })).toMatchObject(refused);
	});

	test("on a message deleted meanwhile is 404 / 10008, for 7 at once and for 6 at the edit", async () => {
		const { interaction, pressed } = await pressable();
		const [seven, six] = [(await pressed("again")).told, (await pressed("size", ["s"])).told];
		await interaction.webhook("DELETE");
		const unknown = refusal(404, 10008);
		expect(await seven.callback({ type: 7, data: { content: "x" } })).toMatchObject(unknown);
		expect(await six.callback({ type: 6 })).toMatchObject({ status: 204 });
		expect(await six.webhook("PATCH", { content: "x" })).toMatchObject(unknown);
	});

	test("7 with a field that Discord does not know is refused by its name, and changes nothing", async () => {
		const { pressed, person } = await pressable();
		const { told } = await pressed("again");
		expect(await told.callback({ type: 7, data: { content: "x", colour: 1 } })).toMatchObject(
			invalidForm("data.colour"),
		);
		expect(await person.messages()).toMatchObject([{ content: "here" }]);
	});

	test("may come once: of two updates at the same moment one is refused, and its file forgotten", async () => {
		const { pressed, person } = await pressable();
		const { told } = await pressed("again");
		const files = [{ name: "a.png", bytes: Buffer.alloc(50_000) }];
		const answers = await Promise.all(
			["one", "two"].map((content) => told.callback({ type: 7, data: { content } }, { files })),
		);
		expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toStrictEqual([204, 400]);
		expect(await person.messages()).toMatchObject([{ attachments: [{ filename: "a.png" }] }]);
	});

	test("not within three seconds: the person reads that this interaction failed, and it is 404 / 10062", async () => {
		const { clock, pressed } = await pressable();
		const { press, told } = await pressed("again");
		await clock.advance(3_000);
		await expect(press.until()).rejects.toThrow("This interaction failed");
		expect(await told.callback({ type: 6 })).toMatchObject(refusal(404, 10062));
	});

	test("without a bot fails at once", async () => {
		const { bot, message, person } = await pressable();
		await bot.leave();
		const press = await person.press(message, { customId: "again" });
		await expect(press.until()).rejects.toThrow("This interaction failed: no bot is connected");
	});
});

test("a button of before a restart is pressed after it, and what was pressed before is still answered", async () => {
	const clock = createManualClock();
	const dataDir = await temporaryFolder();
	const before = await pressable({ ground: await openGround({ clock, dataDir }) });
	const { told } = await before.pressed("size", ["s"]);
	const ground = await openGround({ clock, dataDir });
	const answer = await invoked(ground.rest, told.payload).callback({ type: 7, data: { content: "small" } });
	expect(answer).toMatchObject({ status: 204 });
	const bot = await ground.bot();
	const person = await ground.person();
	const press = await person.press(before.message, { customId: "again" });
	await (await bot.interaction(press.interactionId)).callback({ type: 6 });
	await press.answered();
	expect(await person.messages()).toMatchObject([{ content: "small" }]);
});

describe("components that Discord refuses", () => {
	const option = { label: "a", value: "a" };
	test.each([
		["a link without an address", { type: 2, style: 5, label: "x" }, "url"],
		[
			"a link with a custom id",
			{ type: 2, style: 5, label: "x", url: "https://a.example", custom_id: "x" },
			"custom_id",
		],
		["a button without a custom id", { type: 2, style: 1, label: "x" }, "custom_id"],
		["a button without a label and an emoji", { type: 2, style: 1, custom_id: "x" }, "label"],
		["a menu of more than it lets choose", { type: 5, custom_id: "x", min_values: 3, max_values: 2 }, "min_values"],
		["a menu of more than its options", { type: 3, custom_id: "x", max_values: 2, options: [option] }, "max_values"],
		["a menu with one value twice", { type: 3, custom_id: "x", options: [option, option] }, "options.1.value"],
	])("%s", async (_, component, field) => {
		const { told } = await (await pressable()).pressed("again");
		const data = { components: [{ type: 1, components: [component] }] };
		const answer = await told.callback({ type: 7, data });
		expect(answer).toMatchObject(invalidForm(`data.components.0.components.0.${field}`));
	});
});
