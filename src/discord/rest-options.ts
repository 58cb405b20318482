/**
 * discord.js keeps a queue for each interaction token and sweeps idle ones once an hour: at a hundred commands per
 * second these queues would take gigabytes.
 */
export const REST_OPTIONS = { handlerSweepInterval: 10_000 } as const;
