/** The channel in which a member uses a command or a component. */
export interface RequestChannel {
	/** The channel; for a thread, also its parent. */
	readonly channelIds: readonly string[];
	/** `undefined` in threads, for which interactions omit it. */
	readonly isAgeRestricted: boolean | undefined;
}

/** Reads channels from Discord. Resolves to `false` for unknown channels. */
export interface ChannelDirectory {
	/** For a thread: whether its parent channel is age-restricted. */
	isAgeRestricted(channelId: string): Promise<boolean>;
	/** Threads are in no list of channels, so they do not count. */
	isInGuild(guildId: string, channelId: string): Promise<boolean>;
}

/** Asks Discord only in a thread. */
export async function readAgeRestriction(
	{ channelIds, isAgeRestricted }: RequestChannel,
	channels: Pick<ChannelDirectory, "isAgeRestricted">,
): Promise<boolean> {
	// The last one is the parent of a thread.
	return isAgeRestricted ?? (await channels.isAgeRestricted(channelIds.at(-1) ?? ""));
}
