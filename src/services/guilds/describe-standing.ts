/** What a server has and what one of its members may still use of it, in words: pure. */
import type { Saying } from "../messages/messages.ts";
import { toTimestampS } from "../messages/timestamp.ts";
import type { GuildStanding, LimitLeft } from "./guild-accounts.ts";

/** What the server has, and when there is more. */
export function balanceOf({ balance, monthlyCredits, refillsAtMs }: GuildStanding): readonly Saying[] {
	const { availableCredits, heldCredits } = balance;
	const has: Saying = { key: "creditsBalance", params: { availableCredits, heldCredits } };
	if (refillsAtMs === null) return [has];
	return [has, { key: "creditsRefill", params: { monthlyCredits, refillsAtS: toTimestampS(refillsAtMs) } }];
}

/** What the member may use of it. */
export function mineOf({ member, media }: GuildStanding): readonly Saying[] {
	if (member?.credits === 0) return [{ key: "creditsMineNone" }];
	const whole: Saying = member
		? { key: "creditsMine", params: shown(member) }
		: { key: media.size === 0 ? "creditsMineUnlimited" : "creditsMineWithin" };
	const each = [...media].map(([mediaType, limit]): Saying => {
		if (limit.credits === 0) return { key: "creditsMineNoMedium", params: { mediaType } };
		return { key: "creditsMineMedium", params: { ...shown(limit), mediaType } };
	});
	return [whole, ...each];
}

export function shown({ leftCredits, credits: limitCredits, per, resetsAtMs }: LimitLeft) {
	return { leftCredits, limitCredits, per, resetsAtS: toTimestampS(resetsAtMs) };
}
