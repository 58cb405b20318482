import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { Command } from "./command.ts";

const CHOICES_MAX = 25;
const CHOICE_CHARS_MAX = 100;

/** Models of every medium, by what is typed of their name or id. */
export const autocompleteModel: NonNullable<Command["autocomplete"]> = async (interaction, { catalogue }) => {
	const typed = interaction.options.getFocused().trim().toLowerCase();
	const models = MEDIA_TYPES.flatMap((mediaType) => catalogue.known(mediaType));
	const found = models.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(typed));
	await interaction.respond(
		found.slice(0, CHOICES_MAX).map(({ id, name }) => ({ name: name.slice(0, CHOICE_CHARS_MAX), value: id })),
	);
};
