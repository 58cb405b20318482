import { MessageFlags, type ChatInputCommandInteraction } from "discord.js";
import type { ModelCatalog } from "../services/generation/model-catalog.ts";
import { MEDIA_TYPES, discordOptionName, type MediaType } from "@atelier/media-protocol/model";
import {
	IMAGES_PER_COMMAND_MAX,
	NEGATIVE_PROMPT_CHARS_MAX,
	STYLE_CHARS_MAX,
	STYLE_NAME_CHARS_MAX,
} from "../services/settings/settings-schema.ts";
import { STYLE_OPTIONS, buildStyle, modelsForStyles, type StyleInput } from "../services/settings/apply-style.ts";
import { addStyle, removeStyle } from "../services/settings/styles.ts";
import type { GuildSettingsStore } from "../services/settings/guild-settings.ts";
import type { Command, InGuild, Subcommand } from "./command.ts";
import { requireManager } from "./invoking-member.ts";
import { changeStyles, styleList } from "./style-list.ts";
import { focusedOptionChoices, styleChoices } from "./autocomplete.ts";
import { localize, MEDIA_TYPE_CHOICES } from "./localize.ts";
import { guildCommand } from "./guild-command.ts";

/** The maximum of the option; each model has its own. */
const SECONDS_MAX = 600;

interface StyleDeps {
	readonly settings: GuildSettingsStore;
	readonly catalog: ModelCatalog;
}

export const style: Command<StyleDeps> = {
	definition: guildCommand("style", "command.style")
		.addSubcommand((all) => localize(all, "list", "command.styleList"))
		.addSubcommand((add) =>
			localize(add, "add", "command.styleAdd")
				.addStringOption((option) =>
					localize(option, "name", "option.styleName").setRequired(true).setMaxLength(STYLE_NAME_CHARS_MAX),
				)
				.addStringOption((option) => localize(option, "text", "option.styleText").setMaxLength(STYLE_CHARS_MAX))
				.addStringOption((option) =>
					localize(option, "media_type", "option.styleMediaType").addChoices(...MEDIA_TYPE_CHOICES),
				)
				.addStringOption((option) => localize(option, "model", "option.model").setAutocomplete(true))
				.addStringOption((option) => localize(option, "aspect_ratio", "option.aspectRatio").setAutocomplete(true))
				.addStringOption((option) => localize(option, "resolution", "option.resolution").setAutocomplete(true))
				.addIntegerOption((option) =>
					localize(option, "duration", "option.duration").setMinValue(1).setMaxValue(SECONDS_MAX),
				)
				.addStringOption((option) =>
					localize(option, "negative_prompt", "option.negativePrompt").setMaxLength(NEGATIVE_PROMPT_CHARS_MAX),
				)
				.addBooleanOption((option) => localize(option, "instrumental", "option.instrumental"))
				.addIntegerOption((option) =>
					localize(option, "count", "option.count").setMinValue(1).setMaxValue(IMAGES_PER_COMMAND_MAX),
				),
		)
		.addSubcommand((remove) =>
			localize(remove, "remove", "command.styleRemove").addStringOption((option) =>
				localize(option, "name", "option.styleToRemove")
					.setRequired(true)
					.setMaxLength(STYLE_NAME_CHARS_MAX)
					.setAutocomplete(true),
			),
		)
		.toJSON(),

	async execute(interaction, deps, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		const { options } = interaction;
		switch (options.getSubcommand()) {
			case "add":
				return await add(interaction, deps, logger);
			case "remove": {
				const name = options.getString("name", true);
				return await changeStyles(interaction, deps, logger, (before) => removeStyle(before, name));
			}
			default:
				await styleList.show(interaction, {}, deps);
		}
	},

	async autocomplete(interaction, { settings, catalog }) {
		const { guildId, locale, options } = interaction;
		const focused = options.getFocused(true);
		if (options.getSubcommand() === "add") {
			const models = modelsForStyles(catalog, mediaTypeOf(options.getString("media_type")));
			const format = { locale, creditPrice: catalog.creditPrice };
			return await interaction.respond(focusedOptionChoices(models, focused, options.getString("model"), format));
		}
		await interaction.respond(guildId === null ? [] : styleChoices(await settings.read(guildId), null, focused.value));
	},
};

/** Every member may list styles; only managers change them. */
const add: Subcommand<StyleDeps> = async (interaction, deps, logger) => {
	requireManager(interaction);
	const { options } = interaction;
	const input: StyleInput = {
		text: options.getString("text") ?? "",
		mediaType: mediaTypeOf(options.getString("media_type")),
		model: options.getString("model"),
		options: Object.fromEntries(STYLE_OPTIONS.map((name) => [name, valueOf(interaction, name)])),
	};
	const name = options.getString("name", true);
	const { catalog } = deps;
	if (modelsForStyles(catalog, null).length === 0) await catalog.refresh();
	await changeStyles(interaction, deps, logger, (before) =>
		addStyle(before, name, buildStyle(input, modelsForStyles(catalog, null))),
	);
};

function valueOf({ options }: ChatInputCommandInteraction<InGuild>, name: string) {
	return options.get(discordOptionName(name))?.value ?? null;
}

function mediaTypeOf(choice: string | null): MediaType | null {
	return MEDIA_TYPES.find((each) => each === choice) ?? null;
}
