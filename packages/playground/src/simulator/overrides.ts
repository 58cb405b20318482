/** What somebody has set to be otherwise than at first: pure state, read by the rules. Forgotten at the end. */
import { Locale, PermissionFlagsBits as P } from "discord-api-types/v10";
import type { BoostLevel, ChannelAccess } from "./access.ts";
import { EVERYONE_PERMISSIONS } from "./permissions.ts";
import type { Seed, SeedServer } from "./seed.ts";

const MIB = 1024 * 1024;
/** For the whole of an upload, as Discord states it for messages. */
export const REQUEST_BYTES_MAX = 25 * MIB;
/** Beyond any boost; what nobody may send, whatever was set. */
export const REQUEST_BYTES_CEILING = 128 * MIB;
const HEARTBEAT_INTERVAL_MS = 41_250;
/** What an interaction carries where only the commands are in the server, and not the bot. */
const WITHOUT_BOT = P.AttachFiles | P.EmbedLinks | P.MentionEveryone | P.UseExternalEmojis;

/** What one file may have in a server by its boosts: Discord's own default since January 2025, then by level. */
const BOOST_FILE_BYTES_MAX = [10 * MIB, 10 * MIB, 50 * MIB, 100 * MIB] as const;

export interface FileLimits {
	/** Of one file, as it is kept. */
	readonly attachmentBytesMax: number;
	/** Of one file, as interactions say; Discord has been seen to say more than it keeps. */
	readonly announcedBytesMax: number;
	/** Of a whole request with files in it. */
	readonly requestBytesMax: number;
}

/** What is otherwise about a person in a server; what is not there is as at first. */
interface MemberChange {
	readonly permissions?: bigint | undefined;
	readonly roleIds?: readonly string[] | undefined;
}

/** What is otherwise about a server; what is not there is as at first. */
interface ServerChange {
	boostLevel?: BoostLevel;
	locale?: string;
	isBotMember?: boolean;
	readonly members: Map<string, MemberChange>;
}

export interface Switches {
	/** By the server's boosts, unless somebody has said otherwise since; `null` is a direct conversation. */
	readonly filesIn: (server: SeedServer | null) => FileLimits;
	/** Everywhere, until a server is boosted. */
	readonly setFiles: (limits: FileLimits) => void;
	readonly boostLevelOf: (server: SeedServer) => BoostLevel;
	readonly boost: (server: SeedServer, level: BoostLevel) => void;
	/** The server's own language. */
	readonly localeOf: (server: SeedServer) => string;
	readonly setLocaleOf: (server: SeedServer, locale: string) => void;
	/** Whether the bot itself is in the server, and not only its commands. */
	readonly isBotMember: (server: SeedServer) => boolean;
	readonly setBotMember: (server: SeedServer, isMember: boolean) => void;
	/** The languages of people who have another than at first. */
	readonly locales: Map<string, string>;
	readonly memberChange: (server: SeedServer, userId: string) => MemberChange | undefined;
	readonly setMember: (server: SeedServer, userId: string, change: MemberChange) => void;
	/** What clients are told at hello, from the next connection on. */
	heartbeatIntervalMs: number;
	/** Whether the gateway answers a client that resumes its session. */
	answersResume: boolean;
	readonly setAccess: (channelId: string, access: ChannelAccess) => void;
	readonly accessTo: (channelId: string) => ChannelAccess;
	/** People who take no direct messages. */
	readonly closedDirectUserIds: Set<string>;
	/** The bot's permissions in a channel of a server, as an interaction carries them. */
	readonly permissionsIn: (server: SeedServer, channelId: string) => bigint;
	/** The servers about which anything was changed. */
	readonly changedIds: () => readonly string[];
	readonly reset: () => void;
}

export function createSwitches(seed: Pick<Seed, "servers">): Switches {
	const accesses = new Map<string, ChannelAccess>();
	const readOnlyIds = new Set(
		seed.servers.flatMap(({ channels }) => channels.filter((each) => each.isReadOnlyForBot).map(({ id }) => id)),
	);
	const accessTo = (channelId: string): ChannelAccess =>
		accesses.get(channelId) ?? (readOnlyIds.has(channelId) ? "readOnly" : "all");
	const changes = new Map<string, ServerChange>();
	const changeOf = (server: SeedServer): ServerChange => {
		const change: ServerChange = changes.get(server.id) ?? { members: new Map() };
		changes.set(server.id, change);
		return change;
	};
	let filesEverywhere: FileLimits | undefined;
	const boostLevelOf = (server: SeedServer): BoostLevel => changes.get(server.id)?.boostLevel ?? server.boostLevel ?? 0;
	const isBotMember = (server: SeedServer): boolean => changes.get(server.id)?.isBotMember ?? true;
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
			// A channel that was deleted stays deleted, as its messages do.
			for (const [channelId, access] of accesses) if (access !== "gone") accesses.delete(channelId);
			this.closedDirectUserIds.clear();
		},
	};
}
