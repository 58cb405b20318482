/** What `/image`, `/video` and `/music` have in common: the options, and what they wish for. */
import {
	ApplicationIntegrationType,
	InteractionContextType,
	SlashCommandBuilder,
	type ChatInputCommandInteraction,
} from "discord.js";
import type { Logger } from "pino";
import { typedName, type MediaType, type OptionValue } from "@atelier/media-protocol/model";
import { STYLE_NAME_CHARS_MAX } from "../services/settings/settings-schema.ts";
import type { PlainKey } from "../i18n/messages.ts";
import type { InGuild, Services } from "./command.ts";
import { startGeneration } from "./start-generation.ts";
import { inputUrlOf } from "./image-attachment.ts";
import { localize } from "./localize.ts";

/** Discord's bound for one option. */
const PROMPT_CHARS_MAX = 6000;
const SEED_MAX = 2 ** 31 - 1;

/** A generation command with the options that every medium has; `seed` and what else it takes come after these. */
export function generationCommand(name: MediaType, description: PlainKey) {
	return localize(new SlashCommandBuilder(), name, description)
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.addStringOption((option) =>
			localize(option, "prompt", "optionPrompt").setRequired(true).setMaxLength(PROMPT_CHARS_MAX),
		)
		.addStringOption((option) => localize(option, "model", "optionModel").setAutocomplete(true))
		.addIntegerOption((option) => localize(option, "seed", "optionSeed").setMinValue(0).setMaxValue(SEED_MAX))
		.addStringOption((option) =>
			localize(option, "style", "optionStyle").setMaxLength(STYLE_NAME_CHARS_MAX).setAutocomplete(true),
		)
		.addBooleanOption((option) => localize(option, "private", "optionPrivate"));
}

/** Runs one generation command. `optionNames` are those beside prompt, model and image, by the specification's names. */
export async function generate(
	interaction: ChatInputCommandInteraction<InGuild>,
	services: Services,
	logger: Logger,
	{ mediaType, optionNames }: { readonly mediaType: MediaType; readonly optionNames: readonly string[] },
): Promise<void> {
	const { options } = interaction;
	await startGeneration(interaction, services, logger, {
		wanted: options.getBoolean("private"),
		wish: async () => {
			const wishes = {
				prompt: options.getString("prompt", true),
				options: Object.fromEntries(optionNames.map((name) => [name, optionOf(interaction, name)])),
				imageUrl: await imageUrlOf(interaction),
			};
			return { mediaType, model: options.getString("model"), wishes: () => wishes, style: options.getString("style") };
		},
	});
}

function optionOf({ options }: ChatInputCommandInteraction, name: string): OptionValue | null {
	return options.get(typedName(name))?.value ?? null;
}

async function imageUrlOf({ options }: ChatInputCommandInteraction): Promise<string | null> {
	const image = options.getAttachment("image");
	return image && (await inputUrlOf(image));
}
