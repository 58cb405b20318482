/** Finds who a message pings in its channel. */
import { AllowedMentionsTypes, PermissionFlagsBits } from "discord-api-types/v10";
import type { MessageBody } from "./build-message.ts";
import { guildOf } from "./channels.ts";
import type { Channel, StoredMessage } from "./documents.ts";
import type { Simulator } from "./simulator.ts";

export type PingedIds = Pick<StoredMessage, "mentionedUserIds" | "mentionedRoleIds" | "mentionsEveryone">;

type AllowedMentions = NonNullable<MessageBody["allowed_mentions"]>;

interface PingRules {
	readonly allowed: AllowedMentions;
	/** Those of the author. */
	readonly permissions: bigint;
	/** The other author whose message it replies to. */
	readonly repliedUserId: string | undefined;
}

/** Code blocks and spans, in which mentions are text. */
const CODE = /(`{1,3})(?!`)[^]*?[^`]\1(?!`)/g;

/** Discord's default for webhooks and for replies to commands. */
export const PING_USERS_ONLY: AllowedMentions = { parse: [AllowedMentionsTypes.User] };
/** Discord's default for members and for the bot's own messages. A reply pings the author of the other message. */
export const PING_ALL_KINDS: AllowedMentions = { parse: Object.values(AllowedMentionsTypes), replied_user: true };

/**
 * Returns who a message pings. Of its mentions, only those of members, and with the permission those of roles and of
 * everyone, count.
 */
export function findMentions(
	{ channels, members }: Pick<Simulator, "channels" | "members">,
	channel: Channel | undefined,
	content: string,
	{ allowed, permissions, repliedUserId }: PingRules,
): PingedIds {
	const guild = channel && guildOf(channel);
	const userIds = new Set([...mentionableUserIds(channel), members.bot.id]);
	// The id of @everyone is that of the guild; only its text pings.
	const roleIds = new Set((guild ? channels.roles(guild) : []).map(({ id }) => id).filter((id) => id !== guild?.id));
	const text = content.replaceAll(CODE, "");
	const parse = new Set<string>(allowed.parse ?? []);
	const idsOf = (pattern: RegExp): string[] => [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ""))];
	const allows = (kind: "users" | "roles", id: string): boolean =>
		parse.has(kind) || (allowed[kind] ?? []).includes(id);
	const mentioned = idsOf(/<@!?(\d+)>/g).filter((id) => userIds.has(id) && allows("users", id));
	if (repliedUserId !== undefined && allowed.replied_user) mentioned.push(repliedUserId);
	const mayPingAll = (permissions & PermissionFlagsBits.MentionEveryone) !== 0n;
	return {
		mentionedUserIds: [...new Set(mentioned)],
		mentionedRoleIds: idsOf(/<@&(\d+)>/g).filter((id) => mayPingAll && roleIds.has(id) && allows("roles", id)),
		mentionsEveryone: mayPingAll && parse.has("everyone") && /@(everyone|here)/.test(text),
	};
}

/** Returns the users who may be pinged: the members of the guild, or the recipient of direct messages. */
function mentionableUserIds(channel: Channel | undefined): readonly string[] {
	if (!channel) return [];
	return channel.kind === "guild" ? channel.guild.memberIds : [channel.userId];
}
