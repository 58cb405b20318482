/** What somebody has set to be otherwise than at first: pure state, read by the rules. Forgotten at the end. */
import { Locale, PermissionFlagsBits as P } from "discord-api-types/v10";
import type { BoostLevel, ChannelAccess } from "./access.ts";
import { EVERYONE_PERMISSIONS } from "./permissions.ts";
import type { Seed } from "./seed.ts";

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

/** What is otherwise about a person; what is not there is as at first. */
interface MemberChange {
	readonly locale?: string | undefined;
	readonly permissions?: bigint | undefined;
	readonly roleIds?: readonly string[] | undefined;
}

export interface Switches {
	/** Of one file, as it is kept. */
	attachmentBytesMax: number;
	/** Of one file, as interactions say; Discord has been seen to say more than it keeps. */
	announcedBytesMax: number;
	/** Of a whole request with files in it. */
	requestBytesMax: number;
	readonly boostLevel: BoostLevel;
	/** Sets the limits of files too, as a boosted server has them. */
	readonly boost: (level: BoostLevel) => void;
	/** Whether the bot itself is in the server, and not only its commands. */
	isBotMember: boolean;
	/** What clients are told at hello, from the next connection on. */
	heartbeatIntervalMs: number;
	/** The server's own language. */
	guildLocale: string;
	readonly members: Map<string, MemberChange>;
	readonly setAccess: (channelId: string, access: ChannelAccess) => void;
	readonly accessTo: (channelId: string) => ChannelAccess;
	/** People who take no direct messages. */
	readonly closedDirectUserIds: Set<string>;
	/** The bot's permissions in a channel of the guild, as an interaction carries them. */
	readonly permissionsIn: (channelId: string) => bigint;
	readonly reset: () => void;
}

export function createSwitches(seed: Pick<Seed, "channels">): Switches {
	const accesses = new Map<string, ChannelAccess>();
	const readOnlyIds = new Set(seed.channels.filter(({ isReadOnlyForBot }) => isReadOnlyForBot).map(({ id }) => id));
	const accessTo = (channelId: string): ChannelAccess =>
		accesses.get(channelId) ?? (readOnlyIds.has(channelId) ? "readOnly" : "all");
	let boostLevel: BoostLevel = 0;
	return {
		attachmentBytesMax: BOOST_FILE_BYTES_MAX[0],
		announcedBytesMax: BOOST_FILE_BYTES_MAX[0],
		requestBytesMax: REQUEST_BYTES_MAX,
		get boostLevel() {
			return boostLevel;
		},
		boost(level) {
			boostLevel = level;
			this.attachmentBytesMax = BOOST_FILE_BYTES_MAX[level];
			this.announcedBytesMax = BOOST_FILE_BYTES_MAX[level];
			this.requestBytesMax = Math.max(REQUEST_BYTES_MAX, BOOST_FILE_BYTES_MAX[level] + MIB);
		},
		isBotMember: true,
		heartbeatIntervalMs: HEARTBEAT_INTERVAL_MS,
		guildLocale: Locale.EnglishUS,
		members: new Map(),
		accessTo,
		setAccess: (channelId, access) => void accesses.set(channelId, access),
		closedDirectUserIds: new Set(),
		permissionsIn(channelId) {
			if (!this.isBotMember) return WITHOUT_BOT;
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
		reset() {
			this.boost(0);
			this.isBotMember = true;
			this.heartbeatIntervalMs = HEARTBEAT_INTERVAL_MS;
			this.guildLocale = Locale.EnglishUS;
			this.members.clear();
			// A channel that was deleted stays deleted, as its messages do.
			for (const [channelId, access] of accesses) if (access !== "gone") accesses.delete(channelId);
			this.closedDirectUserIds.clear();
		},
	};
}
