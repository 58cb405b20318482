import type { Command } from "./command.ts";
import { generate, generationCommand } from "./generation-command.ts";
import { autocomplete } from "./autocomplete.ts";
import { localize } from "./localize.ts";

const SECONDS_MAX = 600;
const LYRICS_CHARS_MAX = 3000;

export const music: Command = {
	definition: generationCommand("music", "musicDescription")
		.addIntegerOption((option) =>
			localize(option, "duration", "optionDuration").setMinValue(1).setMaxValue(SECONDS_MAX),
		)
		.addStringOption((option) => localize(option, "lyrics", "optionLyrics").setMaxLength(LYRICS_CHARS_MAX))
		.addBooleanOption((option) => localize(option, "instrumental", "optionInstrumental"))
		.toJSON(),
	execute: (interaction, services, logger) =>
		generate(interaction, services, logger, {
			mediaType: "music",
			optionNames: ["duration", "lyrics", "instrumental", "seed"],
		}),
	autocomplete: (interaction, services) => autocomplete(interaction, services, "music"),
};
