/**
 * The bot's access to a channel: everything, no files, read and edit its own messages, nothing; or the channel is
 * deleted.
 */
export type ChannelAccess = "all" | "noFiles" | "readOnly" | "none" | "gone";

/** The boost level of the guild. */
export type BoostLevel = 0 | 1 | 2 | 3;
