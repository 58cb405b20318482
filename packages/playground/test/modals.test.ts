/** Forms of the bot: their fields, their submission, and their validation. */
import { describe, expect, test } from "vitest";
import { invalidFormBody, refusal, typed } from "../testing/setup.ts";
import { messageWithComponents } from "./message-with-components.ts";

const row = (...components: object[]) => ({ type: 1, components });
const labelled = (label: string, component: object) => ({ type: 18, label, component });
const field = (change: object = {}) => ({
	type: 4,
	custom_id: "prompt",
	style: 2,
	label: "Prompt",
	min_length: 3,
	max_length: 20,
	...change,
});
const MODAL = {
	custom_id: "edit",
	title: "Edit",
	components: [
		row(field()),
		labelled("Model", {
			type: 3,
			custom_id: "model",
			required: false,
			options: [{ label: "One", value: "one", emoji: { name: "🌳" } }],
		}),
		labelled("Friend", { type: 5, custom_id: "friend", required: false }),
		{ type: 10, content: "Thank you." },
	],
};

/** A member with an open form of the bot, which a button opened. */
async function openedByButton(form: object = MODAL) {
	const scene = await messageWithComponents();
	const { press, interaction: opener } = await scene.pressed("again");
	await opener.callback({ type: 9, data: form });
	return { ...scene, opener, modal: await press.modal() };
}

/** The same, opened by the command itself. */
async function openedByCommand() {
	const scene = await typed();
	await scene.interaction.callback({ type: 9, data: MODAL });
	return { ...scene, modal: await scene.reply.modal() };
}

