/** Formats `/help`: what this member may use in this channel, and what it costs. Pure. */
import { MEDIA_TYPES, type MediaType, type Model } from "@atelier/media-protocol/model";
import { costOf, defaultsOf, makesNew } from "../generation/request.ts";
import { t, type MessageRef } from "../../i18n/messages.ts";
import { quoteName } from "../../i18n/quote.ts";
import { formatBalance, formatMemberLimits } from "../credits/format-balance.ts";
import type { GuildBalance } from "../credits/guild-accounts.ts";
import type { GuildSettings } from "./guild-settings.ts";
import { isModelEnabled, generalDenialReason, type RequestChannel, type Requester } from "../moderation/policy.ts";

/** The number of models that are named per media type. Autocomplete shows all of them. */
const MODELS_NAMED = 6;
/** Discord's maximum for a message. */
const TEXT_CHARS_MAX = 2000;

export interface HelpInput {
	readonly settings: GuildSettings;
	readonly balance: GuildBalance;
	readonly models: (mediaType: MediaType) => readonly Model[];
	readonly member: Requester;
	readonly where: RequestChannel;
	readonly isManager: boolean;
	readonly nowMs: number;
}

export function formatHelp(facts: HelpInput, locale: string): string {
	const { settings, balance, member, where, isManager, nowMs } = facts;
	const styles = Object.keys(settings.styles).length;
	const refusal = generalDenialReason(settings, member, where, nowMs);
	const lines: MessageRef[] = [
		...(refusal ? [{ key: "helpNotHere", params: { reason: t(locale, refusal) } } as const] : []),
		...MEDIA_TYPES.map((mediaType) => mediumOf(mediaType, facts, locale)),
		{ key: "helpPrices" },
		...(styles > 0 ? [{ key: "helpStyles", params: { styles } } as const] : []),
		...formatBalance(balance),
		...formatMemberLimits(balance),
		{ key: "helpResults" },
		{ key: "helpCancel" },
		...(isManager ? [{ key: "helpManagers" } as const] : []),
	];
	return fitting(lines.map((line) => t(locale, line)));
}

function mediumOf(mediaType: MediaType, { settings, models, where }: HelpInput, locale: string): MessageRef {
	if (settings.access.mediaOff.includes(mediaType)) return { key: "helpMediumOff", params: { mediaType } };
	const on = models(mediaType).filter(
		(model) => makesNew(model) && isModelEnabled(settings, model, where.isAgeRestricted),
	);
	if (on.length === 0) return { key: "helpMediumNone", params: { mediaType } };
	const named = on.slice(0, MODELS_NAMED).map((model) => {
		const params = { model: quoteName(model.name), costCredits: costOf(model, defaultsOf(model)) };
		return t(locale, { key: "helpModel", params });
	});
	return { key: "helpMedium", params: { mediaType, models: named.join(", "), more: on.length - named.length } };
}

/** Returns whole lines that fit. The last lines are the least important. */
function fitting(lines: readonly string[]): string {
	let chars = -1;
	return lines.filter((line) => (chars += line.length + 1) <= TEXT_CHARS_MAX).join("\n");
}
