import { en } from "../services/messages/en.ts";
import type { Command } from "./command.ts";
import { generate, generationCommand } from "./generate.ts";
import { suggest } from "./suggest.ts";

const SECONDS_MAX = 600;
const LYRICS_CHARS_MAX = 3000;

export const music: Command = {
	definition: generationCommand("music", en.musicDescription)
		.addIntegerOption((option) =>
			option.setName("duration").setDescription(en.optionDuration).setMinValue(1).setMaxValue(SECONDS_MAX),
		)
		.addStringOption((option) =>
			option.setName("lyrics").setDescription(en.optionLyrics).setMaxLength(LYRICS_CHARS_MAX),
		)
		.addBooleanOption((option) => option.setName("instrumental").setDescription(en.optionInstrumental))
		.toJSON(),
	execute: (interaction, services, logger) =>
		generate(interaction, services, logger, {
			mediaType: "music",
			optionNames: ["duration", "lyrics", "instrumental", "seed"],
		}),
	autocomplete: (interaction, services) => suggest(interaction, services, "music"),
};
