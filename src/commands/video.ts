import { NEGATIVE_PROMPT_CHARS_MAX } from "../services/settings/settings-schema.ts";
import { generationCommand, generationOptions } from "./generation-command.ts";
import { localize } from "./localize.ts";

const SECONDS_MAX = 60;

export const video = generationCommand(
	"video",
	generationOptions("video", "videoDescription")
		.addStringOption((option) => localize(option, "aspect_ratio", "optionAspectRatio").setAutocomplete(true))
		.addStringOption((option) => localize(option, "resolution", "optionResolution").setAutocomplete(true))
		.addIntegerOption((option) =>
			localize(option, "duration", "optionDuration").setMinValue(1).setMaxValue(SECONDS_MAX),
		)
		.addStringOption((option) =>
			localize(option, "negative_prompt", "optionNegativePrompt").setMaxLength(NEGATIVE_PROMPT_CHARS_MAX),
		)
		.addAttachmentOption((option) => localize(option, "image", "optionImage"))
		.toJSON(),
	["aspect_ratio", "resolution", "duration", "seed", "negative_prompt"],
);
