/** The shared part of `/image`, `/video` and `/music`: options, input and autocomplete. */
import { type SlashCommandOptionsOnlyBuilder, type ChatInputCommandInteraction } from "discord.js";
import { discordOptionName, type MediaType, type OptionValue } from "@atelier/media-protocol/model";
import { STYLE_NAME_CHARS_MAX } from "../services/settings/settings-schema.ts";
import type { PlainKey } from "../i18n/message-params.ts";
import { autocomplete } from "./autocomplete.ts";
import type { Command, InGuild } from "./command.ts";
import { startGeneration, type GenerationDeps } from "./start-generation.ts";
import { makesNew } from "../services/generation/request.ts";
import { prefersAccepting, inputUrlOf, maskUrlOf } from "./image-attachment.ts";
import { localize } from "./localize.ts";
import { guildCommand } from "./guild-command.ts";

/** Discord's maximum for a string option. */
const PROMPT_CHARS_MAX = 6000;
/** The largest seed that all engines take: many read it as a signed number of 32 bits. */
const SEED_MAX = 2 ** 31 - 1;
/** Removed from the registered commands if the operator has not configured a text model. */
export const IMPROVE_OPTION = "improve";

/** Creates the builder of a generation command, with the options that every media type has. */
export function generationCommandBuilder(name: MediaType, description: PlainKey) {
	return guildCommand(name, description)
		.addStringOption((option) =>
			localize(option, "prompt", "option.prompt").setRequired(true).setMaxLength(PROMPT_CHARS_MAX),
		)
		.addStringOption((option) => localize(option, "model", "option.model").setAutocomplete(true))
		.addIntegerOption((option) => localize(option, "seed", "option.seed").setMinValue(0).setMaxValue(SEED_MAX))
		.addStringOption((option) =>
			localize(option, "style", "option.style").setMaxLength(STYLE_NAME_CHARS_MAX).setAutocomplete(true),
		)
		.addBooleanOption((option) => localize(option, "private", "option.private"))
		.addBooleanOption((option) => localize(option, IMPROVE_OPTION, "option.improve"));
}

const IMAGE_OPTIONS = ["image", "image2", "image3"] as const;

/** Adds the options for input images. */
export function addImageOptions(builder: SlashCommandOptionsOnlyBuilder): SlashCommandOptionsOnlyBuilder {
	for (const name of IMAGE_OPTIONS) {
		const description = name === "image" ? "option.image" : "option.furtherImage";
		builder.addAttachmentOption((option) => localize(option, name, description));
	}
	return builder;
}

/** Creates a generation command. `optionNames`: the options that go to the model, as docs/studio-api.md names them. */
export function generationCommand(
	mediaType: MediaType,
	definition: Command<never>["definition"],
	optionNames: readonly string[],
): Command<GenerationDeps> {
	return {
		definition,
		async execute(interaction, deps, logger) {
			const { options } = interaction;
			await startGeneration(interaction, deps, logger, {
				isPrivate: options.getBoolean("private"),
				offersImprovedPrompt: options.getBoolean(IMPROVE_OPTION) ?? false,
				spec: async () => {
					const input = {
						prompt: options.getString("prompt", true),
						options: Object.fromEntries(optionNames.map((name) => [name, optionOf(interaction, name)])),
						...(await attachedInputs(interaction)),
					};
					return {
						mediaType,
						model: options.getString("model"),
						isSuitable: prefersAccepting(deps.catalog.known(mediaType), input, makesNew),
						inputFor: () => input,
						style: options.getString("style"),
						usesChannelDefaults: true,
					};
				},
			});
		},
		autocomplete: (interaction, deps) => autocomplete(interaction, deps, mediaType),
	};
}

function optionOf({ options }: ChatInputCommandInteraction<InGuild>, name: string): OptionValue | null {
	return options.get(discordOptionName(name))?.value ?? null;
}

async function attachedInputs({ options }: ChatInputCommandInteraction<InGuild>) {
	const images = IMAGE_OPTIONS.map((name) => options.getAttachment(name)).filter((image) => image !== null);
	const mask = options.getAttachment("mask");
	const imageUrls = await Promise.all(images.map(inputUrlOf));
	return { imageUrls, ...(mask && { maskUrl: await maskUrlOf(mask, images[0] ?? null) }) };
}
