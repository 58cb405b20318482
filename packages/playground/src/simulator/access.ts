/** What the bot may do in a channel: all, no files, read and edit its own, nothing; or the channel is no more. */
export type ChannelAccess = "all" | "noFiles" | "readOnly" | "none" | "gone";

/** How far members have boosted the server. */
export type BoostLevel = 0 | 1 | 2 | 3;
