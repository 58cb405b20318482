import { describe, expect, test } from "vitest";
import { invalidFormBody, refusal } from "../testing/setup.ts";
import {
	MODAL,
	openedByButton,
	openedByCommand,
	messageWithComponents,
	TEXT_FIELD,
} from "./message-with-components.ts";

const row = (...components: object[]) => ({ type: 1, components });
const labelled = (label: string, component: object) => ({ type: 18, label, component });

describe("a modal", () => {
	test("is submitted with its values and the message of the button", async () => {
		const { modal, message, user, bot } = await openedByButton();
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
		expect(sent.messages()[1]).toMatchObject({
			type: 19,
			message_reference: { message_id: message.id },
			interaction_metadata: {
				type: 5,
				triggering_interaction_metadata: { id: opener.id, type: 3, interacted_message_id: message.id },
			},
		});
	});

	test("cannot open another modal, and cannot update a message if there is none", async () => {
		const { modal, user, bot } = await openedByCommand();
		const interaction = await bot.interaction((await user.submit(modal, { prompt: "abc" })).interactionId);
		for (const body of [{ type: 9, data: MODAL }, { type: 6 }, { type: 7, data: { content: "x" } }]) {
			expect(await interaction.callback(body)).toMatchObject(invalidFormBody("type"));
		}
	});

	test("as a callback leaves @original missing, and allows follow-ups", async () => {
		const { opener } = await openedByButton();
		expect(await opener.webhook("GET")).toMatchObject(refusal(404, 10008));
		expect(await opener.webhook("POST", { content: "meanwhile" }, { path: "" })).toMatchObject({ status: 200 });
	});

	test("is submitted once, by the member who opened it, and again only after a failure", async () => {
		const { modal, user, bot, playground, clock } = await openedByButton();
		const ada = await playground.userNamed("ada");
		await expect(ada.submit(modal, { prompt: "abc" })).rejects.toThrow("Unknown form");
		const late = await user.submit(modal, { prompt: "abc" });
		await expect(user.submit(modal, { prompt: "abc" })).rejects.toThrow("sent already");
		await clock.advance(3_000);
		await expect(late.until()).rejects.toThrow("Something went wrong, try again");
		const sent = await user.submit(modal, { prompt: "abc" });
		await (await bot.interaction(sent.interactionId)).callback({ type: 6 });
		await sent.answered();
		await expect(user.submit(modal, { prompt: "abc" })).rejects.toThrow("sent already");
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
		expect((await bot.interaction(sent.interactionId)).payload).toMatchObject({
			data: {
				components: [
					{ component: { value: "b" } },
					{ component: { values: ["a", "c"] } },
					{ component: { value: true } },
					{ component: { values: [file] } },
					{ component: { value: "" } },
				],
				resolved: { attachments: { [file]: { filename: "a.png" } } },
			},
		});
	});
});

describe("a modal is rejected:", () => {
	test.each([
		["six parts", "", Array.from({ length: 6 }, (_, n) => row({ ...TEXT_FIELD, custom_id: `f${n}` }))],
		["two fields in a row", ".0", [row(TEXT_FIELD, { ...TEXT_FIELD, custom_id: "other" })]],
		["one custom id twice", ".1.components.0.custom_id", [row(TEXT_FIELD), row(TEXT_FIELD)]],
		["a field without a label", ".0.components.0.label", [row({ ...TEXT_FIELD, label: undefined })]],
		["two labels for one field", ".0.component.label", [labelled("Label", TEXT_FIELD)]],
		["a value that is too long", ".0.components.0.value", [row({ ...TEXT_FIELD, value: "x".repeat(21) })]],
		["a minimum length above the maximum", ".0.components.0.min_length", [row({ ...TEXT_FIELD, min_length: 21 })]],
		["a button", ".0.components.0.type", [row({ type: 2, style: 1, label: "x", custom_id: "x" })]],
	])("%s: data.components%s", async (_, path, components) => {
		const { interaction } = await (await messageWithComponents()).pressed("again");
		const answer = await interaction.callback({ type: 9, data: { ...MODAL, components } });
		expect(answer).toMatchObject(invalidFormBody(`data.components${path}`));
	});
});
