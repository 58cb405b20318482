import { NEGATIVE_PROMPT_CHARS_MAX } from "../services/settings/guild-settings.ts";
import { integerOption, stringOption } from "./framework/command-options.ts";
import { generationCommand, IMAGE_OPTIONS } from "./generation/generation-command.ts";

/** The maximum of the option; each model has its own. */
const SECONDS_MAX = 60;

export const video = generationCommand("video", {
	options: [
		stringOption("aspect_ratio", "option.aspectRatio", { autocomplete: true }),
		stringOption("resolution", "option.resolution", { autocomplete: true }),
		integerOption("duration", "option.duration", { min_value: 1, max_value: SECONDS_MAX }),
		stringOption("negative_prompt", "option.negativePrompt", { max_length: NEGATIVE_PROMPT_CHARS_MAX }),
		...IMAGE_OPTIONS,
	],
	modelOptions: ["aspect_ratio", "resolution", "duration", "seed", "negative_prompt"],
});
