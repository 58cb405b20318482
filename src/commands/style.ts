import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	SlashCommandBuilder,
	type ChatInputCommandInteraction,
} from "discord.js";
import type { Logger } from "pino";
import type { Catalogue } from "../services/generation/catalogue.ts";
import { MEDIA_TYPES, typedName, type MediaType, type Model } from "@atelier/media-protocol/model";
import {
	COUNT_MAX,
	NEGATIVE_PROMPT_CHARS_MAX,
	STYLE_CHARS_MAX,
	STYLE_NAME_CHARS_MAX,
} from "../services/guilds/settings-schema.ts";
import { makesNew } from "../services/generation/order.ts";
import { STYLE_OPTIONS, styleOf, type StyleWish } from "../services/guilds/style-options.ts";
import { addStyle, removeStyle } from "../services/guilds/styles.ts";
import type { Command } from "./command.ts";
import { requireManager } from "./member.ts";
import { changeStyles, stylesAnswer } from "./style-list.ts";
import { choicesOf, styleChoices } from "./suggest.ts";
import { choice, worded } from "./wording.ts";

const SECONDS_MAX = 600;

export const style: Command = {
	definition: worded(new SlashCommandBuilder(), "style", "styleDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.addSubcommand((all) => worded(all, "list", "styleListDescription"))
		.addSubcommand((add) =>
			worded(add, "add", "styleAddDescription")
				.addStringOption((option) =>
					worded(option, "name", "optionStyleName").setRequired(true).setMaxLength(STYLE_NAME_CHARS_MAX),
				)
				.addStringOption((option) => worded(option, "text", "optionStyleText").setMaxLength(STYLE_CHARS_MAX))
				.addStringOption((option) =>
					worded(option, "medium", "optionStyleMedium").addChoices(
						choice({ key: "choiceImage" }, "image"),
						choice({ key: "choiceVideo" }, "video"),
						choice({ key: "choiceMusic" }, "music"),
					),
				)
				.addStringOption((option) => worded(option, "model", "optionModel").setAutocomplete(true))
				.addStringOption((option) => worded(option, "aspect_ratio", "optionAspectRatio").setAutocomplete(true))
				.addStringOption((option) => worded(option, "resolution", "optionResolution").setAutocomplete(true))
				.addIntegerOption((option) =>
					worded(option, "duration", "optionDuration").setMinValue(1).setMaxValue(SECONDS_MAX),
				)
				.addStringOption((option) =>
					worded(option, "negative_prompt", "optionNegativePrompt").setMaxLength(NEGATIVE_PROMPT_CHARS_MAX),
				)
				.addBooleanOption((option) => worded(option, "instrumental", "optionInstrumental"))
				.addIntegerOption((option) => worded(option, "count", "optionCount").setMinValue(1).setMaxValue(COUNT_MAX)),
		)
		.addSubcommand((remove) =>
			worded(remove, "remove", "styleRemoveDescription").addStringOption((option) =>
				worded(option, "name", "optionStyleToRemove")
					.setRequired(true)
					.setMaxLength(STYLE_NAME_CHARS_MAX)
					.setAutocomplete(true),
			),
		)
		.toJSON(),

	async execute(interaction, services, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		const { guildId, locale, options } = interaction;
		switch (options.getSubcommand()) {
			case "add":
				return await add(interaction, services, logger);
			case "remove": {
				const name = options.getString("name", true);
				return await changeStyles(interaction, services, logger, (before) => removeStyle(before, name));
			}
			default:
				await interaction.editReply(stylesAnswer(await services.settings.read(guildId), locale));
		}
	},

	async autocomplete(interaction, { settings, catalogue }) {
		const { guildId, locale, options } = interaction;
		const typed = options.getFocused(true);
		if (options.getSubcommand() === "add") {
			const models = modelsFor(mediumIn(options.getString("medium")), catalogue);
			return await interaction.respond(choicesOf(models, typed, options.getString("model"), locale));
		}
		await interaction.respond(guildId === null ? [] : styleChoices(await settings.read(guildId), null, typed.value));
	},
};

/** Everybody may see them; only who manages the server changes them. */
const add: Command["execute"] = async (interaction, services, logger: Logger) => {
	requireManager(interaction);
	const { options } = interaction;
	const wish: StyleWish = {
		text: options.getString("text") ?? "",
		medium: mediumIn(options.getString("medium")),
		model: options.getString("model"),
		options: Object.fromEntries(STYLE_OPTIONS.map((name) => [name, valueOf(interaction, name)])),
	};
	const name = options.getString("name", true);
	const { catalogue } = services;
	if (modelsFor(null, catalogue).length === 0) await catalogue.refresh();
	await changeStyles(interaction, services, logger, (before) =>
		addStyle(before, name, styleOf(wish, modelsFor(null, catalogue))),
	);
};

function valueOf({ options }: ChatInputCommandInteraction, name: string) {
	return options.get(typedName(name))?.value ?? null;
}

function mediumIn(typed: string | null): MediaType | null {
	return MEDIA_TYPES.find((each) => each === typed) ?? null;
}

function modelsFor(medium: MediaType | null, catalogue: Catalogue): readonly Model[] {
	return MEDIA_TYPES.filter((each) => medium === null || each === medium)
		.flatMap((each) => catalogue.known(each))
		.filter(makesNew);
}
