/** The settings of the admin API: pure state, in memory only. */
import { Locale, PermissionFlagsBits as Permission } from "discord-api-types/v10";
import type { Overwrite } from "./permissions.ts";
import type { Seed, Guild } from "./documents.ts";

/** The bot's access to a channel: everything, no files, read and edit its own messages, nothing. */
export type BotAccess = "all" | "noFiles" | "readOnly" | "none";

export type BoostLevel = 0 | 1 | 2 | 3;

const MIB = 1024 * 1024;
/** Discord's limit for a whole request with files. */
export const REQUEST_BYTES_MAX = 25 * MIB;
/** The limit beyond any boost level. */
export const REQUEST_BYTES_CEILING = 128 * MIB;
const HEARTBEAT_INTERVAL_MS = 41_250;
/** The permissions that each access denies the bot's role in a channel, the strongest first. */
const DENIED = {
	none: Permission.ViewChannel,
	readOnly:
		Permission.SendMessages |
		Permission.SendMessagesInThreads |
		Permission.CreatePublicThreads |
		Permission.CreatePrivateThreads,
	noFiles: Permission.AttachFiles,
	all: 0n,
} as const satisfies { readonly [access in BotAccess]: bigint };
const ACCESS_PERMISSIONS = DENIED.none | DENIED.readOnly | DENIED.noFiles;

function accessOverwrite(botRoleId: string, access: BotAccess): Overwrite {
	const deny = DENIED[access];
	return { id: botRoleId, type: 0, allow: (ACCESS_PERMISSIONS & ~deny).toString(), deny: deny.toString() };
}

/** Returns the access that the bot's permissions in a channel amount to. */
export function accessWith(permissions: bigint): BotAccess {
	const accesses = Object.keys(DENIED) as BotAccess[];
	return accesses.find((access) => (permissions & DENIED[access]) !== DENIED[access]) ?? "all";
}

/** The file limit by boost level: Discord's default since January 2025, then per level. */
const BOOST_FILE_BYTES_MAX = [10 * MIB, 10 * MIB, 50 * MIB, 100 * MIB] as const;

export interface FileLimits {
	/** The enforced limit per file. */
	readonly bytesMax: number;
	/** The limit per file in interactions; Discord has been seen to announce more than it enforces. */
	readonly announcedBytesMax: number;
	/** The limit per request with files. */
	readonly requestBytesMax: number;
}

/**
 * Settings of a guild; missing fields have their defaults.
 *
 * @public Declarations of the published package name it.
 */
export interface GuildSettings {
	readonly boostLevel?: BoostLevel | undefined;
	readonly locale?: string | undefined;
	/** True if the bot itself is in the guild, not only its commands. */
	readonly isBotMember?: boolean;
	/** Permissions of the bot's role beyond those of @everyone; `null` for those of the fixture. */
	readonly botPermissions?: bigint | null;
	/** Permissions of members. */
	readonly members?: ReadonlyMap<string, bigint>;
}

export type AdminSettings = ReturnType<typeof createAdminSettings>;

export function createAdminSettings(seed: Pick<Seed, "guilds">) {
	const overwrites = new Map<string, readonly Overwrite[]>();
	const initialOverwrites = new Map(
		seed.guilds.flatMap(({ botRoleId, channels }) =>
			channels
				.filter(({ isReadOnlyForBot }) => isReadOnlyForBot)
				.map(({ id }) => [id, [accessOverwrite(botRoleId, "readOnly")]]),
		),
	);
	const overwritesOf = (channelId: string): readonly Overwrite[] =>
		overwrites.get(channelId) ?? initialOverwrites.get(channelId) ?? [];
	const changes = new Map<string, GuildSettings>();
	let fileLimits: FileLimits | undefined;
	const boostLevelOf = (guild: Guild): BoostLevel => changes.get(guild.id)?.boostLevel ?? guild.boostLevel ?? 0;
	const isBotMember = (guild: Guild): boolean => changes.get(guild.id)?.isBotMember ?? true;
	function changeGuild(guild: Guild, change: GuildSettings): void {
		changes.set(guild.id, { ...changes.get(guild.id), ...change });
		if (change.boostLevel !== undefined) fileLimits = undefined;
	}

	return {
		/** By the guild's boost level unless set; `undefined` is a direct message channel. */
		fileLimitsIn(guild: Guild | undefined): FileLimits {
			const bytesMax = BOOST_FILE_BYTES_MAX[guild ? boostLevelOf(guild) : 0];
			const requestBytesMax = Math.max(REQUEST_BYTES_MAX, bytesMax + MIB);
			return fileLimits ?? { bytesMax, announcedBytesMax: bytesMax, requestBytesMax };
		},
		/** Applies everywhere until a guild's boost level changes. */
		setFileLimits: (limits: FileLimits): void => void (fileLimits = limits),
		boostLevelOf,
		localeOf: (guild: Guild): string => changes.get(guild.id)?.locale ?? guild.locale ?? Locale.EnglishUS,
		isBotMember,
		changeGuild,
		botPermissions: (guild: Guild): bigint | undefined => changes.get(guild.id)?.botPermissions ?? undefined,
		/** Locales of users that differ from the seed. */
		locales: new Map<string, string>(),
		memberPermissions: (guild: Guild, userId: string): bigint | undefined =>
			changes.get(guild.id)?.members?.get(userId),
		/** `null` restores those of the roles. */
		setMemberPermissions(guild: Guild, userId: string, permissions: bigint | null): void {
			const members = new Map(changes.get(guild.id)?.members);
			if (permissions === null) members.delete(userId);
			else members.set(userId, permissions);
			changeGuild(guild, { members });
		},
		/** The heartbeat interval for new connections. */
		heartbeatIntervalMs: HEARTBEAT_INTERVAL_MS,
		/** True if the gateway answers RESUME. */
		answersResume: true,
		overwritesOf,
		setOverwrites: (channelId: string, rules: readonly Overwrite[]): void => void overwrites.set(channelId, rules),
		/** Replaces the overwrite of the bot's role. */
		setBotAccess(channelId: string, { botRoleId }: Guild, access: BotAccess): void {
			const others = overwritesOf(channelId).filter(({ id }) => id !== botRoleId);
			overwrites.set(channelId, [...others, accessOverwrite(botRoleId, access)]);
		},
		/** Replaces the redirect URIs of the application; `undefined` for its own. */
		redirectUris: undefined as readonly string[] | undefined,
		/** Users who accept no direct messages. */
		closedDirectUserIds: new Set<string>(),
		changedGuildIds: (): readonly string[] => [...changes.keys()],
		changedChannelIds: (): readonly string[] => [...overwrites.keys()],
		reset(): void {
			changes.clear();
			overwrites.clear();
			fileLimits = undefined;
			this.locales.clear();
			this.heartbeatIntervalMs = HEARTBEAT_INTERVAL_MS;
			this.answersResume = true;
			this.redirectUris = undefined;
			this.closedDirectUserIds.clear();
		},
	};
}
