/** Selects the limits that apply to a member's request. No I/O. */
import { byMember } from "../access/change-author.ts";
import type { MemberWithRoles } from "../access/member.ts";
import type { MediaType } from "@atelier/media-protocol/model";
import type { GuildSettings } from "../settings/guild-settings.ts";
import type { Spender } from "./period-spending.ts";
import { periodAt, type Period } from "./period.ts";

/** A limit for one period, and the ledger account that counts its spending. The next period has another account, so none is reset. */
export interface UsageLimit {
	readonly kind: "mediaType" | "member" | "server";
	readonly account: string;
	readonly credits: number;
	readonly per: Period;
	readonly resetsAtMs: number;
}

/** A limit in a payment plan. */
export interface PaymentLimit extends UsageLimit {
	/** Credits spent in the period before the limit was set. The limit's account does not contain them. */
	readonly uncountedCredits: number;
}

/** Returns the account of a limit, and how far it may go below zero. */
export function limitAccountOf({ account, credits, uncountedCredits }: PaymentLimit) {
	return { account, overdraftCredits: Math.max(0, credits - uncountedCredits) };
}

/** A limit that applies to a member, and the member and media type whose charges it counts. */
export interface ApplicableLimit {
	readonly limit: UsageLimit;
	readonly spender: Spender;
}

/**
 * Returns the limits of a member that apply to any of the media types, the narrowest first: a denial names the first one that is
 * exceeded.
 */
export function limitsFor(
	settings: GuildSettings,
	member: MemberWithRoles,
	mediaTypes: readonly MediaType[],
	nowMs: number,
): readonly ApplicableLimit[] {
	const { allowance, serverLimit, timeZone } = settings;
	const { guildId, userId } = member;
	const by = byMember(userId);
	const limitOf = (kind: UsageLimit["kind"], owner: string, credits: number, per: Period): UsageLimit => {
		const { id, endsAtMs } = periodAt(nowMs, per, timeZone);
		return { kind, account: `use:${guildId}:${owner}:${id}`, credits, per, resetsAtMs: endsAtMs };
	};
	const mediaTypeLimits = mediaTypes.flatMap((mediaType) => {
		const credits = allowance.media[mediaType];
		if (credits === undefined) return [];
		const limit = limitOf("mediaType", `${userId}:${mediaType}`, credits, allowance.per);
		return [{ limit, spender: { by, mediaType } }];
	});
	const memberCredits = allowanceOf(settings, member);
	return [
		...mediaTypeLimits,
		...(memberCredits === null
			? []
			: [{ limit: limitOf("member", userId, memberCredits, allowance.per), spender: { by } }]),
		...(serverLimit ? [{ limit: limitOf("server", "server", serverLimit.credits, serverLimit.per), spender: {} }] : []),
	];
}

/**
 * Returns what a member may spend in a period; `null` for no limit. An exception of the member decides alone. Otherwise the highest of
 * the limit for everyone and those of the member's roles applies.
 */
export function allowanceOf({ allowance }: GuildSettings, { userId, roleIds }: MemberWithRoles): number | null {
	const ofMember = allowance.members[userId];
	if (ofMember !== undefined) return ofMember;
	const ofRoles = roleIds.map((roleId) => allowance.roles[roleId]).filter((credits) => credits !== undefined);
	let highestCredits = 0;
	for (const credits of [allowance.everyone, ...ofRoles]) {
		if (credits === null) return null;
		highestCredits = Math.max(highestCredits, credits);
	}
	return highestCredits;
}
