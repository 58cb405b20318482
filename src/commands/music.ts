import type { Command } from "./command.ts";
import { generate, generationCommand } from "./generate.ts";
import { suggest } from "./suggest.ts";
import { worded } from "./wording.ts";

const SECONDS_MAX = 600;
const LYRICS_CHARS_MAX = 3000;

export const music: Command = {
	definition: generationCommand("music", "musicDescription")
		.addIntegerOption((option) => worded(option, "duration", "optionDuration").setMinValue(1).setMaxValue(SECONDS_MAX))
		.addStringOption((option) => worded(option, "lyrics", "optionLyrics").setMaxLength(LYRICS_CHARS_MAX))
		.addBooleanOption((option) => worded(option, "instrumental", "optionInstrumental"))
		.toJSON(),
	execute: (interaction, services, logger) =>
		generate(interaction, services, logger, {
			mediaType: "music",
			optionNames: ["duration", "lyrics", "instrumental", "seed"],
		}),
	autocomplete: (interaction, services) => suggest(interaction, services, "music"),
};
