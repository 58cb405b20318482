/** A member who views results in a channel. */
export interface Viewer {
	readonly guildId: string;
	readonly userId: string;
	readonly roleIds: readonly string[];
	readonly isAdministrator: boolean;
	/** The channel in which the member uses the command, and which the member can read; `null` for a reader of a page. */
	readonly channelId: string | null;
}

/** Decides by Discord's permissions which channels a member may read. */
export interface ChannelVisibility {
	/** Returns whether the viewer may see a result of `channelId` in their own channel. Results of age-restricted channels require an age-restricted channel. */
	canRead(viewer: Viewer, channelId: string): Promise<boolean>;
	/** Returns whether all readers of `toChannelId` may see a result of `fromChannelId`. */
	mayRepost(guildId: string, fromChannelId: string, toChannelId: string): Promise<boolean>;
}
