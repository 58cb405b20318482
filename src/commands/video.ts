import { NEGATIVE_PROMPT_CHARS_MAX } from "../services/settings/settings-schema.ts";
import type { Command } from "./command.ts";
import { generate, generationCommand } from "./generation-command.ts";
import { autocomplete } from "./autocomplete.ts";
import { localize } from "./localize.ts";

const SECONDS_MAX = 60;

export const video: Command = {
	definition: generationCommand("video", "videoDescription")
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
	execute: (interaction, services, logger) =>
		generate(interaction, services, logger, {
			mediaType: "video",
			optionNames: ["aspect_ratio", "resolution", "duration", "seed", "negative_prompt"],
		}),
	autocomplete: (interaction, services) => autocomplete(interaction, services, "video"),
};
