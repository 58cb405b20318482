import type { Viewer } from "../access/member.ts";

/** Decides by Discord's permissions which channels a member may read. */
export interface ChannelVisibility {
	/**
	 * Resolves to whether the viewer may see a result of `channelId` where they are. Results of age-restricted channels are shown
	 * in age-restricted channels only.
	 */
	canRead(viewer: Viewer, channelId: string): Promise<boolean>;
	/** Resolves to whether all readers of `toChannelId` may see a result of `fromChannelId`. */
	mayRepost(guildId: string, fromChannelId: string, toChannelId: string): Promise<boolean>;
}
