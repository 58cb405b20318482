import { COUNT_OPTION } from "@atelier/media-protocol/model";
import { IMAGES_PER_COMMAND_MAX, NEGATIVE_PROMPT_CHARS_MAX } from "../services/settings/settings-schema.ts";
import { addImageOptions, generationCommand, generationCommandBuilder } from "./generation-command.ts";
import { localize } from "./localize.ts";

export const image = generationCommand(
	"image",
	addImageOptions(
		generationCommandBuilder("image", "command.image")
			.addStringOption((option) => localize(option, "aspect_ratio", "option.aspectRatio").setAutocomplete(true))
			.addStringOption((option) => localize(option, "resolution", "option.resolution").setAutocomplete(true))
			.addStringOption((option) =>
				localize(option, "negative_prompt", "option.negativePrompt").setMaxLength(NEGATIVE_PROMPT_CHARS_MAX),
			)
			.addIntegerOption((option) =>
				localize(option, "count", "option.count").setMinValue(1).setMaxValue(IMAGES_PER_COMMAND_MAX),
			),
	)
		.addAttachmentOption((option) => localize(option, "mask", "option.mask"))
		.toJSON(),
	["aspect_ratio", "resolution", "seed", "negative_prompt", COUNT_OPTION],
);
