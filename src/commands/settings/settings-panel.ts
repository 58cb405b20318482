/** The panel of `/settings`: pages of settings, each with its value and a button, which acts at once or opens a form. */
import type { Model } from "@atelier/media-protocol/model";
import { cardReply, text } from "../../discord/card.ts";
import { defineCustomId, idField } from "../../discord/custom-id.ts";
import { knownModels } from "../../services/generation/model-catalog.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import {
	countsLine,
	fieldsOfPage,
	formatField,
	pageOf,
	SETTING_FIELDS,
	SETTING_PAGES,
	type SettingField,
} from "../../services/settings/format-settings.ts";
import { activeBlocks } from "../../services/moderation/policy.ts";
import type { GuildSettings } from "../../services/settings/settings-schema.ts";
import type { SettingsService } from "../../services/settings/settings-service.ts";
import type { SettingPage } from "../../services/settings/setting-table.ts";
import {
	channelDefaultsCustomId,
	channelDefaultsParts,
	channelPickCustomId,
	channelSetting,
} from "./channel-defaults-page.ts";
import { defineButton, defineChannelMenu } from "../framework/component.ts";
import { MANAGERS_OR_ALLOWED } from "../framework/invoking-member.ts";
import { checksumField, definePanel, noticeParts, settingParts, type DeniedChange } from "./panel.ts";
import { panelSettingOf } from "./panel-settings.ts";
import { pageTabs } from "../framework/page-tabs.ts";

const PAGES = Object.keys(SETTING_PAGES) as [SettingPage, ...SettingPage[]];

const settingCustomId = defineCustomId("setting", {
	field: idField.oneOf(...SETTING_FIELDS),
	valueChecksum: checksumField,
});
const settingPageCustomId = defineCustomId("setting-page", { page: idField.oneOf(...PAGES) });

interface PanelContent {
	readonly settings: GuildSettings;
	/** Settings without effect are not shown. */
	readonly provided: SettingsService["provided"];
	readonly nowMs: number;
	/** Names the default models of channels. */
	readonly models?: readonly Pick<Model, "id" | "name">[];
	readonly denial?: DeniedChange<SettingField> | undefined;
	/** The denied change of the defaults of a channel, by its id. */
	readonly channelDenial?: DeniedChange<string> | undefined;
	readonly page: SettingPage;
	/** The line above the settings. */
	readonly notice?: MessageDescriptor | undefined;
}

export function settingsPanel(
	{ settings, provided, nowMs, models = [], denial, channelDenial, page, notice }: PanelContent,
	locale: string,
) {
	const parts =
		page === "channels"
			? channelDefaultsParts(settings, models, channelDenial, locale)
			: fieldsOfPage(page, provided).flatMap((field) => {
					const shown = { field, setting: panelSettingOf(field), settings };
					return settingParts(formatField(settings, field, locale), shown, settingCustomId, denial, locale);
				});
	const footer: readonly MessageDescriptor[] = [
		countsLine(settings, activeBlocks(settings, nowMs).length),
		{ key: "settings.seeLimits" },
	];
	return cardReply([
		...noticeParts(notice, locale),
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
		...footer.map((line) => text(t(locale, line))),
	]);
}

const requireSettings = MANAGERS_OR_ALLOWED.authorizePressOf("settings");

export const turnSettingPage = defineButton(settingPageCustomId, async (interaction, { page }, services) => {
	await interaction.deferUpdate();
	await requireSettings(interaction, services);
	const settings = await services.settings.read(interaction.guildId);
	const { catalog, clock, settingsService } = services;
	const { provided } = settingsService;
	const content = { settings, provided, nowMs: clock.nowMs(), models: knownModels(catalog), page };
	await interaction.editReply(settingsPanel(content, interaction.locale));
});

export const { components: settingsPanelComponents } = definePanel<SettingField>({
	customIdCodec: settingCustomId,
	authorizePress: requireSettings,
	settingOf: panelSettingOf,
	async show({ locale }, { field, ...view }, { clock, settingsService: { provided } }) {
		return settingsPanel({ ...view, provided, nowMs: clock.nowMs(), page: pageOf(field) }, locale);
	},
});

const channelPanel = definePanel<string>({
	customIdCodec: channelDefaultsCustomId,
	authorizePress: requireSettings,
	settingOf: channelSetting,
	async show({ locale }, { settings, denial, notice }, { catalog, clock, settingsService: { provided } }) {
		const shown = { settings, provided, nowMs: clock.nowMs(), models: knownModels(catalog) };
		return settingsPanel({ ...shown, page: "channels", notice, channelDenial: denial }, locale);
	},
});
export const channelDefaultsComponents = channelPanel.components;

/** Opens the form of the channel that was chosen in the menu of the page. */
export const pickChannel = defineChannelMenu(channelPickCustomId, async (interaction, _values, services) => {
	const [channelId = ""] = interaction.values;
	await channelPanel.openForm(interaction, channelId, services);
});
