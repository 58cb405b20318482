interface TextPost {
	readonly text: string;
	/** Two posts with the same key within a few minutes show one message. */
	readonly key: string;
}

export interface TextPoster {
	/**
	 * Resolves to the id of the message, or to `undefined` if Discord refuses it: the channel is gone, or the bot lacks the
	 * permission. Rejects after a timeout or an outage, when the message may have been posted.
	 */
	post(channelId: string, message: TextPost, signal?: AbortSignal): Promise<string | undefined>;
	remove(channelId: string, messageId: string): Promise<void>;
}
