/** Formats a guild's balance and the limits of one member. */
import type { MessageRef } from "../../i18n/message-ref.ts";
import { toTimestampS } from "../../i18n/timestamp.ts";
import type { GuildBalance, RemainingLimit } from "./guild-accounts.ts";

export function formatBalance({ balance, monthlyCredits, refillsAtMs }: GuildBalance): readonly MessageRef[] {
	const { availableCredits, heldCredits } = balance;
	const has: MessageRef = { key: "credits.balance", params: { availableCredits, heldCredits } };
	if (refillsAtMs === null) return [has];
	return [has, { key: "credits.refill", params: { monthlyCredits, refillsAtS: toTimestampS(refillsAtMs) } }];
}

export function formatMemberLimits({ member, media }: GuildBalance): readonly MessageRef[] {
	if (member?.credits === 0) return [{ key: "credits.mineNone" }];
	const whole: MessageRef = member
		? { key: "credits.mine", params: limitParams(member) }
		: { key: media.size === 0 ? "credits.mineUnlimited" : "credits.mineWithin" };
	const each = [...media].map(([mediaType, limit]): MessageRef => {
		if (limit.credits === 0) return { key: "credits.mineNoMedium", params: { mediaType } };
		return { key: "credits.mineMedium", params: { ...limitParams(limit), mediaType } };
	});
	return [whole, ...each];
}

export function limitParams({ leftCredits, credits: limitCredits, per, resetsAtMs }: RemainingLimit) {
	return { leftCredits, limitCredits, per, resetsAtS: toTimestampS(resetsAtMs) };
}