describe("a modal", () => {
	test("is submitted with its values and the message of the button", async () => {
		const { modal, message, user, bot } = await openedByButton();
		expect(modal.components[1]).toMatchObject({ component: { options: [{ emoji: { name: "🌳" } }] } });
		const friend = user.me.user.id;
		const sent = await user.submit(modal, { prompt: "a lighthouse", model: ["one"], friend: [friend] });
		expect((await bot.interaction(sent.interactionId)).payload).toMatchObject({
			type: 5,
			message: { id: message.id },
			data: {
				custom_id: "edit",
				components: [
					{ type: 1, id: 1, components: [{ type: 4, id: 2, custom_id: "prompt", value: "a lighthouse" }] },
					{ type: 18, component: { type: 3, custom_id: "model", values: ["one"] } },
					{ type: 18, component: { type: 5, custom_id: "friend", values: [friend] } },
					{ type: 10 },
				],
				resolved: { users: { [friend]: { username: "robin" } }, members: { [friend]: {} } },
			},
		});
	});

	test("of a command is submitted without a message, and the reply names the command", async () => {
		const { modal, user, bot, reply } = await openedByCommand();
		const sent = await user.submit(modal, { prompt: "a lighthouse" });
		const interaction = await bot.interaction(sent.interactionId);
		expect(interaction.payload).not.toHaveProperty("message");
		// It cannot open another form, or update a message.
		for (const body of [{ type: 9, data: MODAL }, { type: 6 }, { type: 7, data: { content: "x" } }])
			expect(await interaction.callback(body)).toMatchObject(invalidFormBody("type"));
		await interaction.callback({ type: 4, data: { content: "thanks" } });
		expect(await sent.until()).toMatchObject({
			type: 20,
			interaction: { name: "image" },
			interaction_metadata: {
				id: sent.interactionId,
				type: 5,
				triggering_interaction_metadata: { id: reply.interactionId, type: 2 },
			},
		});
	});

	test("of a button may update the message of the button, and new messages reply to it", async () => {
		const { modal, message, user, bot, opener } = await openedByButton();
		const sent = await user.submit(modal, { prompt: "a lighthouse" });
		const interaction = await bot.interaction(sent.interactionId);
		await interaction.callback({ type: 7, data: { content: "changed" } });
		expect(await sent.until()).toMatchObject({ id: message.id, content: "changed" });
		await interaction.webhook("POST", { content: "and more" }, { path: "" });
		await expect.poll(() => sent.messages()).toHaveLength(2);
		const opening = { id: opener.id, type: 3, interacted_message_id: message.id };
		expect(sent.messages()[1]).toMatchObject({
			type: 19,
			message_reference: { message_id: message.id },
			interaction_metadata: { type: 5, triggering_interaction_metadata: opening },
		});
	});

	test("as a callback leaves @original missing, and allows follow-ups", async () => {
		const { opener } = await openedByButton();
		expect(await opener.webhook("GET")).toMatchObject(refusal(404, 10008));
		expect(await opener.webhook("POST", { content: "meanwhile" }, { path: "" })).toMatchObject({ status: 200 });
	});

	test("is submitted once, by the member who opened it, and again only after a failure", async () => {
		const { modal, user, bot, playground, clock } = await openedByButton();
		const ada = await playground.userNamed("ada");
		const submit = () => user.submit(modal, { prompt: "abc" });
		await expect(ada.submit(modal, { prompt: "abc" })).rejects.toThrow("Unknown form");
		const late = await submit();
		await expect(submit()).rejects.toThrow("sent already");
		await clock.advance(3_000);
		await expect(late.until()).rejects.toThrow("Something went wrong, try again");
		const sent = await submit();
		await (await bot.interaction(sent.interactionId)).callback({ type: 6 });
		await sent.answered();
		await expect(submit()).rejects.toThrow("sent already");
	});

	test("is not submitted if its message was deleted", async () => {
		const { modal, user, interaction } = await openedByButton();
		await interaction.webhook("DELETE");
		await expect(user.submit(modal, { prompt: "abc" })).rejects.toThrow("was deleted");
	});

	test.each([
		[{}, "Prompt is required"],
		[{ prompt: "ab" }, "at least 3 characters"],
		[{ prompt: "x".repeat(21) }, "at most 20 characters; this has 21"],
		[{ prompt: "abc", model: ["two"] }, "Model: two cannot be chosen"],
		[{ prompt: "abc", friend: ["123456789012345678"] }, "Friend: unknown user"],
		[{ prompt: "abc", other: "x" }, "Unknown form field: other"],
	])("with the values %j is not submitted", async (fields, reason) => {
		const { modal, user } = await openedByButton();
		await expect(user.submit(modal, fields)).rejects.toThrow(reason);
	});

	test("may contain radio groups, checkboxes and file uploads", async () => {
		const options = ["a", "b", "c"].map((value) => ({ label: value, value }));
		const components = [
			labelled("One", { type: 21, custom_id: "one", options }),
			labelled("Some", { type: 22, custom_id: "some", options }),
			labelled("Sure", { type: 23, custom_id: "sure" }),
			labelled("File", { type: 19, custom_id: "file" }),
			labelled("Story", { type: 4, style: 2, custom_id: "story", required: false }),
		];
		const { modal, user, bot } = await openedByButton({ ...MODAL, components });
		const file = await user.upload({ name: "a.png", bytes: Buffer.from("x") });
		const fields = { one: "b", some: ["a", "c"], sure: true, file: [file] };
		await expect(user.submit(modal, { ...fields, one: "d" })).rejects.toThrow("One: d cannot be chosen.");
		await expect(user.submit(modal, { ...fields, story: "x".repeat(4_001) })).rejects.toThrow("at most 4000");
		const sent = await user.submit(modal, fields);
		const { payload } = await bot.interaction(sent.interactionId);
		const values = [{ value: "b" }, { values: ["a", "c"] }, { value: true }, { values: [file] }, { value: "" }];
		expect(payload["data"]).toMatchObject({
			components: values.map((component) => ({ component })),
			resolved: { attachments: { [file]: { filename: "a.png" } } },
		});
	});
});

test.each([
	["six parts", "", Array.from({ length: 6 }, (_, n) => row(field({ custom_id: `f${n}` })))],
	["two fields in a row", ".0", [row(field(), field({ custom_id: "other" }))]],
	["one custom id twice", ".1.components.0.custom_id", [row(field()), row(field())]],
	["a field without a label", ".0.components.0.label", [row(field({ label: undefined }))]],
	["two labels for one field", ".0.component.label", [labelled("Label", field())]],
	["a value that is too long", ".0.components.0.value", [row(field({ value: "x".repeat(21) }))]],
	["a minimum length above the maximum", ".0.components.0.min_length", [row(field({ min_length: 21 }))]],
	["a button", ".0.components.0.type", [row({ type: 2, style: 1, label: "x", custom_id: "x" })]],
])("a modal with %s is rejected: data.components%s", async (_, path, components) => {
	const { interaction } = await typed();
	const answer = await interaction.callback({ type: 9, data: { ...MODAL, components } });
	expect(answer).toMatchObject(invalidFormBody(`data.components${path}`));
});
