/** Formats a server's balance and the limits of one member. */
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { toTimestampS } from "../../i18n/message-param-values.ts";
import type { GuildBalance, LimitBalance } from "./guild-accounts.ts";

export function formatBalance({ balance, monthlyCredits, refillsAtMs }: GuildBalance): readonly MessageDescriptor[] {
	const { availableCredits, heldCredits } = balance;
	const balanceLine: MessageDescriptor = { key: "credits.balance", params: { availableCredits, heldCredits } };
	if (refillsAtMs === null) return [balanceLine];
	return [balanceLine, { key: "credits.refill", params: { monthlyCredits, refillsAtS: toTimestampS(refillsAtMs) } }];
}

export function formatMemberLimits({ memberLimit, mediaLimits }: GuildBalance): readonly MessageDescriptor[] {
	if (memberLimit?.credits === 0) return [{ key: "limit.memberNone" }];
	const memberLine: MessageDescriptor = memberLimit
		? { key: "credits.mine", params: limitParams(memberLimit) }
		: { key: mediaLimits.size === 0 ? "credits.mineUnlimited" : "credits.mineWithin" };
	const mediaLines = [...mediaLimits].map(([mediaType, limit]): MessageDescriptor => {
		if (limit.credits === 0) return { key: "limit.mediaTypeNone", params: { mediaType } };
		return { key: "credits.mineMediaType", params: { ...limitParams(limit), mediaType } };
	});
	return [memberLine, ...mediaLines];
}

/** Returns the message parameters of a limit with its remaining credits. */
export function limitParams({ leftCredits, credits: limitCredits, per, resetsAtMs }: LimitBalance) {
	return { leftCredits, limitCredits, per, resetsAtS: toTimestampS(resetsAtMs) };
}
