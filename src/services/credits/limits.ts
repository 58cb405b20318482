/** Selects the limits that apply to a member's request. No I/O. */
import { byMember } from "../access/change-author.ts";
import type { MemberWithRoles } from "../access/member.ts";
import type { MediaType } from "@atelier/media-protocol/model";
import type { GuildSettings } from "../settings/guild-settings.ts";
import type { Spender } from "./period-spending.ts";
import { periodAt, type Period } from "../period.ts";

/** A limit for one period, and the ledger account that counts its spending. The next period has another account, so none is reset. */
export interface Limit {
	readonly kind: "mediaType" | "member" | "server";
	readonly account: string;
	readonly credits: number;
	readonly per: Period;
	readonly startsAtMs: number;
	readonly resetsAtMs: number;
	/** Selects the charges that it counts. */
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
): readonly Limit[] {
	const { allowance, serverLimit, timeZone } = settings;
	const { guildId, userId } = member;
	const by = byMember(userId);
	const limitOf = (kind: Limit["kind"], owner: string, credits: number, per: Period, spender: Spender): Limit => {
		const { id, startsAtMs, endsAtMs } = periodAt(nowMs, per, timeZone);
		const account = `use:${guildId}:${owner}:${id}`;
		return { kind, account, credits, per, startsAtMs, resetsAtMs: endsAtMs, spender };
	};
	const mediaTypeLimits = mediaTypes.flatMap((mediaType) => {
		const credits = allowance.media[mediaType];
		if (credits === undefined) return [];
		return [limitOf("mediaType", `${userId}:${mediaType}`, credits, allowance.per, { by, mediaType })];
	});
	const memberCredits = allowanceOf(settings, member);
	return [
		...mediaTypeLimits,
		...(memberCredits === null ? [] : [limitOf("member", userId, memberCredits, allowance.per, { by })]),
		...(serverLimit ? [limitOf("server", "server", serverLimit.credits, serverLimit.per, {})] : []),
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
