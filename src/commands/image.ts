import { COUNT_OPTION } from "@atelier/media-protocol/model";
import { COUNT_MAX, NEGATIVE_PROMPT_CHARS_MAX } from "../services/guilds/settings-schema.ts";
import type { Command } from "./command.ts";
import { generate, generationCommand } from "./generate.ts";
import { suggest } from "./suggest.ts";
import { worded } from "./wording.ts";

export const image: Command = {
	definition: generationCommand("image", "imageDescription")
		.addStringOption((option) => worded(option, "aspect_ratio", "optionAspectRatio").setAutocomplete(true))
		.addStringOption((option) => worded(option, "resolution", "optionResolution").setAutocomplete(true))
		.addStringOption((option) =>
			worded(option, "negative_prompt", "optionNegativePrompt").setMaxLength(NEGATIVE_PROMPT_CHARS_MAX),
		)
		.addIntegerOption((option) => worded(option, "count", "optionCount").setMinValue(1).setMaxValue(COUNT_MAX))
		.addAttachmentOption((option) => worded(option, "image", "optionImage"))
		.toJSON(),
	execute: (interaction, services, logger) =>
		generate(interaction, services, logger, {
			mediaType: "image",
			optionNames: ["aspect_ratio", "resolution", "seed", "negative_prompt", COUNT_OPTION],
		}),
	autocomplete: (interaction, services) => suggest(interaction, services, "image"),
};
