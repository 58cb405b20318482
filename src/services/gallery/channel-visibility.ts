/** A member who looks at results, in a channel. */
export interface Viewer {
	readonly guildId: string;
	readonly userId: string;
	readonly roleIds: readonly string[];
	readonly isAdministrator: boolean;
	/** The channel in which they look, which they can read. */
	readonly channelId: string;
}

/** Tells who may read which channel, by Discord's permissions. */
export interface ChannelVisibility {
	/** Returns whether the viewer may see a result of a channel here. Age-restricted results show in age-restricted channels only. */
	canRead(viewer: Viewer, channelId: string): Promise<boolean>;
	/** Returns whether everyone who reads `toChannelId` may see a result of `fromChannelId`. */
	mayRepost(guildId: string, fromChannelId: string, toChannelId: string): Promise<boolean>;
}
