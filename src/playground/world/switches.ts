/** What somebody has set to be otherwise than at first: pure state, read by the rules. Forgotten at the end. */
import { PermissionFlagsBits as P } from "discord-api-types/v10";
import { EVERYONE_PERMISSIONS } from "./permissions.ts";

/** Discord's own default since January 2025, for each file. */
const ATTACHMENT_BYTES_MAX = 10 * 1024 * 1024;
/** For the whole of an upload, as Discord states it for messages. */
export const REQUEST_BYTES_MAX = 25 * 1024 * 1024;
/** What an interaction carries where only the commands are in the server, and not the bot. */
const WITHOUT_BOT = P.AttachFiles | P.EmbedLinks | P.MentionEveryone | P.UseExternalEmojis;

/** What the bot may do in a channel: all, read and edit its own, nothing; or the channel is no more. */
export type ChannelAccess = "all" | "readOnly" | "none" | "gone";

export interface Switches {
	/** Of one file, as it is kept. */
	attachmentBytesMax: number;
	/** Of one file, as interactions say; Discord has been seen to say more than it keeps. */
	announcedBytesMax: number;
	/** Of a whole request with files in it. */
	requestBytesMax: number;
	/** Whether the bot itself is in the server, and not only its commands. */
	isBotMember: boolean;
	readonly setAccess: (channelId: string, access: ChannelAccess) => void;
	readonly accessTo: (channelId: string) => ChannelAccess;
	/** People who take no direct messages. */
	readonly closedDirectUserIds: Set<string>;
	/** The bot's permissions in a channel of the guild, as an interaction carries them. */
	readonly permissionsIn: (channelId: string) => bigint;
	readonly reset: () => void;
}

export function createSwitches(): Switches {
	const accesses = new Map<string, ChannelAccess>();
	const accessTo = (channelId: string): ChannelAccess => accesses.get(channelId) ?? "all";
	return {
		attachmentBytesMax: ATTACHMENT_BYTES_MAX,
		announcedBytesMax: ATTACHMENT_BYTES_MAX,
		requestBytesMax: REQUEST_BYTES_MAX,
		isBotMember: true,
		accessTo,
		setAccess: (channelId, access) => void accesses.set(channelId, access),
		closedDirectUserIds: new Set(),
		permissionsIn(channelId) {
			if (!this.isBotMember) return WITHOUT_BOT;
			switch (accessTo(channelId)) {
				case "all":
					return EVERYONE_PERMISSIONS;
				case "readOnly":
					return EVERYONE_PERMISSIONS & ~P.SendMessages;
				case "none":
				case "gone":
					return EVERYONE_PERMISSIONS & ~P.ViewChannel;
			}
		},
		reset() {
			this.attachmentBytesMax = ATTACHMENT_BYTES_MAX;
			this.announcedBytesMax = ATTACHMENT_BYTES_MAX;
			this.requestBytesMax = REQUEST_BYTES_MAX;
			this.isBotMember = true;
			// A channel that was deleted stays deleted, as its messages do.
			for (const [channelId, access] of accesses) if (access !== "gone") accesses.delete(channelId);
			this.closedDirectUserIds.clear();
		},
	};
}
