/** The panel of `/settings`: each setting with its value and "Change". Pure. */
import { cardReply, text } from "../discord/card.ts";
import { customIds, part } from "../discord/custom-id.ts";
import type { MessageRef } from "../i18n/message-ref.ts";
import { t } from "../i18n/messages.ts";
import { countsLine, formatField, SETTING_FIELDS, type SettingField } from "../services/settings/format-access.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { settingParts, type Denial } from "./panel.ts";

export const settingIds = customIds("setting", { field: part.oneOf(...SETTING_FIELDS) });

interface PanelContent {
	readonly settings: GuildSettings;
	readonly blockedMembers: number;
	readonly denial?: Denial<SettingField> | undefined;
	/** The line above the settings. */
	readonly head?: MessageRef;
}

export function settingsPanel({ settings, blockedMembers, denial, head }: PanelContent, locale: string) {
	const parts = SETTING_FIELDS.flatMap((field) =>
		settingParts(formatField(settings, field, locale), field, settingIds, denial, locale),
	);
	const others: readonly MessageRef[] = [countsLine(settings, blockedMembers), { key: "settings.seeLimits" }];
	const lead = head ? [text(t(locale, head))] : [];
	return cardReply([...lead, ...parts, ...others.map((line) => text(t(locale, line)))]);
}
