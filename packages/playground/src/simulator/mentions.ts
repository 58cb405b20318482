/** Finds who a message pings in its channel. */
import { type AllowedMentions, DEFAULT_MENTIONS, mentionsIn } from "./build-message.ts";
import { type Channel, guildOf } from "./channels.ts";
import type { StoredMessage } from "./documents.ts";
import { EVERYONE_PERMISSIONS } from "./permissions.ts";
import type { Simulator } from "./simulator.ts";

export type PingedIds = Pick<StoredMessage, "mentionedUserIds" | "mentionedRoleIds" | "mentionsEveryone">;

/** By default with the permissions of the bot, and with everything that a message of a user may ping. */
export function findMentions(
	{ channels, members }: Pick<Simulator, "channels" | "members">,
	channel: Channel | undefined,
	content: string,
	{
		allowed = DEFAULT_MENTIONS.bot,
		permissions = EVERYONE_PERMISSIONS,
	}: { readonly allowed?: AllowedMentions; readonly permissions?: bigint } = {},
): PingedIds {
	const guild = channel && guildOf(channel);
	const mentions = mentionsIn(content, allowed, {
		userIds: new Set([...mentionableUserIds(channel), members.bot.id]),
		roles: new Map((guild ? channels.roles(guild) : []).map(({ id, mentionable }) => [id, mentionable])),
		permissions,
	});
	return {
		mentionedUserIds: mentions.userIds,
		mentionedRoleIds: mentions.roleIds,
		mentionsEveryone: mentions.everyone,
	};
}

/** Returns who may be pinged: only members who see the channel. */
function mentionableUserIds(channel: Channel | undefined): readonly string[] {
	if (!channel) return [];
	return channel.kind === "guild" ? channel.guild.memberIds : [channel.userId];
}

/** Adds the author of the message that a reply refers to, unless it is the author of the reply. */
export function withRepliedAuthor(
	mentionedUserIds: readonly string[],
	replied: StoredMessage,
	{ authorId, botId }: { readonly authorId: string | null; readonly botId: string },
): readonly string[] {
	if (replied.authorId === authorId) return mentionedUserIds;
	return [...new Set([...mentionedUserIds, replied.authorId ?? botId])];
}
