import { generationCommand, generationCommandBuilder } from "./generation-command.ts";
import { localize } from "./localize.ts";

/** Maximums of the options; each model has its own. */
const SECONDS_MAX = 600;
const LYRICS_CHARS_MAX = 3000;

export const music = generationCommand(
	"music",
	generationCommandBuilder("music", "command.music")
		.addIntegerOption((option) =>
			localize(option, "duration", "option.duration").setMinValue(1).setMaxValue(SECONDS_MAX),
		)
		.addStringOption((option) => localize(option, "lyrics", "option.lyrics").setMaxLength(LYRICS_CHARS_MAX))
		.addBooleanOption((option) => localize(option, "instrumental", "option.instrumental"))
		.toJSON(),
	["duration", "lyrics", "instrumental", "seed"],
);
