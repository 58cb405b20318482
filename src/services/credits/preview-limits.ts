import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { Clock } from "@atelier/common/clock";
import { memberIdOf } from "../access/change-author.ts";
import type { GuildDirectory } from "../access/guild-directory.ts";
import type { GuildSettings } from "../settings/guild-settings.ts";
import type { GuildAccounts } from "./guild-accounts.ts";
import { limitsFor } from "./limits.ts";
import { periodAt } from "../period.ts";

/** Members whose roles are read from Discord. */
const ROLES_READ_MAX = 20;

interface PreviewLimitsDeps {
	readonly accounts: Pick<GuildAccounts, "readSpending">;
	readonly directory: Pick<GuildDirectory, "readMember">;
	readonly clock: Clock;
}

/** Counts the members who have already spent more in the current period than the limits of `settings` allow them. */
export async function previewLimits(
	guildId: string,
	settings: GuildSettings,
	{ accounts, directory, clock }: PreviewLimitsDeps,
): Promise<{ readonly membersOver: number; readonly membersUnknown: number }> {
	const nowMs = clock.nowMs();
	const { startsAtMs } = periodAt(nowMs, settings.allowance.per, settings.timeZone);
	const { members, spentCredits } = await accounts.readSpending(guildId, startsAtMs);
	const isOver = (userId: string, roleIds: readonly string[]): boolean =>
		limitsFor(settings, { guildId, userId, roleIds }, MEDIA_TYPES, nowMs).some(
			({ kind, credits, spender }) => kind !== "server" && spentCredits(spender) > credits,
		);
	const userIds = [...members].flatMap((by) => memberIdOf(by) ?? []);
	// A role can only raise a limit: who is over with all roles is over with any, so only the others' roles are read.
	const allRoleIds = Object.keys(settings.allowance.roles);
	const overWithAllRoles = userIds.filter((userId) => isOver(userId, allRoleIds));
	const dependent = userIds.filter((userId) => isOver(userId, []) && !isOver(userId, allRoleIds));
	const overWithTheirRoles = await Promise.all(
		dependent.slice(0, ROLES_READ_MAX).map(async (userId) => {
			const member = await directory.readMember(guildId, userId);
			return isOver(userId, member?.roleIds ?? []);
		}),
	);
	return {
		membersOver: overWithAllRoles.length + overWithTheirRoles.filter(Boolean).length,
		membersUnknown: Math.max(0, dependent.length - ROLES_READ_MAX),
	};
}
