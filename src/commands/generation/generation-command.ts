/** The shared part of `/image`, `/video` and `/music`: options, input and autocomplete. */
import type { APIApplicationCommandBasicOption } from "discord.js";
import { discordOptionName, type MediaType, type OptionValue } from "@atelier/media-protocol/model";
import { STYLE_NAME_CHARS_MAX } from "../../services/settings/settings-schema.ts";
import type { PlainKey } from "../../i18n/message-params.ts";
import { autocomplete } from "./autocomplete.ts";
import {
	attachmentOption,
	booleanOption,
	integerOption,
	STRING_CHARS_MAX,
	stringOption,
} from "../framework/command-options.ts";
import { defineSlashCommand, type Command, type SlashInteraction } from "../framework/command.ts";
import type { GenerationDeps } from "./generation-deps.ts";
import { startGeneration, type Generation } from "./start-generation.ts";
import { makesNew } from "../../services/generation/request.ts";
import { preferAccepting, inputUrlOf, maskUrlOf } from "./image-attachment.ts";

/** The largest seed that all engines take: many read it as a signed number of 32 bits. */
const SEED_MAX = 2 ** 31 - 1;
/** Removed from the registered commands if the operator has not configured a text model. */
export const IMPROVE_OPTION = "improve";

/** The options that every media type has. */
const COMMON_OPTIONS = [
	stringOption("prompt", "option.prompt", { required: true, max_length: STRING_CHARS_MAX }),
	stringOption("model", "option.model", { autocomplete: true }),
	integerOption("seed", "option.seed", { min_value: 0, max_value: SEED_MAX }),
	stringOption("style", "option.style", { max_length: STYLE_NAME_CHARS_MAX, autocomplete: true }),
	booleanOption("private", "option.private"),
	booleanOption(IMPROVE_OPTION, "option.improve"),
];
const IMAGE_OPTION_NAMES = ["image", "image2", "image3"] as const;
export const IMAGE_OPTIONS = IMAGE_OPTION_NAMES.map((name) =>
	attachmentOption(name, name === "image" ? "option.image" : "option.furtherImage"),
);

interface GenerationOptions {
	/** The options of the command, besides those that every media type has. */
	readonly options: readonly APIApplicationCommandBasicOption[];
	/** The names of the options that go to the model, as docs/studio-api.md names them. */
	readonly modelOptions: readonly string[];
}

/** Defines a generation command. */
export function generationCommand(
	mediaType: MediaType,
	description: PlainKey,
	{ options, modelOptions }: GenerationOptions,
): Command<GenerationDeps> {
	return defineSlashCommand<GenerationDeps>(mediaType, description, {
		options: [...COMMON_OPTIONS, ...options],
		async execute(interaction, deps, logger) {
			const { options: chosen } = interaction;
			const generation: Generation = {
				privacyChoice: chosen.getBoolean("private"),
				offersImprovedPrompt: chosen.getBoolean(IMPROVE_OPTION) ?? false,
				readSpec: async () => {
					const input = {
						prompt: chosen.getString("prompt", true),
						options: Object.fromEntries(modelOptions.map((name) => [name, optionOf(interaction, name)])),
						...(await attachedInputs(interaction)),
					};
					return {
						mediaType,
						model: chosen.getString("model"),
						isPreferred: preferAccepting(deps.catalog.known(mediaType), input, makesNew),
						inputFor: () => input,
						style: chosen.getString("style"),
						usesChannelDefaults: true,
					};
				},
			};
			await startGeneration(interaction, generation, deps, logger);
		},
		autocomplete: (interaction, deps) => autocomplete(interaction, deps, mediaType),
	});
}

function optionOf({ options }: SlashInteraction, name: string): OptionValue | null {
	return options.get(discordOptionName(name))?.value ?? null;
}

async function attachedInputs({ options }: SlashInteraction) {
	const images = IMAGE_OPTION_NAMES.map((name) => options.getAttachment(name)).filter((image) => image !== null);
	const mask = options.getAttachment("mask");
	const imageUrls = await Promise.all(images.map(inputUrlOf));
	return { imageUrls, ...(mask && { maskUrl: await maskUrlOf(mask, images[0] ?? null) }) };
}
