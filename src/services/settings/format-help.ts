/** Formats `/help`: a denial that applies to this member here, and the media types and models of this channel with their prices. Pure. */
import type { Money } from "../../i18n/money.ts";
import { moneyOf } from "../credits/credit-price.ts";
import { nameOf, shortList } from "../../i18n/message-param-values.ts";
import { MEDIA_TYPES, type MediaType, type Model } from "@atelier/media-protocol/model";
import { costOf, defaultsOf, makesNew } from "../generation/request.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { quoteName } from "../../i18n/quote.ts";
import { formatBalance, formatMemberLimits } from "../credits/format-balance.ts";
import type { GuildBalance } from "../credits/guild-accounts.ts";
import type { GuildSettings } from "./guild-settings.ts";
import {
	generalDenialReason,
	isModelEnabled,
	mediaTypeDenialReason,
	type RequestChannel,
	type Requester,
} from "../moderation/policy.ts";

/** The number of models that are named per media type. Autocomplete shows all of them. */
const MODELS_NAMED = 6;

export interface HelpInput {
	readonly settings: GuildSettings;
	readonly balance: GuildBalance;
	readonly models: (mediaType: MediaType) => readonly Model[];
	readonly creditPrice: Money | undefined;
	readonly member: Requester;
	readonly channel: RequestChannel;
	readonly isManager: boolean;
	/** True if managers may grant credits; otherwise only operators may. */
	readonly mayManagersGrant: boolean;
	readonly nowMs: number;
}

/** Returns the paragraphs of the reply. */
export function formatHelp(input: HelpInput, locale: string): readonly string[] {
	const { settings, balance, member, channel, isManager, mayManagersGrant, nowMs } = input;
	const styles = Object.keys(settings.styles).length;
	const denial = generalDenialReason(settings, member, channel, nowMs);
	const sections: readonly (readonly MessageDescriptor[])[] = [
		denial ? [{ key: "help.notHere", params: { reason: denial } }] : [],
		[
			...MEDIA_TYPES.map((mediaType) => mediaTypeLine(mediaType, input)),
			{ key: "help.prices" },
			...(styles > 0 ? [{ key: "help.styles", params: { styles } } as const] : []),
		],
		[...formatBalance(balance), ...formatMemberLimits(balance)],
		[{ key: "help.results" }, { key: "help.cancel" }],
		isManager ? [{ key: "help.managers", params: { mayManagersGrant } }] : [],
	];
	return sections.filter((lines) => lines.length > 0).map((lines) => lines.map((line) => t(locale, line)).join("\n"));
}

function mediaTypeLine(mediaType: MediaType, { settings, models, creditPrice, channel }: HelpInput): MessageDescriptor {
	const command = nameOf(mediaType);
	const denial = mediaTypeDenialReason(settings, mediaType, channel);
	if (denial?.key === "access.mediaTypeOff") return { key: "help.mediaTypeOff", params: { command } };
	if (denial) return { key: "help.mediaTypeOffHere", params: { command } };
	const enabled = models(mediaType).filter(
		(model) => makesNew(model) && isModelEnabled(settings, model, channel.isAgeRestricted),
	);
	if (enabled.length === 0) return { key: "help.mediaTypeNone", params: { command } };
	const named = enabled.map((model): MessageDescriptor => {
		const costCredits = costOf(model, defaultsOf(model));
		const params = { model: quoteName(model.name), costCredits, money: moneyOf(costCredits, creditPrice) };
		return { key: "help.model", params };
	});
	return { key: "help.mediaType", params: { command, mediaType, models: shortList(named, MODELS_NAMED) } };
}
