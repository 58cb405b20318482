/** The share of this process in a bot that several processes serve, and what these processes must share. */
import type { Config } from "./load-config.ts";

/** Returns why other processes may serve the same bot, or `undefined` for a single process. */
export function multiProcessReason({ SHARDS, SHARD_COUNT, QUEUE_URL }: Config): string | undefined {
	if (SHARDS !== "auto" && SHARD_COUNT !== "auto" && SHARDS.length < SHARD_COUNT) {
		return "SHARDS names some of the shards";
	}
	return QUEUE_URL === undefined ? undefined : "QUEUE_URL shares the polls between processes";
}

/** Returns the shards that no other process may serve: without a queue, two processes would handle each of their interactions. */
export function exclusiveShards({ SHARDS, QUEUE_URL }: Config): readonly number[] {
	return SHARDS === "auto" || QUEUE_URL !== undefined ? [] : SHARDS;
}

/** Returns the share of all shards that this process serves, above 0 and up to 1. */
export function shareOfShards(config: Config): number {
	if (config.SHARDS === "auto" || config.SHARD_COUNT === "auto") return 1;
	return config.SHARDS.length / config.SHARD_COUNT;
}

/** Returns what the processes must share and do not, one line per variable. Without other processes, nothing. */
export function multiProcessProblems(config: Config): readonly string[] {
	const reason = multiProcessReason(config);
	if (reason === undefined) return [];
	const { STORE_URL, QUEUE_URL, MEDIA_API_URL } = config;
	return [
		...(STORE_URL === "memory:" ? [storeNotShared(reason)] : []),
		...(QUEUE_URL === undefined && MEDIA_API_URL === undefined
			? [
					`QUEUE_URL: expected redis://…, which the studios of several processes share, because ${reason} (or set MEDIA_API_URL, to use one external media service instead)`,
				]
			: []),
	];
}

/** Describes the problem of several processes with a store that only one process can read. */
export function storeNotShared(reason: string): string {
	return `STORE_URL: expected a store that several processes share (redis://…, postgres://…, or sqlite:PATH on one machine), because ${reason}`;
}
