import { booleanOption, integerOption, stringOption } from "./framework/command-options.ts";
import { generationCommand } from "./generation/generation-command.ts";

/** Maximums of the options; each model has its own. */
const SECONDS_MAX = 600;
const LYRICS_CHARS_MAX = 3000;

export const music = generationCommand("music", {
	options: [
		integerOption("duration", "option.duration", { min_value: 1, max_value: SECONDS_MAX }),
		stringOption("lyrics", "option.lyrics", { max_length: LYRICS_CHARS_MAX }),
		booleanOption("instrumental", "option.instrumental"),
	],
	modelOptions: ["duration", "lyrics", "instrumental", "seed"],
});
