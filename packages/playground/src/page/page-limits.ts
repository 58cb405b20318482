/** Limits of the page API. Apart from its schemas, so that the page does not load them. */

/** The newest messages of each channel that a state has. */
export const CHANNEL_MESSAGES_MAX = 100;
