/** The shared part of `/image`, `/video` and `/music`: options, input and autocomplete. */
import {
	ApplicationIntegrationType,
	InteractionContextType,
	SlashCommandBuilder,
	type ChatInputCommandInteraction,
} from "discord.js";
import { discordOptionName, type MediaType, type OptionValue } from "@atelier/media-protocol/model";
import { STYLE_NAME_CHARS_MAX } from "../services/settings/settings-schema.ts";
import type { PlainKey } from "../i18n/message-params.ts";
import { autocomplete } from "./autocomplete.ts";
import type { Command, InGuild } from "./command.ts";
import { startGeneration, type GenerationDeps } from "./start-generation.ts";
import { inputUrlOf } from "./image-attachment.ts";
import { localize } from "./localize.ts";

/** Discord's maximum for a string option. */
const PROMPT_CHARS_MAX = 6000;
const SEED_MAX = 2 ** 31 - 1;
/** Registered only with a text model of the operator. */
export const IMPROVE_OPTION = "improve";

/** Creates the builder of a generation command, with the options that every media type has. */
export function generationCommandBuilder(name: MediaType, description: PlainKey) {
	return localize(new SlashCommandBuilder(), name, description)
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
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
				isImproved: options.getBoolean(IMPROVE_OPTION) ?? false,
				spec: async () => {
					const input = {
						prompt: options.getString("prompt", true),
						options: Object.fromEntries(optionNames.map((name) => [name, optionOf(interaction, name)])),
						imageUrl: await attachedImageUrl(interaction),
					};
					return {
						mediaType,
						model: options.getString("model"),
						inputFor: () => input,
						style: options.getString("style"),
						hasChannelDefaults: true,
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

async function attachedImageUrl({ options }: ChatInputCommandInteraction<InGuild>): Promise<string | null> {
	const image = options.getAttachment("image");
	return image && (await inputUrlOf(image));
}
