import { openPlayground, typed, type TestPlayground } from "../testing/setup.ts";

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
export async function messageWithComponents(
	options: { flags?: number; components?: object[]; playground?: TestPlayground } = {},
) {
	const scene = await typed({ playground: options.playground ?? (await openPlayground()) });
	const { flags = 0, components = MESSAGE_COMPONENTS } = options;
	await scene.interaction.callback({ type: 4, data: { content: "here", flags, components } });
	const message = await scene.reply.until();
	async function pressed(customId: string, values?: readonly string[]) {
		const press = await scene.user.press(message, { customId }, values);
		return { press, interaction: await scene.bot.interaction(press.interactionId) };
	}
	return { ...scene, message, pressed };
}

export const TEXT_FIELD = { type: 4, custom_id: "prompt", style: 2, label: "Prompt", min_length: 3, max_length: 20 };
export const MODAL = {
	custom_id: "edit",
	title: "Edit",
	components: [
		row(TEXT_FIELD),
		{
			type: 18,
			label: "Model",
			component: { type: 3, custom_id: "model", required: false, options: [{ label: "One", value: "one" }] },
		},
		{ type: 18, label: "Friend", component: { type: 5, custom_id: "friend", required: false } },
		{ type: 10, content: "Thank you." },
	],
};

/** The same member, with an open modal of the bot. */
export async function openedByButton(form: object = MODAL) {
	const scene = await messageWithComponents();
	const { press, interaction: opener } = await scene.pressed("again");
	await opener.callback({ type: 9, data: form });
	return { ...scene, opener, modal: await press.modal() };
}

/** The same, opened by the command itself. */
export async function openedByCommand(form: object = MODAL) {
	const scene = await typed();
	await scene.interaction.callback({ type: 9, data: form });
	return { ...scene, modal: await scene.reply.modal() };
}
