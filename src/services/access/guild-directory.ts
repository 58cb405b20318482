/** Reads servers and their members from Discord, for readers who are not using a command. */

export interface Guild {
	readonly id: string;
	readonly name: string;
	readonly ownerId: string;
	readonly roles: readonly GuildRole[];
	/** In the order that Discord shows. */
	readonly channels: readonly GuildChannel[];
}

interface GuildRole {
	readonly id: string;
	readonly name: string;
	readonly permissions: bigint;
}

/** A channel where members can use commands, or whose threads are such. */
interface GuildChannel {
	readonly id: string;
	readonly name: string;
	/** The name of its category. */
	readonly category: string | null;
	/** True if settings can name it for posts of the bot: logs, reports, warnings and the showcase. */
	readonly canBePostedTo: boolean;
}

export interface GuildMember {
	readonly userId: string;
	readonly name: string;
	readonly avatarUrl: string | null;
	readonly roleIds: readonly string[];
}

/** The permissions of a member that count outside of commands. */
export interface MemberPermissions {
	readonly isAdministrator: boolean;
	/** _Manage Server_. */
	readonly isManager: boolean;
	/** _Manage Server_ or _Manage Messages_. */
	readonly isModerator: boolean;
}

/** A member's roles and permissions in a server. */
export interface MemberAccess {
	readonly roleIds: readonly string[];
	readonly permissions: MemberPermissions;
}

/** Discord did not give a server, its channels, its members or their permissions. That never counts as permission, nor as absence. */
export class DirectoryUnavailableError extends Error {
	override readonly name = "DirectoryUnavailableError";

	constructor(options?: ErrorOptions) {
		super("server, channel, member or permissions not read", options);
	}
}

/** Throws `DirectoryUnavailableError` if Discord does not respond. */
export interface GuildDirectory {
	/** `undefined` if the bot is not in the server. */
	readGuild(guildId: string): Promise<Guild | undefined>;
	/** `undefined` if the bot or the user is not in the server. */
	readMember(guildId: string, userId: string): Promise<GuildMember | undefined>;
	/** Finds members whose user name or nickname begins with `name`. */
	searchMembers(guildId: string, name: string, membersMax: number): Promise<readonly GuildMember[]>;
	/** Resolves to the time at which the bot joined, as Discord writes it, without a cache; `undefined` if it is not in the server. */
	readBotJoin(guildId: string): Promise<string | undefined>;
	/** `undefined` if the bot or the user is not in the server. At most a minute old. */
	readAccess(guildId: string, userId: string): Promise<MemberAccess | undefined>;
}
