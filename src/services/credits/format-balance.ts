/** Formats a guild's balance and the limits of one member. */
import type { MessageRef } from "../../i18n/message-ref.ts";
import { toTimestampS } from "../../i18n/timestamp.ts";
import type { GuildBalance, RemainingLimit } from "./guild-accounts.ts";

export function formatBalance({ balance, monthlyCredits, refillsAtMs }: GuildBalance): readonly MessageRef[] {
	const { availableCredits, heldCredits } = balance;
	const balanceRef: MessageRef = { key: "credits.balance", params: { availableCredits, heldCredits } };
	if (refillsAtMs === null) return [balanceRef];
	return [balanceRef, { key: "credits.refill", params: { monthlyCredits, refillsAtS: toTimestampS(refillsAtMs) } }];
}

export function formatMemberLimits({ memberLimit, mediaLimits }: GuildBalance): readonly MessageRef[] {
	if (memberLimit?.credits === 0) return [{ key: "credits.mineNone" }];
	const memberRef: MessageRef = memberLimit
		? { key: "credits.mine", params: limitParams(memberLimit) }
		: { key: mediaLimits.size === 0 ? "credits.mineUnlimited" : "credits.mineWithin" };
	const mediaRefs = [...mediaLimits].map(([mediaType, limit]): MessageRef => {
		if (limit.credits === 0) return { key: "credits.mineNoMediaType", params: { mediaType } };
		return { key: "credits.mineMediaType", params: { ...limitParams(limit), mediaType } };
	});
	return [memberRef, ...mediaRefs];
}

/** Returns the message parameters of a limit with its remaining credits. */
export function limitParams({ leftCredits, credits: limitCredits, per, resetsAtMs }: RemainingLimit) {
	return { leftCredits, limitCredits, per, resetsAtS: toTimestampS(resetsAtMs) };
}
