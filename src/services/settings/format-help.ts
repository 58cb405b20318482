/** Formats `/help`: what this member may use in this channel, and what it costs. Pure. */
import { nameOf, shortList } from "../../i18n/message-parts.ts";
import { MEDIA_TYPES, type MediaType, type Model } from "@atelier/media-protocol/model";
import { costOf, defaultsOf, makesNew } from "../generation/request.ts";
import type { MessageRef } from "../../i18n/message-ref.ts";
import { t } from "../../i18n/messages.ts";
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
		...(refusal ? [{ key: "help.notHere", params: { reason: refusal } } as const] : []),
		...MEDIA_TYPES.map((mediaType) => mediumOf(mediaType, facts)),
		{ key: "help.prices" },
		...(styles > 0 ? [{ key: "help.styles", params: { styles } } as const] : []),
		...formatBalance(balance),
		...formatMemberLimits(balance),
		{ key: "help.results" },
		{ key: "help.cancel" },
		...(isManager ? [{ key: "help.managers" } as const] : []),
	];
	return fitting(lines.map((line) => t(locale, line)));
}

function mediumOf(mediaType: MediaType, { settings, models, where }: HelpInput): MessageRef {
	const command = nameOf(mediaType);
	if (settings.access.mediaOff.includes(mediaType)) return { key: "help.mediumOff", params: { command } };
	const on = models(mediaType).filter(
		(model) => makesNew(model) && isModelEnabled(settings, model, where.isAgeRestricted),
	);
	if (on.length === 0) return { key: "help.mediumNone", params: { command } };
	const named = on.map((model): MessageRef => {
		const params = { model: quoteName(model.name), costCredits: costOf(model, defaultsOf(model)) };
		return { key: "help.model", params };
	});
	return { key: "help.medium", params: { command, mediaType, models: shortList(named, MODELS_NAMED) } };
}

/** Returns whole lines that fit. The last lines are the least important. */
function fitting(lines: readonly string[]): string {
	let chars = -1;
	return lines.filter((line) => (chars += line.length + 1) <= TEXT_CHARS_MAX).join("\n");
}
