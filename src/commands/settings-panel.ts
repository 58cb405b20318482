/** The panel of `/settings`: pages of settings, each with its value and "Change". Pure. */
import type { Model } from "@atelier/media-protocol/model";
import { cardReply, text } from "../discord/card.ts";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import type { PlainKey } from "../i18n/message-params.ts";
import type { MessageDescriptor } from "../i18n/message-descriptor.ts";
import { t } from "../i18n/messages.ts";
import {
	countsLine,
	formatField,
	SETTING_FIELDS,
	SETTING_PAGES,
	type SettingField,
	type SettingPage,
} from "../services/settings/format-settings.ts";
import { blockedCount } from "../services/moderation/policy.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { channelDefaultsParts } from "./channel-defaults-panel.ts";
import { checksumField, settingParts, type DeniedChange } from "./panel.ts";
import { settingValueOf } from "./settings-forms.ts";
import { pageTabs } from "./page-tabs.ts";

const PAGES = Object.keys(SETTING_PAGES) as [SettingPage, ...SettingPage[]];

export const settingCustomId = defineCustomId("setting", {
	field: idField.oneOf(...SETTING_FIELDS),
	shown: checksumField,
});
export const settingPageCustomId = defineCustomId("setting-page", { page: idField.oneOf(...PAGES) });

interface PanelContent {
	readonly settings: GuildSettings;
	readonly nowMs: number;
	/** Names the default models of channels. */
	readonly models?: readonly Pick<Model, "id" | "name">[];
	readonly denial?: DeniedChange<SettingField> | undefined;
	/** The denied change of the defaults of a channel, by its id. */
	readonly channelDenial?: DeniedChange<string> | undefined;
	readonly page: SettingPage;
	/** The line above the settings. */
	readonly notice?: MessageDescriptor;
}

export function settingsPanel(
	{ settings, nowMs, models = [], denial, channelDenial, page, notice }: PanelContent,
	locale: string,
) {
	const parts =
		page === "channels"
			? channelDefaultsParts(settings, models, channelDenial, locale)
			: SETTING_PAGES[page].flatMap((field) => {
					const setting = { field, value: settingValueOf(settings, field) };
					return settingParts(formatField(settings, field, locale), setting, settingCustomId, denial, locale);
				});
	const footer: readonly MessageDescriptor[] = [
		countsLine(settings, blockedCount(settings, nowMs)),
		{ key: "settings.seeLimits" },
	];
	const noticeParts = notice ? [text(t(locale, notice))] : [];
	return cardReply([
		...noticeParts,
		pageTabs({ pages: PAGES, shown: page, labelKeys: PAGE_LABEL_KEYS, customIdCodec: settingPageCustomId }, locale),
		...parts,
		...footer.map((line) => text(t(locale, line))),
	]);
}

const PAGE_LABEL_KEYS = {
	access: "settings.pageAccess",
	results: "settings.pageResults",
	server: "settings.pageServer",
	channels: "settings.pageChannels",
} as const satisfies Record<SettingPage, PlainKey>;
