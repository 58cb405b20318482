/** Decides who may use a command that Discord reserves for managers by default. No I/O. */
import type { MemberWithRoles } from "./member.ts";
import type { RequestChannel } from "./request-channel.ts";

/** One override that an admin set under _Server Settings, Integrations_. */
export interface CommandOverride {
	readonly kind: "role" | "user" | "channel";
	readonly id: string;
	readonly isAllowed: boolean;
}

/**
 * Reads the admins' overrides of one command in one server. Throws `DirectoryUnavailableError` if they cannot be read: that never
 * counts as permission.
 */
export interface CommandOverrides {
	read(command: {
		readonly applicationId: string;
		readonly guildId: string;
		readonly commandName: string;
	}): Promise<readonly CommandOverride[]>;
}

/**
 * Returns whether the overrides allow a member who may not manage the server. Both the channel and the member must be
 * allowed. A rule for the channel precedes the rule for all channels. A rule for the member precedes those for roles,
 * which precede the rule for everyone. Among roles, one that allows is enough.
 */
export function isCommandAllowed(
	overrides: readonly CommandOverride[],
	{ guildId, userId, roleIds }: MemberWithRoles,
	{ channelIds }: Pick<RequestChannel, "channelIds">,
): boolean {
	const ruleFor = (kind: CommandOverride["kind"], ids: readonly string[]): boolean | undefined => {
		const found = overrides.filter((each) => each.kind === kind && ids.includes(each.id));
		return found.length === 0 ? undefined : found.some(({ isAllowed }) => isAllowed);
	};
	const isChannelAllowed = ruleFor("channel", channelIds) ?? ruleFor("channel", [allChannelsId(guildId)]) ?? true;
	const memberRoleIds = roleIds.filter((id) => id !== guildId);
	const isMemberAllowed =
		ruleFor("user", [userId]) ?? ruleFor("role", memberRoleIds) ?? ruleFor("role", [guildId]) ?? false;
	return isChannelAllowed && isMemberAllowed;
}

/** Discord's id for "all channels" is the server id minus 1. The server id itself is the role @everyone. */
function allChannelsId(guildId: string): string {
	return String(BigInt(guildId) - 1n);
}
