/** Overrides of the admin API: pure state, in memory only. */
import { Locale, PermissionFlagsBits as P } from "discord-api-types/v10";
import type { BoostLevel, ChannelAccess } from "../admin/admin-contract.ts";
import { EVERYONE_PERMISSIONS } from "./permissions.ts";
import type { Seed, SeedGuild } from "./seed.ts";

const MIB = 1024 * 1024;
/** Discord's limit for a whole request with files. */
export const REQUEST_BYTES_MAX = 25 * MIB;
/** The limit beyond any boost level. */
export const REQUEST_BYTES_CEILING = 128 * MIB;
const HEARTBEAT_INTERVAL_MS = 41_250;
/** The bot's permissions in an interaction when only its commands are in the guild. */
const WITHOUT_BOT = P.AttachFiles | P.EmbedLinks | P.MentionEveryone | P.UseExternalEmojis;

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

/** Overrides of a member; missing fields have their defaults. */
interface MemberChange {
	readonly permissions?: bigint | undefined;
	readonly roleIds?: readonly string[] | undefined;
}

/** Overrides of a guild; missing fields have their defaults. */
interface GuildChange {
	boostLevel?: BoostLevel;
	locale?: string;
	isBotMember?: boolean;
	readonly members: Map<string, MemberChange>;
}

export interface Overrides {
	/** By the guild's boost level unless overridden; `null` is a direct message channel. */
	readonly fileLimitsIn: (guild: SeedGuild | null) => FileLimits;
	/** Applies everywhere until a guild's boost level changes. */
	readonly setFileLimits: (limits: FileLimits) => void;
	readonly boostLevelOf: (guild: SeedGuild) => BoostLevel;
	readonly setBoostLevel: (guild: SeedGuild, level: BoostLevel) => void;
	/** The guild's own locale. */
	readonly localeOf: (guild: SeedGuild) => string;
	readonly setLocaleOf: (guild: SeedGuild, locale: string) => void;
	/** Returns whether the bot itself is in the guild, not only its commands. */
	readonly isBotMember: (guild: SeedGuild) => boolean;
	readonly setBotMember: (guild: SeedGuild, isMember: boolean) => void;
	/** Locales of users that differ from the seed. */
	readonly locales: Map<string, string>;
	readonly memberChange: (guild: SeedGuild, userId: string) => MemberChange | undefined;
	readonly setMember: (guild: SeedGuild, userId: string, change: MemberChange) => void;
	/** The heartbeat interval for new connections. */
	heartbeatIntervalMs: number;
	/** Whether the gateway answers RESUME. */
	answersResume: boolean;
	readonly setAccess: (channelId: string, access: ChannelAccess) => void;
	readonly accessTo: (channelId: string) => ChannelAccess;
	/** Users who accept no direct messages. */
	readonly closedDirectUserIds: Set<string>;
	/** Returns the bot's permissions in a channel, as in interactions. */
	readonly permissionsIn: (guild: SeedGuild, channelId: string) => bigint;
	/** Returns the guilds with overrides. */
	readonly changedIds: () => readonly string[];
	readonly reset: () => void;
}

export function createOverrides(seed: Pick<Seed, "guilds">): Overrides {
	const accesses = new Map<string, ChannelAccess>();
	const readOnlyIds = new Set(
		seed.guilds.flatMap(({ channels }) => channels.filter((each) => each.isReadOnlyForBot).map(({ id }) => id)),
	);
	const accessTo = (channelId: string): ChannelAccess =>
		accesses.get(channelId) ?? (readOnlyIds.has(channelId) ? "readOnly" : "all");
	const changes = new Map<string, GuildChange>();
	const changeOf = (guild: SeedGuild): GuildChange => {
		const change: GuildChange = changes.get(guild.id) ?? { members: new Map() };
		changes.set(guild.id, change);
		return change;
	};
	let fileLimits: FileLimits | undefined;
	const boostLevelOf = (guild: SeedGuild): BoostLevel => changes.get(guild.id)?.boostLevel ?? guild.boostLevel ?? 0;
	const isBotMember = (guild: SeedGuild): boolean => changes.get(guild.id)?.isBotMember ?? true;
	return {
		fileLimitsIn(guild) {
			const bytesMax = BOOST_FILE_BYTES_MAX[guild === null ? 0 : boostLevelOf(guild)];
			const requestBytesMax = Math.max(REQUEST_BYTES_MAX, bytesMax + MIB);
			return fileLimits ?? { bytesMax, announcedBytesMax: bytesMax, requestBytesMax };
		},
		setFileLimits: (limits) => void (fileLimits = limits),
		boostLevelOf,
		setBoostLevel(guild, level) {
			changeOf(guild).boostLevel = level;
			fileLimits = undefined;
		},
		localeOf: (guild) => changes.get(guild.id)?.locale ?? guild.locale ?? Locale.EnglishUS,
		setLocaleOf: (guild, locale) => void (changeOf(guild).locale = locale),
		isBotMember,
		setBotMember: (guild, isMember) => void (changeOf(guild).isBotMember = isMember),
		locales: new Map(),
		memberChange: (guild, userId) => changes.get(guild.id)?.members.get(userId),
		setMember: (guild, userId, change) => void changeOf(guild).members.set(userId, change),
		heartbeatIntervalMs: HEARTBEAT_INTERVAL_MS,
		answersResume: true,
		accessTo,
		setAccess: (channelId, access) => void accesses.set(channelId, access),
		closedDirectUserIds: new Set(),
		permissionsIn(guild, channelId) {
			if (!isBotMember(guild)) return WITHOUT_BOT;
			switch (accessTo(channelId)) {
				case "all":
					return EVERYONE_PERMISSIONS;
				case "noFiles":
					return EVERYONE_PERMISSIONS & ~P.AttachFiles;
				case "readOnly":
					return EVERYONE_PERMISSIONS & ~P.SendMessages;
				case "none":
				case "gone":
					return EVERYONE_PERMISSIONS & ~P.ViewChannel;
			}
		},
		changedIds: () => [...changes.keys()],
		reset() {
			changes.clear();
			fileLimits = undefined;
			this.locales.clear();
			this.heartbeatIntervalMs = HEARTBEAT_INTERVAL_MS;
			this.answersResume = true;
			// A deleted channel stays deleted, like its messages.
			for (const [channelId, access] of accesses) if (access !== "gone") accesses.delete(channelId);
			this.closedDirectUserIds.clear();
		},
	};
}
