import { COUNT_OPTION } from "@atelier/media-protocol/model";
import { COUNT_MAX, NEGATIVE_PROMPT_CHARS_MAX } from "../services/settings/settings-schema.ts";
import { generationCommand, generationOptions } from "./generation-command.ts";
import { localize } from "./localize.ts";

export const image = generationCommand(
	"image",
	generationOptions("image", "imageDescription")
		.addStringOption((option) => localize(option, "aspect_ratio", "optionAspectRatio").setAutocomplete(true))
		.addStringOption((option) => localize(option, "resolution", "optionResolution").setAutocomplete(true))
		.addStringOption((option) =>
			localize(option, "negative_prompt", "optionNegativePrompt").setMaxLength(NEGATIVE_PROMPT_CHARS_MAX),
		)
		.addIntegerOption((option) => localize(option, "count", "optionCount").setMinValue(1).setMaxValue(COUNT_MAX))
		.addAttachmentOption((option) => localize(option, "image", "optionImage"))
		.toJSON(),
	["aspect_ratio", "resolution", "seed", "negative_prompt", COUNT_OPTION],
);
