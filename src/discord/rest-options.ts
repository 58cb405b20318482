/**
 * discord.js keeps a queue for each interaction's token that was answered or edited by, and looks once an hour for those nobody needs
 * any more: at a hundred commands a second these would be gigabytes.
 */
export const REST_OPTIONS = { handlerSweepInterval: 10_000 } as const;
