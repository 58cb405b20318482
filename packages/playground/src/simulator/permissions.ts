import {
	type APIApplicationCommandPermission,
	type APIOverwrite,
	OverwriteType,
	PermissionFlagsBits as Permission,
} from "discord-api-types/v10";

/** The default permissions of @everyone in a new guild, including mentions of everyone. */
export const EVERYONE_PERMISSIONS =
	Permission.AddReactions |
	Permission.ViewChannel |
	Permission.SendMessages |
	Permission.CreatePublicThreads |
	Permission.CreatePrivateThreads |
	Permission.SendMessagesInThreads |
	Permission.EmbedLinks |
	Permission.AttachFiles |
	Permission.ReadMessageHistory |
	Permission.MentionEveryone |
	Permission.UseExternalEmojis |
	Permission.ChangeNickname |
	Permission.CreateInstantInvite |
	Permission.UseApplicationCommands |
	Permission.UseExternalApps |
	Permission.SendVoiceMessages |
	Permission.SendPolls;

export const ALL_PERMISSIONS = Object.values(Permission).reduce((all, bit) => all | bit, 0n);

/** The permissions in a direct message channel, which has no roles. */
export const DIRECT_PERMISSIONS =
	Permission.AddReactions |
	Permission.ViewChannel |
	Permission.SendMessages |
	Permission.EmbedLinks |
	Permission.AttachFiles |
	Permission.ReadMessageHistory |
	Permission.MentionEveryone |
	Permission.UseExternalEmojis |
	Permission.SendVoiceMessages |
	Permission.SendPolls;

/** The permissions that remain of those of a member in a timeout. */
export const TIMED_OUT_PERMISSIONS = Permission.ViewChannel | Permission.ReadMessageHistory;

/** The bot's permissions in an interaction when only its commands are in the guild. */
export const COMMANDS_ONLY_PERMISSIONS =
	Permission.AttachFiles | Permission.EmbedLinks | Permission.MentionEveryone | Permission.UseExternalEmojis;

/** A channel's own rule for a role (0) or a member (1). */
export type Overwrite = Readonly<APIOverwrite>;

/**
 * Applies a channel's overwrites to a member's permissions in the guild: @everyone, then the roles together, then the member.
 * https://docs.discord.com/developers/topics/permissions#permission-overwrites
 */
export function withOverwrites(
	permissions: bigint,
	overwrites: readonly Overwrite[],
	{
		guildId,
		roleIds,
		userId,
	}: { readonly guildId: string; readonly roleIds: readonly string[]; readonly userId: string },
): bigint {
	if ((permissions & Permission.Administrator) !== 0n) return ALL_PERMISSIONS;
	const groups = [
		overwrites.filter(({ id }) => id === guildId),
		overwrites.filter(({ id, type }) => type === OverwriteType.Role && id !== guildId && roleIds.includes(id)),
		overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === userId),
	];
	return groups.reduce(
		(before, group) => (before & ~union(group.map(({ deny }) => deny))) | union(group.map(({ allow }) => allow)),
		permissions,
	);
}

function union(values: readonly string[]): bigint {
	return values.reduce((all, bits) => all | BigInt(bits), 0n);
}

/** Returns whether the permissions suffice for a command; `null` requires none, "0" an administrator. */
function suffices(required: string | null | undefined, permissions: bigint): boolean {
	if (required === null || required === undefined) return true;
	const bits = BigInt(required);
	return bits !== 0n && (permissions & bits) === bits;
}

/** One permission of a command, which an admin set under _Server Settings, Integrations_. */
export type CommandPermission = Readonly<APIApplicationCommandPermission>;

interface Invoker {
	readonly userId: string;
	readonly roleIds: readonly string[];
	readonly permissions: bigint;
}

/**
 * Returns whether the invoker may use a command. Administrators may use every command. A denied channel denies the command; the
 * rule of a channel precedes the rule for all channels. The user's rule precedes the rules of roles, and these precede
 * the rule for everyone. Without a rule, `required` decides.
 * https://docs.discord.com/developers/interactions/application-commands#permissions
 */
export function isAllowed(
	required: string | null | undefined,
	permissions: readonly CommandPermission[],
	invoker: Invoker,
	place: { readonly guildId: string; readonly channelId: string },
): boolean {
	if ((invoker.permissions & Permission.Administrator) !== 0n) return true;
	const decisionFor = (type: CommandPermission["type"], ids: readonly string[]): boolean | undefined => {
		const matching = permissions.filter((each) => each.type === type && ids.includes(each.id));
		return matching.length === 0 ? undefined : matching.some(({ permission }) => permission);
	};
	const allChannels = String(BigInt(place.guildId) - 1n);
	if ((decisionFor(3, [place.channelId]) ?? decisionFor(3, [allChannels])) === false) return false;
	return (
		decisionFor(2, [invoker.userId]) ??
		decisionFor(1, invoker.roleIds) ??
		decisionFor(1, [place.guildId]) ??
		suffices(required, invoker.permissions)
	);
}
