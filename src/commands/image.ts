import { COUNT_OPTION } from "@atelier/media-protocol/model";
import { NEGATIVE_PROMPT_CHARS_MAX } from "../services/settings/guild-settings.ts";
import { attachmentOption, IMAGE_COUNT_OPTION, stringOption } from "./framework/command-options.ts";
import { generationCommand, IMAGE_OPTIONS } from "./generation/generation-command.ts";

export const image = generationCommand("image", {
	options: [
		stringOption("aspect_ratio", "option.aspectRatio", { autocomplete: true }),
		stringOption("resolution", "option.resolution", { autocomplete: true }),
		stringOption("negative_prompt", "option.negativePrompt", { max_length: NEGATIVE_PROMPT_CHARS_MAX }),
		IMAGE_COUNT_OPTION,
		...IMAGE_OPTIONS,
		attachmentOption("mask", "option.mask"),
	],
	modelOptions: ["aspect_ratio", "resolution", "seed", "negative_prompt", COUNT_OPTION],
});
