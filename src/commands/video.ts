import { en } from "../services/messages/en.ts";
import type { Command } from "./command.ts";
import { generate, generationCommand, NEGATIVE_PROMPT_CHARS_MAX } from "./generate.ts";
import { suggest } from "./suggest.ts";

const SECONDS_MAX = 60;

export const video: Command = {
	definition: generationCommand("video", en.videoDescription)
		.addStringOption((option) =>
			option.setName("aspect_ratio").setDescription(en.optionAspectRatio).setAutocomplete(true),
		)
		.addStringOption((option) => option.setName("resolution").setDescription(en.optionResolution).setAutocomplete(true))
		.addIntegerOption((option) =>
			option.setName("duration").setDescription(en.optionDuration).setMinValue(1).setMaxValue(SECONDS_MAX),
		)
		.addStringOption((option) =>
			option.setName("negative_prompt").setDescription(en.optionNegativePrompt).setMaxLength(NEGATIVE_PROMPT_CHARS_MAX),
		)
		.addAttachmentOption((option) => option.setName("image").setDescription(en.optionImage))
		.toJSON(),
	execute: (interaction, services, logger) =>
		generate(interaction, services, logger, {
			mediaType: "video",
			optionNames: ["aspect_ratio", "resolution", "duration", "seed", "negative_prompt"],
		}),
	autocomplete: (interaction, services) => suggest(interaction, services, "video"),
};
