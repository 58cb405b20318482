import { PermissionFlagsBits } from "discord-api-types/v10";

export interface Mentions {
	readonly userIds: readonly string[];
	readonly roleIds: readonly string[];
	readonly everyone: boolean;
}

export interface AllowedMentions {
	readonly parse?: readonly string[] | null | undefined;
	readonly users?: readonly string[] | null | undefined;
	readonly roles?: readonly string[] | null | undefined;
}

/** Discord's defaults: replies to commands ping users only, the bot's own messages anyone. */
export const DEFAULT_MENTIONS = {
	interaction: { parse: ["users"] },
	bot: { parse: ["users", "roles", "everyone"] },
} as const;

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
): Mentions {
	const parse = new Set<string>(allowed.parse ?? []);
	const idsOf = (pattern: RegExp): string[] => [
		...new Set([...content.matchAll(pattern)].map((match) => match[1] ?? "")),
	];
	const lets = (kind: string, ids: readonly string[] | null | undefined, id: string): boolean =>
		parse.has(kind) || (ids ?? []).includes(id);
	const mayPingAll = (known.permissions & PermissionFlagsBits.MentionEveryone) !== 0n;

	return {
		userIds: idsOf(/<@!?(\d+)>/g).filter((id) => known.userIds.has(id) && lets("users", allowed.users, id)),
		roleIds: idsOf(/<@&(\d+)>/g).filter(
			(id) => known.roles.has(id) && (mayPingAll || known.roles.get(id) === true) && lets("roles", allowed.roles, id),
		),
		everyone: mayPingAll && parse.has("everyone") && /@(everyone|here)/.test(content),
	};
}
