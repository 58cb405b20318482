/** Finds who a message pings in its channel. */
import { PermissionFlagsBits } from "discord-api-types/v10";
import { type Channel, guildOf } from "./channels.ts";
import type { StoredMessage } from "./documents.ts";
import type { Simulator } from "./simulator.ts";

export type PingedIds = Pick<StoredMessage, "mentionedUserIds" | "mentionedRoleIds" | "mentionsEveryone">;

interface AllowedMentions {
	readonly parse?: readonly string[] | null | undefined;
	readonly users?: readonly string[] | null | undefined;
	readonly roles?: readonly string[] | null | undefined;
}

/** Discord's defaults: webhooks and replies to commands ping users only, the bot's own messages anyone. */
export const DEFAULT_MENTIONS = {
	webhook: { parse: ["users"] },
	bot: { parse: ["users", "roles", "everyone"] },
} as const;

/** Returns who a message pings, with the permissions of its author, and by default with all kinds of mentions allowed. */
export function findMentions(
	{ channels, members }: Pick<Simulator, "channels" | "members">,
	channel: Channel | undefined,
	content: string,
	{ allowed = DEFAULT_MENTIONS.bot, permissions }: { readonly allowed?: AllowedMentions; readonly permissions: bigint },
): PingedIds {
	const guild = channel && guildOf(channel);
	return mentionsIn(content, allowed, {
		userIds: new Set([...mentionableUserIds(channel), members.bot.id]),
		roles: new Map((guild ? channels.roles(guild) : []).map(({ id, mentionable }) => [id, mentionable])),
		permissions,
	});
}

/** Returns the users who may be pinged: the members of the guild, or the recipient of direct messages. */
function mentionableUserIds(channel: Channel | undefined): readonly string[] {
	if (!channel) return [];
	return channel.kind === "guild" ? channel.guild.memberIds : [channel.userId];
}

/** Returns who is pinged by `content`: of its mentions, only those that `allowed` permits. */
export function mentionsIn(
	content: string,
	allowed: AllowedMentions,
	known: {
		readonly userIds: ReadonlySet<string>;
		/** The roles of the guild, and whether anyone may mention them. */
		readonly roles: ReadonlyMap<string, boolean>;
		readonly permissions: bigint;
	},
): PingedIds {
	const parse = new Set<string>(allowed.parse ?? []);
	const idsOf = (pattern: RegExp): string[] => [
		...new Set([...content.matchAll(pattern)].map((match) => match[1] ?? "")),
	];
	const allows = (kind: "users" | "roles", id: string): boolean =>
		parse.has(kind) || (allowed[kind] ?? []).includes(id);
	const mayPingAll = (known.permissions & PermissionFlagsBits.MentionEveryone) !== 0n;
	const mayPingRole = (id: string): boolean => known.roles.has(id) && (mayPingAll || known.roles.get(id) === true);

	return {
		mentionedUserIds: idsOf(/<@!?(\d+)>/g).filter((id) => known.userIds.has(id) && allows("users", id)),
		mentionedRoleIds: idsOf(/<@&(\d+)>/g).filter((id) => mayPingRole(id) && allows("roles", id)),
		mentionsEveryone: mayPingAll && parse.has("everyone") && /@(everyone|here)/.test(content),
	};
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
