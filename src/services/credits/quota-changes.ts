/** Changes of quotas by admins. Pure: each takes the settings and returns new ones, or throws a denial. */
import type { MediaType } from "@atelier/media-protocol/model";
import { UserError } from "../user-error.ts";
import { EXCEPTIONS_MAX, type GuildSettings } from "../settings/guild-settings.ts";
import { isTimeZone } from "./period.ts";
import type { Period } from "./period.ts";

/** A new allowance: a number, no limit, or removal of the exception. */
export type AllowanceChange = number | "unlimited" | "clear";

export interface ServerChange {
	readonly limit: number | "unlimited" | undefined;
	readonly per: Period | undefined;
	readonly unused: GuildSettings["unusedCredits"] | undefined;
	readonly timeZone: string | undefined;
	/** `null` removes the channel. */
	readonly warnChannelId: string | null | undefined;
}

export function changeServer(settings: GuildSettings, change: ServerChange): GuildSettings {
	if (Object.values(change).every((value) => value === undefined))
		throw new UserError({ key: "quota.nothingToChange" });
	const { limit, per, unused, timeZone, warnChannelId } = change;
	return {
		...settings,
		serverLimit: limitAfter(settings.serverLimit, limit, per),
		...(unused !== undefined && { unusedCredits: unused }),
		...(timeZone !== undefined && { timeZone }),
		...(warnChannelId !== undefined && { warnChannelId }),
	};
}

function limitAfter(
	before: GuildSettings["serverLimit"],
	limit: ServerChange["limit"],
	per: Period | undefined,
): GuildSettings["serverLimit"] {
	if (limit === "unlimited") {
		if (per !== undefined) throw new UserError({ key: "quota.periodWithoutLimit" });
		return null;
	}
	const credits = limit ?? before?.credits;
	if (credits === undefined) {
		if (per !== undefined) throw new UserError({ key: "quota.periodWithoutLimit" });
		return null;
	}
	return { credits, per: per ?? before?.per ?? "month" };
}

export function changeRole(settings: GuildSettings, roleId: string, allotment: AllowanceChange): GuildSettings {
	return withAllowance(settings, { roles: withException(settings, "roles", roleId, allotment) });
}

export function changeMember(settings: GuildSettings, userId: string, allotment: AllowanceChange): GuildSettings {
	return withAllowance(settings, { members: withException(settings, "members", userId, allotment) });
}

export function changeEveryone(
	settings: GuildSettings,
	allotment: AllowanceChange | undefined,
	per: Period | undefined,
): GuildSettings {
	if (allotment === undefined && per === undefined) throw new UserError({ key: "quota.nothingToChange" });
	return withAllowance(settings, {
		...(allotment !== undefined && { everyone: typeof allotment === "number" ? allotment : null }),
		...(per !== undefined && { per }),
	});
}

export function changeMedium(settings: GuildSettings, mediaType: MediaType, credits: number | "clear"): GuildSettings {
	const { [mediaType]: _before, ...others } = settings.allowance.media;
	return withAllowance(settings, { media: credits === "clear" ? others : { ...others, [mediaType]: credits } });
}

function withAllowance(settings: GuildSettings, changed: Partial<GuildSettings["allowance"]>): GuildSettings {
	return { ...settings, allowance: { ...settings.allowance, ...changed } };
}

function withException(
	{ allowance }: GuildSettings,
	kind: "roles" | "members",
	id: string,
	allotment: AllowanceChange,
): Record<string, number | null> {
	const { [id]: before, ...others } = allowance[kind];
	if (allotment === "clear") return others;
	const exceptions = Object.keys(allowance.roles).length + Object.keys(allowance.members).length;
	if (before === undefined && exceptions >= EXCEPTIONS_MAX) {
		throw new UserError({ key: "quota.tooManyExceptions", params: { exceptionsMax: EXCEPTIONS_MAX } });
	}
	return { ...others, [id]: allotment === "unlimited" ? null : allotment };
}

const CHOICES_MAX = 25;

/** Finds time zones by part of their name; cities that begin with the text come first. */
export function searchTimeZones(typed: string): readonly string[] {
	const words = typed.trim().toLowerCase().replaceAll(" ", "_");
	const found = knownTimeZones().filter((zone) => zone.toLowerCase().includes(words));
	const begins = (zone: string): boolean =>
		zone
			.toLowerCase()
			.split("/")
			.some((part) => part.startsWith(words));
	return [...found.filter((zone) => begins(zone)), ...found.filter((zone) => !begins(zone))].slice(0, CHOICES_MAX);
}

/** Returns the IANA spelling of a time zone. Accepts older names too. */
export function findTimeZone(typed: string): string | undefined {
	const word = typed.trim();
	const known = knownTimeZones().find((zone) => zone.toLowerCase() === word.toLowerCase());
	if (known !== undefined) return known;
	return /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+$/.test(word) && isTimeZone(word) ? word : undefined;
}

function knownTimeZones(): readonly string[] {
	return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}
