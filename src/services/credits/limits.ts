/** Selects the limits that apply to a member's request. Pure. */
import type { MediaType } from "@atelier/media-protocol/model";
import type { GuildSettings } from "../settings/guild-settings.ts";
import { periodAt, type Period } from "./period.ts";

export interface Member {
	readonly guildId: string;
	readonly userId: string;
	readonly roleIds: readonly string[];
}

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

/** Returns how far the account of a limit may go below zero. */
export function overdraftOf({ credits, uncountedCredits }: PaymentLimit): number {
	return Math.max(0, credits - uncountedCredits);
}

/** Returns the limits that apply, the narrowest first: a denial names the first one that is exceeded. */
export function limitsFor(
	settings: GuildSettings,
	member: Member,
	mediaType: MediaType,
	nowMs: number,
): readonly UsageLimit[] {
	const mediaTypeLimit = mediaTypeLimitOf(settings, member, mediaType, nowMs);
	return [
		mediaTypeLimit,
		memberLimitOf(settings, member, nowMs),
		serverLimitOf(settings, member.guildId, nowMs),
	].filter((limit) => limit !== undefined);
}

export function memberLimitOf(settings: GuildSettings, member: Member, nowMs: number): UsageLimit | undefined {
	const credits = allowanceOf(settings, member);
	if (credits === null) return undefined;
	const { per } = settings.allowance;
	const { id, endsAtMs } = periodAt(nowMs, per, settings.timeZone);
	const account = `use:${member.guildId}:${member.userId}:${id}`;
	return { kind: "member", account, credits, per, resetsAtMs: endsAtMs };
}

/**
 * Returns what a member may spend in a period; `null` for no limit. An exception of the member decides alone. Otherwise the highest of
 * the limit for everyone and those of the member's roles applies.
 */
export function allowanceOf({ allowance }: GuildSettings, { userId, roleIds }: Member): number | null {
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

export function mediaTypeLimitOf(
	settings: GuildSettings,
	{ guildId, userId }: Member,
	mediaType: MediaType,
	nowMs: number,
): UsageLimit | undefined {
	const credits = settings.allowance.media[mediaType];
	if (credits === undefined) return undefined;
	const { per } = settings.allowance;
	const { id, endsAtMs } = periodAt(nowMs, per, settings.timeZone);
	const account = `use:${guildId}:${userId}:${mediaType}:${id}`;
	return { kind: "mediaType", account, credits, per, resetsAtMs: endsAtMs };
}

export function serverLimitOf(settings: GuildSettings, guildId: string, nowMs: number): UsageLimit | undefined {
	if (!settings.serverLimit) return undefined;
	const { credits, per } = settings.serverLimit;
	const { id, endsAtMs } = periodAt(nowMs, per, settings.timeZone);
	return { kind: "server", account: `use:${guildId}:server:${id}`, credits, per, resetsAtMs: endsAtMs };
}
