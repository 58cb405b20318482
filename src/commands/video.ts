import { NEGATIVE_PROMPT_CHARS_MAX } from "../services/settings/settings-schema.ts";
import { addImageOptions, generationCommand, generationCommandBuilder } from "./generation-command.ts";
import { localize } from "./localize.ts";

/** The maximum of the option; each model has its own. */
const SECONDS_MAX = 60;

export const video = generationCommand(
	"video",
	addImageOptions(
		generationCommandBuilder("video", "command.video")
			.addStringOption((option) => localize(option, "aspect_ratio", "option.aspectRatio").setAutocomplete(true))
			.addStringOption((option) => localize(option, "resolution", "option.resolution").setAutocomplete(true))
			.addIntegerOption((option) =>
				localize(option, "duration", "option.duration").setMinValue(1).setMaxValue(SECONDS_MAX),
			)
			.addStringOption((option) =>
				localize(option, "negative_prompt", "option.negativePrompt").setMaxLength(NEGATIVE_PROMPT_CHARS_MAX),
			),
	).toJSON(),
	["aspect_ratio", "resolution", "duration", "seed", "negative_prompt"],
);
