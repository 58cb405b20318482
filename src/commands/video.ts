import { NEGATIVE_PROMPT_CHARS_MAX } from "../services/guilds/settings-schema.ts";
import type { Command } from "./command.ts";
import { generate, generationCommand } from "./generate.ts";
import { suggest } from "./suggest.ts";
import { worded } from "./wording.ts";

const SECONDS_MAX = 60;

export const video: Command = {
	definition: generationCommand("video", "videoDescription")
		.addStringOption((option) => worded(option, "aspect_ratio", "optionAspectRatio").setAutocomplete(true))
		.addStringOption((option) => worded(option, "resolution", "optionResolution").setAutocomplete(true))
		.addIntegerOption((option) => worded(option, "duration", "optionDuration").setMinValue(1).setMaxValue(SECONDS_MAX))
		.addStringOption((option) =>
			worded(option, "negative_prompt", "optionNegativePrompt").setMaxLength(NEGATIVE_PROMPT_CHARS_MAX),
		)
		.addAttachmentOption((option) => worded(option, "image", "optionImage"))
		.toJSON(),
	execute: (interaction, services, logger) =>
		generate(interaction, services, logger, {
			mediaType: "video",
			optionNames: ["aspect_ratio", "resolution", "duration", "seed", "negative_prompt"],
		}),
	autocomplete: (interaction, services) => suggest(interaction, services, "video"),
};
