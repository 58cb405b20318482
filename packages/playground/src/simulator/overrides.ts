/** Overrides of the admin API: pure state, in memory only. */
import { Locale, PermissionFlagsBits as P } from "discord-api-types/v10";
import type { BoostLevel, ChannelAccess } from "./access.ts";
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
	readonly attachmentBytesMax: number;
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
interface ServerChange {
	boostLevel?: BoostLevel;
	locale?: string;
	isBotMember?: boolean;
	readonly members: Map<string, MemberChange>;
}

export interface Overrides {
	/** By the guild's boost level unless overridden; `null` is a direct message channel. */
	readonly filesIn: (server: SeedGuild | null) => FileLimits;
	/** Applies everywhere until a guild's boost level changes. */
	readonly setFiles: (limits: FileLimits) => void;
	readonly boostLevelOf: (server: SeedGuild) => BoostLevel;
	readonly boost: (server: SeedGuild, level: BoostLevel) => void;
	/** The guild's own locale. */
	readonly localeOf: (server: SeedGuild) => string;
	readonly setLocaleOf: (server: SeedGuild, locale: string) => void;
	/** Returns whether the bot itself is in the guild, not only its commands. */
	readonly isBotMember: (server: SeedGuild) => boolean;
	readonly setBotMember: (server: SeedGuild, isMember: boolean) => void;
	/** Locales of users that differ from the seed. */
	readonly locales: Map<string, string>;
	readonly memberChange: (server: SeedGuild, userId: string) => MemberChange | undefined;
	readonly setMember: (server: SeedGuild, userId: string, change: MemberChange) => void;
	/** The heartbeat interval for new connections. */
	heartbeatIntervalMs: number;
	/** Whether the gateway answers RESUME. */
	answersResume: boolean;
	readonly setAccess: (channelId: string, access: ChannelAccess) => void;
	readonly accessTo: (channelId: string) => ChannelAccess;
	/** Users who accept no direct messages. */
	readonly closedDirectUserIds: Set<string>;
	/** Returns the bot's permissions in a channel, as in interactions. */
	readonly permissionsIn: (server: SeedGuild, channelId: string) => bigint;
	/** Returns the guilds with overrides. */
	readonly changedIds: () => readonly string[];
	readonly reset: () => void;
}

export function createOverrides(seed: Pick<Seed, "servers">): Overrides {
	const accesses = new Map<string, ChannelAccess>();
	const readOnlyIds = new Set(
		seed.servers.flatMap(({ channels }) => channels.filter((each) => each.isReadOnlyForBot).map(({ id }) => id)),
	);
	const accessTo = (channelId: string): ChannelAccess =>
		accesses.get(channelId) ?? (readOnlyIds.has(channelId) ? "readOnly" : "all");
	const changes = new Map<string, ServerChange>();
	const changeOf = (server: SeedGuild): ServerChange => {
		const change: ServerChange = changes.get(server.id) ?? { members: new Map() };
		changes.set(server.id, change);
		return change;
	};
	let filesEverywhere: FileLimits | undefined;
	const boostLevelOf = (server: SeedGuild): BoostLevel => changes.get(server.id)?.boostLevel ?? server.boostLevel ?? 0;
	const isBotMember = (server: SeedGuild): boolean => changes.get(server.id)?.isBotMember ?? true;
	return {
		filesIn(server) {
			const bytesMax = BOOST_FILE_BYTES_MAX[server === null ? 0 : boostLevelOf(server)];
			const requestBytesMax = Math.max(REQUEST_BYTES_MAX, bytesMax + MIB);
			return filesEverywhere ?? { attachmentBytesMax: bytesMax, announcedBytesMax: bytesMax, requestBytesMax };
		},
		setFiles: (limits) => void (filesEverywhere = limits),
		boostLevelOf,
		boost(server, level) {
			changeOf(server).boostLevel = level;
			filesEverywhere = undefined;
		},
		localeOf: (server) => changes.get(server.id)?.locale ?? server.locale ?? Locale.EnglishUS,
		setLocaleOf: (server, locale) => void (changeOf(server).locale = locale),
		isBotMember,
		setBotMember: (server, isMember) => void (changeOf(server).isBotMember = isMember),
		locales: new Map(),
		memberChange: (server, userId) => changes.get(server.id)?.members.get(userId),
		setMember: (server, userId, change) => void changeOf(server).members.set(userId, change),
		heartbeatIntervalMs: HEARTBEAT_INTERVAL_MS,
		answersResume: true,
		accessTo,
		setAccess: (channelId, access) => void accesses.set(channelId, access),
		closedDirectUserIds: new Set(),
		permissionsIn(server, channelId) {
			if (!isBotMember(server)) return WITHOUT_BOT;
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
			filesEverywhere = undefined;
			this.locales.clear();
			this.heartbeatIntervalMs = HEARTBEAT_INTERVAL_MS;
			this.answersResume = true;
			// A deleted channel stays deleted, like its messages.
			for (const [channelId, access] of accesses) if (access !== "gone") accesses.delete(channelId);
			this.closedDirectUserIds.clear();
		},
	};
}
