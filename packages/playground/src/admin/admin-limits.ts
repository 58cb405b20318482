/** Limits of the admin API. Apart from its schemas, so that the page does not load them. */

/** The number of servers that load tests may create. */
export const GUILDS_MAX = 100_000;
