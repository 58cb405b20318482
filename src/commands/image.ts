import { en } from "../services/messages/en.ts";
import type { Command } from "./command.ts";
import { generate, generationCommand } from "./generate.ts";
import { suggest } from "./suggest.ts";

export const image: Command = {
	definition: generationCommand("image", en.imageDescription)
		.addStringOption((option) =>
			option.setName("aspect_ratio").setDescription(en.optionAspectRatio).setAutocomplete(true),
		)
		.addStringOption((option) => option.setName("resolution").setDescription(en.optionResolution).setAutocomplete(true))
		.addAttachmentOption((option) => option.setName("image").setDescription(en.optionImage))
		.toJSON(),
	execute: (interaction, services, logger) =>
		generate(interaction, services, logger, {
			mediaType: "image",
			optionNames: ["aspect_ratio", "resolution", "seed"],
		}),
	autocomplete: (interaction, services) => suggest(interaction, services, "image"),
};
