import { describe, expect, test } from "vitest";
import { messageWithComponents } from "./message-with-components.ts";

async function withMenus() {
	const scene = await messageWithComponents();
	const { rest, applicationId } = scene.playground;
	await rest("PUT", `/applications/${applicationId}/commands`, [
		{ type: 3, name: "Make variations" },
		{ type: 2, name: "Show gallery" },
		{ type: 3, name: "For admins", default_member_permissions: "0" },
	]);
	return scene;
}

describe("a command of a context menu", () => {
	test("on a message contains the message, and the reply names the command", async () => {
		const { user, bot, message } = await withMenus();
		const reply = await user.context("Make variations", message);
		const interaction = await bot.interaction(reply.interactionId);
		expect(interaction.payload).toMatchObject({
			type: 2,
			data: {
				type: 3,
				name: "Make variations",
				target_id: message.id,
				resolved: { messages: { [message.id]: { content: "here", author: { bot: true } } } },
			},
		});
		await interaction.callback({ type: 4, data: { content: "done" } });
		expect(await reply.until()).toMatchObject({
			type: 23,
			interaction: { name: "Make variations" },
			message_reference: { message_id: message.id, channel_id: message.channel_id },
			referenced_message: { content: "here" },
			interaction_metadata: { type: 2, target_message_id: message.id },
		});
	});

	test("on a user contains the user and the member", async () => {
		const { user, bot } = await withMenus();
		const { members } = await user.state();
		const ada = members.find((member) => member.user.username === "ada");
		const reply = await user.context("Show gallery", ada ?? user.me);
		const interaction = await bot.interaction(reply.interactionId);
		const id = ada?.user.id ?? "";
		expect(interaction.payload).toMatchObject({
			data: { type: 2, target_id: id, resolved: { users: { [id]: { username: "ada" } }, members: { [id]: {} } } },
		});
		await interaction.callback({ type: 4, data: { content: "done" } });
		expect(await reply.until()).toMatchObject({ type: 23, interaction_metadata: { target_user: { id } } });
	});

	test("is rejected for a member without its permission, another target type, or a deleted message", async () => {
		const { playground, user, message, interaction } = await withMenus();
		const ada = await playground.userNamed("ada");
		await expect(ada.context("For admins", message)).rejects.toThrow("Unknown command For admins");
		await expect(user.context("Show gallery", message)).rejects.toThrow("Unknown command Show gallery");
		await interaction.webhook("DELETE");
		await expect(user.context("Make variations", message)).rejects.toThrow("was deleted");
	});
});
