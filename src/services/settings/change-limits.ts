/** Changes of quotas by admins. Pure: each takes the settings and returns new ones, or throws a denial. */
import type { MediaType } from "@atelier/media-protocol/model";
import { UserError } from "../user-error.ts";
import { LIMIT_EXCEPTIONS_MAX } from "@atelier/dashboard/limits";
import type { GuildSettings } from "./guild-settings.ts";
import type { Period } from "../period.ts";

/**
 * The new quota of all members, a role or a member. `clear` removes the exception of a role or a member; for all members it means
 * no limit.
 */
export type LimitChange = number | "unlimited" | "clear";

/** A change of the server's limit. Absent fields stay unchanged. */
export interface ServerLimitChange {
	readonly limit?: number | "unlimited" | undefined;
	readonly per?: Period | undefined;
}

/** Throws a `UserError` for a period without a limit. */
export function changeServerLimit(settings: GuildSettings, { limit, per }: ServerLimitChange): GuildSettings {
	const before = settings.serverLimit;
	const credits = limit === "unlimited" ? undefined : (limit ?? before?.credits);
	if (credits === undefined && per !== undefined) throw new UserError({ key: "quota.periodWithoutLimit" });
	return {
		...settings,
		serverLimit: credits === undefined ? null : { credits, per: per ?? before?.per ?? "month" },
	};
}

export function changeRoleLimit(settings: GuildSettings, roleId: string, change: LimitChange): GuildSettings {
	return withAllowance(settings, { roles: withException(settings, "roles", roleId, change) });
}

export function changeMemberLimit(settings: GuildSettings, userId: string, change: LimitChange): GuildSettings {
	return withAllowance(settings, { members: withException(settings, "members", userId, change) });
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
