/** The panel of `/settings`: pages of settings, each with its value and a button, which acts at once or opens a form. */
import { cardReply, separator, text } from "../../discord/card.ts";
import { defineCustomId, idField } from "../../discord/custom-id.ts";
import { knownModels } from "../../services/generation/model-catalog.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import {
	countsLine,
	fieldsOfPage,
	formatField,
	pageOf,
	SETTING_FIELDS,
	SETTING_PAGES,
	type SettingField,
} from "../../services/settings/format-settings.ts";
import { activeBlocks } from "../../services/settings/server-policy.ts";
import type { GuildSettings } from "../../services/settings/guild-settings.ts";
import type { SettingPage } from "../../services/settings/setting-table.ts";
import {
	channelDefaultsCustomId,
	channelDefaultsParts,
	channelPickCustomId,
	channelDefaultsEditor,
} from "./channel-defaults-page.ts";
import { defineButton, defineChannelMenu } from "../framework/component.ts";
import { dashboardLink } from "../framework/dashboard-link.ts";
import { MANAGERS_OR_ALLOWED } from "../framework/invoking-member.ts";
import { checksumField, definePanel, noticeParts, editorParts, type ChangeOutcome } from "./setting-editor.ts";
import { editorOfField } from "./setting-editors.ts";
import type { CommandServices } from "../command-services.ts";
import { pageTabs } from "../framework/page-tabs.ts";

const PAGES = Object.keys(SETTING_PAGES) as [SettingPage, ...SettingPage[]];

const settingCustomId = defineCustomId("setting", {
	field: idField.oneOf(...SETTING_FIELDS),
	valueChecksum: checksumField,
});
const settingPageCustomId = defineCustomId("setting-page", { page: idField.oneOf(...PAGES) });

interface SettingsView extends ChangeOutcome<string> {
	readonly settings: GuildSettings;
	readonly page: SettingPage;
}

/** Renders one page of the settings. A setting without effect is not shown. */
export function settingsCard(
	{ settings, page, denial, notice }: SettingsView,
	services: Pick<CommandServices, "catalog" | "clock" | "commandMentions" | "dashboardUrl" | "settingsService">,
	reader: { readonly guildId: string; readonly locale: string },
) {
	const { catalog, clock, commandMentions, settingsService } = services;
	const { locale } = reader;
	const parts =
		page === "channels"
			? channelDefaultsParts(settings, knownModels(catalog), denial, locale, commandMentions)
			: fieldsOfPage(page, settingsService.provided).flatMap((field) => {
					const content = formatField(settings, field, locale);
					const shown = { field, editor: editorOfField(field), settings, content, denial };
					return editorParts(shown, settingCustomId, locale, commandMentions);
				});
	const footer: readonly MessageDescriptor[] = [
		countsLine(settings, activeBlocks(settings, clock.nowMs()).length),
		{ key: "settings.otherCommands" },
	];
	return cardReply([
		...noticeParts(notice, locale, commandMentions),
		pageTabs(
			{
				pages: PAGES,
				currentPage: page,
				labelKeyOf: (tab) => `settingPage.${tab}`,
				customIdCodec: settingPageCustomId,
			},
			locale,
		),
		...parts,
		separator(),
		...footer.map((line) => text(commandMentions.say(locale, line))),
		...dashboardLink("settings", reader, services),
	]);
}

const requireSettings = MANAGERS_OR_ALLOWED.authorizePressOf("settings");

export const turnSettingPage = defineButton(settingPageCustomId, async (interaction, { page }, services) => {
	await interaction.deferUpdate();
	await requireSettings(interaction, services);
	const settings = await services.settings.read(interaction.guildId);
	await interaction.editReply(settingsCard({ settings, page }, services, interaction));
});

export const { components: settingsPanelComponents } = definePanel<SettingField>({
	customIdCodec: settingCustomId,
	authorizePress: requireSettings,
	editorOf: editorOfField,
	async show(interaction, { field, ...view }, services) {
		return settingsCard({ ...view, page: pageOf(field) }, services, interaction);
	},
});

const channelPanel = definePanel<string>({
	customIdCodec: channelDefaultsCustomId,
	authorizePress: requireSettings,
	editorOf: channelDefaultsEditor,
	show: async (interaction, view, services) => settingsCard({ ...view, page: "channels" }, services, interaction),
});
export const channelDefaultsComponents = channelPanel.components;

/** Opens the form of the channel that was chosen in the menu of the page. */
export const pickChannel = defineChannelMenu(channelPickCustomId, async (interaction, _values, services) => {
	const [channelId = ""] = interaction.values;
	await channelPanel.openForm(interaction, channelId, services);
});
