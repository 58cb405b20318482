import { typed } from "../testing/setup.ts";

const button = (custom_id: string, label: string, more: object = {}) => ({
	type: 2,
	style: 2,
	custom_id,
	label,
	...more,
});
const row = (...components: object[]) => ({ type: 1, components });

/** Buttons, one of them disabled, a link, and menus of four kinds. */
const MESSAGE_COMPONENTS = [
	row(button("again", "Again", { id: 40 }), button("off", "Off", { disabled: true }), {
		type: 2,
		style: 5,
		label: "Read",
		url: "https://example.com/",
	}),
	row({
		type: 3,
		custom_id: "size",
		placeholder: "Size",
		min_values: 1,
		max_values: 2,
		options: ["s", "m", "l"].map((value) => ({ value, label: value.toUpperCase() })),
	}),
	row({ type: 5, custom_id: "who", placeholder: "Who", min_values: 0 }),
	row({ type: 7, custom_id: "mentionables", max_values: 2 }),
	row({ type: 8, custom_id: "where", channel_types: [0, 5] }),
];

/** A member with a message of the bot that has buttons and menus. */
export async function messageWithComponents({ flags = 0 } = {}) {
	const scene = await typed();
	await scene.interaction.callback({ type: 4, data: { content: "here", flags, components: MESSAGE_COMPONENTS } });
	const message = await scene.reply.until();
	async function pressed(customId: string, values?: readonly string[]) {
		const press = await scene.user.press(message, { customId }, values);
		return { press, interaction: await scene.bot.interaction(press.interactionId) };
	}
	return { ...scene, message, pressed };
}
