interface ChannelMessage {
	readonly text: string;
	/** Two posts with the same key within a few minutes show one message. */
	readonly key: string;
}

/** Posts a message as the bot. Resolves to `false` without permission; rejects if the outcome is unknown, which a timeout bounds. */
export interface ChannelPoster {
	post(channelId: string, message: ChannelMessage, signal?: AbortSignal): Promise<boolean>;
}
