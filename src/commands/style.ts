import { STYLE_OPTIONS } from "@atelier/dashboard/server-settings";
import { modelNamed } from "../services/generation/model-catalog.ts";
import { MEDIA_TYPES, discordOptionName, type MediaType } from "@atelier/media-protocol/model";
import { STYLE_CHARS_MAX, STYLE_NAME_CHARS_MAX } from "@atelier/dashboard/limits";
import { NEGATIVE_PROMPT_CHARS_MAX } from "../services/settings/guild-settings.ts";
import {
	addStyle,
	buildStyle,
	formatStyleOptions,
	modelsForStyles,
	removeStyle,
	type StyleInput,
} from "../services/settings/styles.ts";
import type { SettingsUpdate } from "../services/settings/settings-store.ts";
import { changeSettings } from "./settings/change-settings.ts";
import { defineEntryCustomId, defineEntryRemoval, entryButton } from "./settings/entry-button.ts";
import { booleanOption, IMAGE_COUNT_OPTION, integerOption, stringOption } from "./framework/command-options.ts";
import { defineCommandGroup, subcommand, type InGuild, type SlashInteraction } from "./framework/command.ts";
import { isManager, requireManager } from "./framework/invoking-member.ts";
import { modelSuggestions, optionSuggestions, styleSuggestions } from "./generation/autocomplete.ts";
import { MEDIA_TYPE_CHOICES } from "./framework/localize.ts";
import { ButtonStyle, type ModalSubmitInteraction } from "discord.js";
import { t } from "../i18n/messages.ts";
import { quote } from "../i18n/quote.ts";
import { definePagedList, entriesOfPage } from "./framework/paged-list.ts";
import type { CommandServices } from "./command-services.ts";

/** The maximum of the option; each model has its own. */
const SECONDS_MAX = 600;

/** Every member may list styles; only managers change them. */
export const style = defineCommandGroup(
	"style",
	[
		subcommand("list", [], (interaction, services) => styleList.show(interaction, {}, services)),
		subcommand(
			"add",
			[
				stringOption("name", "option.styleName", { required: true, max_length: STYLE_NAME_CHARS_MAX }),
				stringOption("text", "option.styleText", { max_length: STYLE_CHARS_MAX }),
				stringOption("media_type", "option.styleMediaType", { choices: MEDIA_TYPE_CHOICES }),
				stringOption("model", "option.model", { autocomplete: true }),
				stringOption("aspect_ratio", "option.aspectRatio", { autocomplete: true }),
				stringOption("resolution", "option.resolution", { autocomplete: true }),
				integerOption("duration", "option.duration", { min_value: 1, max_value: SECONDS_MAX }),
				stringOption("negative_prompt", "option.negativePrompt", { max_length: NEGATIVE_PROMPT_CHARS_MAX }),
				booleanOption("instrumental", "option.instrumental"),
				IMAGE_COUNT_OPTION,
			],
			async (interaction, services) => {
				requireManager(interaction);
				const { options } = interaction;
				const chosen = STYLE_OPTIONS.map(
					(name) => [name, options.get(discordOptionName(name))?.value ?? null] as const,
				);
				const input: StyleInput = {
					text: options.getString("text") ?? "",
					mediaType: mediaTypeOf(options.getString("media_type")),
					model: options.getString("model"),
					options: Object.fromEntries(chosen),
				};
				const { catalog } = services;
				if (modelsForStyles(catalog, null).length === 0) await catalog.refresh();
				await changeStyles(interaction, services, (before) =>
					addStyle(before, options.getString("name", true), buildStyle(input, modelsForStyles(catalog, null))),
				);
			},
		),
		subcommand(
			"remove",
			[
				stringOption("name", "option.styleToRemove", {
					required: true,
					max_length: STYLE_NAME_CHARS_MAX,
					autocomplete: true,
				}),
			],
			async (interaction, services) => {
				requireManager(interaction);
				const name = interaction.options.getString("name", true);
				await changeStyles(interaction, services, (before) => removeStyle(before, name));
			},
		),
	],
	{
		async autocomplete(interaction, { settings, catalog }) {
			const { guildId, locale, options } = interaction;
			const focused = options.getFocused(true);
			if (options.getSubcommand() === "add") {
				const models = modelsForStyles(catalog, mediaTypeOf(options.getString("media_type")));
				const format = { locale, creditPrice: catalog.creditPrice };
				const model = modelNamed(models, options.getString("model") ?? "") ?? models[0];
				return await interaction.respond(
					focused.name === "model"
						? modelSuggestions(models, focused.value, format)
						: optionSuggestions(model, focused, format),
				);
			}
			await interaction.respond(styleSuggestions(await settings.read(guildId), null, focused.value));
		},
	},
);

function mediaTypeOf(choice: string | null): MediaType | null {
	return MEDIA_TYPES.find((each) => each === choice) ?? null;
}

const TEXT_CHARS_SHOWN = 100;
const PAGE_STYLES = 10;

/** Changes the styles, and edits the deferred reply to the new list. The caller has checked that the member is a manager. */
export async function changeStyles(
	interaction: SlashInteraction | ModalSubmitInteraction<InGuild>,
	services: CommandServices,
	update: SettingsUpdate,
): Promise<void> {
	await changeSettings(interaction, update, services);
	await styleList.show(interaction, {}, services);
}

const removeCustomId = defineEntryCustomId("styles-remove");

export const styleList = definePagedList("styles", async (interaction, { page }, { settings }) => {
	const { guildId, locale } = interaction;
	const { styles } = await settings.read(guildId);
	const { entries, hasMore } = entriesOfPage(Object.entries(styles), page, PAGE_STYLES);
	if (entries.length === 0) return t(locale, { key: "style.listEmpty" });
	const rows = entries.map((entry) => {
		const [name, stored] = entry;
		const quotedText = stored.text === "" ? [] : [quote(stored.text, TEXT_CHARS_SHOWN)];
		const text = [...quotedText, ...formatStyleOptions(stored, locale)].join(" · ");
		const line = t(locale, { key: "style.line", params: { name, mediaType: stored.mediaType, text } });
		const remove = {
			...entryButton(removeCustomId, entry, page, { key: "button.remove" }, locale),
			style: ButtonStyle.Danger as const,
		};
		return { text: line, ...(isManager(interaction) && { buttons: [remove] }) };
	});
	return { head: t(locale, { key: "style.head" }), rows, hasMore };
});

/** Removes the style beside the button. */
export const removeListedStyle = defineEntryRemoval({
	customIdCodec: removeCustomId,
	list: styleList,
	authorizePress: requireManager,
	entriesOf: ({ styles }) => Object.entries(styles),
	remove: (before, [name]) => removeStyle(before, name),
});
