/** Formats a guild's settings, except for its limits. */
import { t, type MessageRef } from "../../i18n/messages.ts";
import { quote, quoteName } from "../../i18n/quote.ts";
import type { GuildSettings } from "./guild-settings.ts";
import { LANGUAGES } from "./settings-changes.ts";

/** The number of channels, roles and models that are named per list, so that the text fits a message. */
const NAMED_MAX = 5;
const MODELS_NAMED_MAX = 3;
const PAUSE_CHARS_SHOWN = 80;

/** `limits` are appended at the end. */
export function formatAccess(
	settings: GuildSettings,
	blocked: number,
	locale: string,
	limits: readonly MessageRef[] = [{ key: "showQuota" }],
): string {
	const { access, media, filter, styles, confirmAbove, logChannelId, reportChannelId, language } = settings;
	const { paused, channels, roles, mediaOff, modelsOff } = access;
	const lines: MessageRef[] = [
		paused
			? {
					key: "showPaused",
					params: { sentence: paused.sentence === null ? null : quote(paused.sentence, PAUSE_CHARS_SHOWN) },
				}
			: { key: "showRunning" },
		{ key: "showChannels", params: { allowed: named(channels.allowed), denied: named(channels.denied) } },
		{ key: "showRoles", params: { allowed: named(roles.allowed), denied: named(roles.denied) } },
		{ key: "showMedia", params: { off: mediaOff } },
		{ key: "showModels", params: named(modelsOff.map(quoteName), MODELS_NAMED_MAX) },
		{ key: "showResults", params: media },
		{ key: "showConfirm", params: { confirmAbove } },
		{ key: "showLanguage", params: { language: languageNamed(language) } },
		{ key: "showLog", params: { channelId: logChannelId } },
		{ key: "showReports", params: { channelId: reportChannelId } },
		{
			key: "showCounts",
			params: { patterns: filter.patterns.length, blocked, styles: Object.keys(styles).length },
		},
		...limits,
	];
	return lines.map((line) => t(locale, line)).join("\n");
}

function languageNamed(language: string | null): string | null {
	if (language === null) return null;
	return Object.entries(LANGUAGES).find(([code]) => code === language)?.[1] ?? quoteName(language);
}

function named(ids: readonly string[], max = NAMED_MAX) {
	return { ids: ids.slice(0, max), more: Math.max(0, ids.length - max) };
}
