import type { RedisConnection } from "./redis-connection.ts";
import { readInfo } from "./redis-durability.ts";
import { StoreNotUsableError } from "./store-errors.ts";

/** The first version with all commands that BullMQ uses. */
const VERSION_MIN = [6, 2] as const;

/** Rejects a server that would lose locks or polls by design. The sweeper recovers what a crash loses. */
export async function refuseUnfitQueue(connection: RedisConnection): Promise<void> {
	const info = await readInfo(connection);
	if (info === undefined) return;
	const { address } = connection;
	const version = info.get("redis_version") ?? "";
	if (isOlder(version))
		throw new StoreNotUsableError(`Redis at ${address} is ${version}. QUEUE_URL needs 6.2 or newer.`);
	if (info.get("cluster_enabled") === "1") {
		throw new StoreNotUsableError(`Redis at ${address} is a cluster. QUEUE_URL needs a single server.`);
	}
	if (info.get("role") === "slave") {
		throw new StoreNotUsableError(`Redis at ${address} is a read-only replica. Name its primary in QUEUE_URL.`);
	}
	const policy = info.get("maxmemory_policy") ?? "noeviction";
	if (policy !== "noeviction") {
		throw new StoreNotUsableError(
			`Redis at ${address} deletes locks and polls when its memory is full (maxmemory-policy ${policy}). Set noeviction.`,
		);
	}
}

function isOlder(version: string): boolean {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	return major < VERSION_MIN[0] || (major === VERSION_MIN[0] && minor < VERSION_MIN[1]);
}
