/** Selects the limits that apply to a member's request. Pure. */
import type { MediaType } from "@atelier/media-protocol/model";
import type { GuildSettings } from "../settings/guild-settings.ts";
import { periodAt, type Period } from "./period.ts";

export interface Member {
	readonly guildId: string;
	readonly userId: string;
	readonly roleIds: readonly string[];
}

/** A limit, and the ledger account that counts its spending. Each period has its own account, so none is reset. */
export interface UsageLimit {
	readonly kind: "mediaType" | "member" | "server";
	readonly account: string;
	readonly credits: number;
	readonly per: Period;
	readonly resetsAtMs: number;
}

/** A limit in a payment plan. */
export interface PaymentLimit extends UsageLimit {
	/** Spent in the period before the limit was set, so its account has not counted them. */
	readonly uncountedCredits: number;
}

/** Returns how far the account of a limit may go below zero. */
export function overdraftOf({ credits, uncountedCredits }: PaymentLimit): number {
	return Math.max(0, credits - uncountedCredits);
}

/** Returns the narrowest limit first, because a denial names the first limit that is exceeded. */
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

/** Returns what a member may spend in a period; `null` for no limit. */
export function allowanceOf({ allowance }: GuildSettings, { userId, roleIds }: Member): number | null {
	const exception = allowance.members[userId];
	if (exception !== undefined) return exception;
	const byRole = roleIds.flatMap((roleId) => allowance.roles[roleId] ?? (roleId in allowance.roles ? null : []));
	const applicable = [allowance.everyone, ...byRole];
	return applicable.includes(null) ? null : Math.max(...applicable.map((credits) => credits ?? 0));
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
