/** Who may use a command that Discord keeps for managers unless a server's admins decided otherwise: pure. */

/** One line of what admins set under _Server Settings, Integrations_. */
export interface CommandOverride {
	readonly kind: "role" | "user" | "channel";
	readonly id: string;
	readonly isAllowed: boolean;
}

/** What admins decided about one command in one server. Throws where it cannot be read: that is never a yes. */
export interface CommandOverrides {
	read(command: {
		readonly applicationId: string;
		readonly guildId: string;
		readonly commandId: string;
	}): Promise<readonly CommandOverride[]>;
}

interface CommandUser {
	readonly guildId: string;
	readonly userId: string;
	readonly roleIds: readonly string[];
	/** Where it was typed; of a thread also the channel that it belongs to. */
	readonly channelIds: readonly string[];
}

/**
 * Whether the overrides let somebody in who may not manage the server. The place has to allow it, and the person: of
 * places the channel itself goes before all channels, of people the person goes before their roles, and those before
 * everyone. Among roles one that allows is enough.
 */
export function isCommandAllowed(
	overrides: readonly CommandOverride[],
	{ guildId, userId, roleIds, channelIds }: CommandUser,
): boolean {
	const said = (kind: CommandOverride["kind"], ids: readonly string[]): boolean | undefined => {
		const found = overrides.filter((each) => each.kind === kind && ids.includes(each.id));
		return found.length === 0 ? undefined : found.some(({ isAllowed }) => isAllowed);
	};
	const place = said("channel", channelIds) ?? said("channel", [allChannels(guildId)]) ?? true;
	const memberRoleIds = roleIds.filter((id) => id !== guildId);
	const person = said("user", [userId]) ?? said("role", memberRoleIds) ?? said("role", [guildId]) ?? false;
	return place && person;
}

/** How Discord writes "all channels": the id before the server's own. The server's own id is the role of everyone. */
function allChannels(guildId: string): string {
	return String(BigInt(guildId) - 1n);
}
