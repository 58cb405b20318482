/** Changes of quotas by admins. Pure: each takes the settings and returns new ones, or throws a denial. */
import type { MediaType } from "@atelier/media-protocol/model";
import { definedFields } from "../defined-fields.ts";
import { UserError } from "../user-error.ts";
import { LIMIT_EXCEPTIONS_MAX, type GuildSettings } from "./settings-schema.ts";
import type { Period } from "../credits/period.ts";

/**
 * The new quota of all members, a role or a member. `clear` removes the exception of a role or a member; for all members it means
 * no limit.
 */
export type LimitChange = number | "unlimited" | "clear";

/** Changes of the server's quota. Absent fields stay unchanged. */
export interface ServerLimitChange {
	readonly limit?: number | "unlimited" | undefined;
	readonly per?: Period | undefined;
	readonly unused?: GuildSettings["unusedCredits"] | undefined;
	readonly timeZone?: string | undefined;
	/** `null` removes the channel. */
	readonly warnChannelId?: string | null | undefined;
}

export function changeServerLimit(settings: GuildSettings, change: ServerLimitChange): GuildSettings {
	if (Object.values(change).every((value) => value === undefined))
		throw new UserError({ key: "quota.nothingToChange" });
	const { limit, per, unused, timeZone, warnChannelId } = change;
	return {
		...settings,
		serverLimit: changedLimit(settings.serverLimit, limit, per),
		...definedFields({ unusedCredits: unused, timeZone, warnChannelId }),
	};
}

/** Returns the changed limit of the server; `null` for no limit. Throws a `UserError` for a period without a limit. */
function changedLimit(
	before: GuildSettings["serverLimit"],
	limit: ServerLimitChange["limit"],
	per: Period | undefined,
): GuildSettings["serverLimit"] {
	const credits = limit === "unlimited" ? undefined : (limit ?? before?.credits);
	if (credits === undefined) {
		if (per !== undefined) throw new UserError({ key: "quota.periodWithoutLimit" });
		return null;
	}
	return { credits, per: per ?? before?.per ?? "month" };
}

export function changeRoleLimit(settings: GuildSettings, roleId: string, change: LimitChange): GuildSettings {
	return withAllowance(settings, { roles: withException(settings, "roles", roleId, change) });
}

export function changeMemberLimit(settings: GuildSettings, userId: string, change: LimitChange): GuildSettings {
	return withAllowance(settings, { members: withException(settings, "members", userId, change) });
}

export function changeDefaultLimit(
	settings: GuildSettings,
	change: LimitChange | undefined,
	per: Period | undefined,
): GuildSettings {
	if (change === undefined && per === undefined) throw new UserError({ key: "quota.nothingToChange" });
	return withAllowance(settings, {
		...(change !== undefined && { everyone: typeof change === "number" ? change : null }),
		...(per !== undefined && { per }),
	});
}

export function changeMediaTypeLimit(
	settings: GuildSettings,
	mediaType: MediaType,
	credits: number | "clear",
): GuildSettings {
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
	change: LimitChange,
): Record<string, number | null> {
	const { [id]: before, ...others } = allowance[kind];
	if (change === "clear") return others;
	const exceptions = Object.keys(allowance.roles).length + Object.keys(allowance.members).length;
	if (before === undefined && exceptions >= LIMIT_EXCEPTIONS_MAX) {
		throw new UserError({ key: "quota.tooManyExceptions", params: { exceptionsMax: LIMIT_EXCEPTIONS_MAX } });
	}
	return { ...others, [id]: change === "unlimited" ? null : change };
}
