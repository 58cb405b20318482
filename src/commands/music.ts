import { generationCommand, generationOptions } from "./generation-command.ts";
import { localize } from "./localize.ts";

const SECONDS_MAX = 600;
const LYRICS_CHARS_MAX = 3000;

export const music = generationCommand(
	"music",
	generationOptions("music", "musicDescription")
		.addIntegerOption((option) =>
			localize(option, "duration", "optionDuration").setMinValue(1).setMaxValue(SECONDS_MAX),
		)
		.addStringOption((option) => localize(option, "lyrics", "optionLyrics").setMaxLength(LYRICS_CHARS_MAX))
		.addBooleanOption((option) => localize(option, "instrumental", "optionInstrumental"))
		.toJSON(),
	["duration", "lyrics", "instrumental", "seed"],
);
