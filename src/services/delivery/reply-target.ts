/** The reply to a command, with everything needed to find it after a restart. */
export interface ReplyTarget {
	readonly applicationId: string;
	/** Secret: allows edits of the reply. Stored in the task, never logged. */
	readonly token: string;
	readonly tokenExpiresAtMs: number;
	readonly channelId: string;
	readonly messageId: string;
	readonly isEphemeral: boolean;
	/** True if the bot itself, not only its commands, is in the server and sees the channel. */
	readonly isBotInGuild: boolean;
	/** Discord's limit per file in this channel. */
	readonly attachmentBytesMax: number;
}

/** A reply that its token identifies and authorizes. Unlike a `ReplyTarget`, it has no channel or message id. */
export type TokenReply = Pick<ReplyTarget, "applicationId" | "token" | "tokenExpiresAtMs">;
