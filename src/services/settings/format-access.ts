/** Formats a guild's settings, except for its limits. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { MessageRef, Text } from "../../i18n/message-ref.ts";
import { t } from "../../i18n/messages.ts";
import { quote, quoteName } from "../../i18n/quote.ts";
import { channelMention, mediumName, roleMention, shortList } from "../../i18n/message-parts.ts";
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
	limits: readonly MessageRef[] = [{ key: "settings.seeLimits" }],
): string {
	const { access, media, filter, styles, confirmAbove, logChannelId, reportChannelId, language } = settings;
	const lines: MessageRef[] = [
		...statusLines(access.paused),
		{ key: "settings.channels", params: rulesOf(access.channels, channelMention) },
		{ key: "settings.roles", params: rulesOf(access.roles, roleMention) },
		mediaLine(access.mediaOff),
		access.modelsOff.length === 0
			? { key: "settings.modelsAll" }
			: { key: "settings.modelsOff", params: { models: shortList(access.modelsOff.map(quoteName), MODELS_NAMED_MAX) } },
		{ key: "settings.results", params: { private: media.private } },
		{ key: "settings.spoiler", params: { spoiler: media.spoiler } },
		{ key: "settings.confirm", params: { confirmAbove } },
		{ key: "settings.language", params: { language: language === null ? null : languageName(language) } },
		{ key: "settings.log", params: { channelId: logChannelId } },
		{ key: "settings.reports", params: { channelId: reportChannelId } },
		{
			key: "settings.counts",
			params: { patterns: filter.patterns.length, blocked, styles: Object.keys(styles).length },
		},
		...limits,
	];
	return lines.map((line) => t(locale, line)).join("\n");
}

/** Names a language in that language. */
export function languageName(code: string): string {
	return Object.entries(LANGUAGES).find(([each]) => each === code)?.[1] ?? quoteName(code);
}

function statusLines(paused: GuildSettings["access"]["paused"]): readonly MessageRef[] {
	if (!paused) return [{ key: "settings.running" }];
	if (paused.message === null) return [{ key: "settings.paused" }];
	const note = quote(paused.message, PAUSE_CHARS_SHOWN);
	return [{ key: "settings.paused" }, { key: "settings.pauseMessage", params: { note } }];
}

function rulesOf(
	{ allowed, denied }: { readonly allowed: readonly string[]; readonly denied: readonly string[] },
	mention: (id: string) => string,
) {
	const [hasAllowed, hasDenied] = [allowed.length > 0, denied.length > 0];
	const listOf = (ids: readonly string[]): Text => shortList(ids.map(mention), NAMED_MAX);
	return {
		rule: hasAllowed ? (hasDenied ? "other" : "only") : hasDenied ? "except" : "all",
		allowed: listOf(allowed),
		denied: listOf(denied),
	} as const;
}

function mediaLine(mediaOff: GuildSettings["access"]["mediaOff"]): MessageRef {
	const media = MEDIA_TYPES.filter((mediaType) => !mediaOff.includes(mediaType)).map(mediumName);
	return media.length === 0 ? { key: "settings.mediaNone" } : { key: "settings.media", params: { media } };
}
