/** The share of this process in a bot that several processes serve, and what these processes must share. */
import { environmentError, type ConfigError } from "./config-error.ts";
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

/** Creates the error for several processes with a store that only one process can read. */
export function storeNotSharedError(reason: string): ConfigError {
	return environmentError([
		`STORE_URL: expected a store that several processes share (redis://…, postgres://…, or sqlite:PATH on one machine), because ${reason}`,
	]);
}

/** Creates the error for several processes whose studios share no queue. */
export function queueNotSharedError(reason: string): ConfigError {
	return environmentError([
		`QUEUE_URL: expected redis://…, which the studios of several processes share, because ${reason} (or set MEDIA_API_URL, to use one external media service instead)`,
	]);
}
