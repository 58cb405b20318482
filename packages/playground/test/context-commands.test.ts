import { describe, expect, test } from "vitest";
import { pressable } from "./pressable.ts";

async function withMenus() {
	const scene = await pressable();
	const { rest, applicationId } = scene.ground;
	await rest("PUT", `/applications/${applicationId}/commands`, [
		{ type: 3, name: "Make variations" },
		{ type: 2, name: "Show gallery" },
		{ type: 3, name: "For admins", default_member_permissions: "0" },
	]);
	return scene;
}

describe("a command of a context menu", () => {
	test("on a message comes with the message, and is answered by name", async () => {
		const { person, bot, message } = await withMenus();
		const reply = await person.context("Make variations", message);
		const told = await bot.interaction(reply.interactionId);
		expect(told.payload).toMatchObject({
			type: 2,
			data: {
				type: 3,
				name: "Make variations",
				target_id: message.id,
				resolved: { messages: { [message.id]: { content: "here", author: { bot: true } } } },
			},
		});
		await told.callback({ type: 4, data: { content: "done" } });
		expect(await reply.until()).toMatchObject({
			type: 23,
			interaction: { name: "Make variations" },
			interaction_metadata: { type: 2, target_message_id: message.id },
		});
	});

	test("on a person comes with the person as user and as member", async () => {
		const { person, bot } = await withMenus();
		const { members } = await person.state();
		const ada = members.find(({ user }) => user.username === "ada");
		const reply = await person.context("Show gallery", ada ?? person.me);
		const told = await bot.interaction(reply.interactionId);
		const id = ada?.user.id ?? "";
		expect(told.payload).toMatchObject({
			data: { type: 2, target_id: id, resolved: { users: { [id]: { username: "ada" } }, members: { [id]: {} } } },
		});
		await told.callback({ type: 4, data: { content: "done" } });
		expect(await reply.until()).toMatchObject({ type: 23, interaction_metadata: { target_user: { id } } });
	});

	test("is refused where it is not for this person, this target, or not there", async () => {
		const { ground, person, message, interaction } = await withMenus();
		const ada = await ground.personNamed("ada");
		await expect(ada.context("For admins", message)).rejects.toThrow("Unknown command For admins");
		await expect(person.context("Show gallery", message)).rejects.toThrow("Unknown command Show gallery");
		await interaction.webhook("DELETE");
		await expect(person.context("Make variations", message)).rejects.toThrow("was deleted");
	});
});
