import type { RedisConnection } from "./redis-connection.ts";
import { StoreNotUsableError, StoreRejectedError } from "./store-errors.ts";

type Info = ReadonlyMap<string, string>;

/** The first version with all commands that the queues use. */
const QUEUE_VERSION_MIN = [6, 2] as const;

/** Resolves to `undefined` if the server does not know or permit the command. */
export async function ifSupported<Reply>(reply: Promise<Reply>): Promise<Reply | undefined> {
	try {
		return await reply;
	} catch (error) {
		if (error instanceof StoreRejectedError) return undefined;
		throw error;
	}
}

/** Reads the fields of INFO; `undefined` if the server forbids it. */
export async function readInfo(connection: RedisConnection): Promise<Info | undefined> {
	const text = await ifSupported(connection.run((client) => client.info()));
	return text === undefined
		? undefined
		: new Map(text.split("\r\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]));
}

/** Rejects a server that would delete documents, or that cannot write them. */
export function requireSuitableStore(connection: RedisConnection, info: Info): void {
	const policy = evictionPolicyOf(info);
	if (policy.startsWith("allkeys")) {
		throw new StoreNotUsableError(
			`Redis at ${connection.address} deletes documents when its memory is full (maxmemory-policy ${policy}). Set noeviction.`,
		);
	}
	requireSinglePrimary(connection, info);
}

/**
 * Rejects a server that would delete leases or polls, is too old, or cannot write. Does not require an append-only file: a queue
 * holds neither credits nor tasks, and the sweeper recovers the leases and polls that a crash of the server loses.
 */
export async function requireSuitableQueue(connection: RedisConnection): Promise<void> {
	const info = await readInfo(connection);
	if (info === undefined) return;
	const { address } = connection;
	const version = info.get("redis_version") ?? "";
	if (isOlder(version)) {
		throw new StoreNotUsableError(`Redis at ${address} is ${version}. QUEUE_URL needs 6.2 or newer.`);
	}
	requireSinglePrimary(connection, info);
	const policy = evictionPolicyOf(info);
	if (policy !== "noeviction") {
		throw new StoreNotUsableError(
			`Redis at ${address} deletes leases and polls when its memory is full (maxmemory-policy ${policy}). Set noeviction.`,
		);
	}
}

/** A cluster cannot run scripts over several keys, and a replica rejects writes. */
function requireSinglePrimary({ address, variable }: RedisConnection, info: Info): void {
	if (info.get("cluster_enabled") === "1") {
		throw new StoreNotUsableError(`Redis at ${address} is a cluster. ${variable} needs a single server.`);
	}
	if (info.get("role") === "slave") {
		throw new StoreNotUsableError(`Redis at ${address} is a read-only replica. Name its primary in ${variable}.`);
	}
}

function evictionPolicyOf(info: Info): string {
	return info.get("maxmemory_policy") ?? "noeviction";
}

function isOlder(version: string): boolean {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	return major < QUEUE_VERSION_MIN[0] || (major === QUEUE_VERSION_MIN[0] && minor < QUEUE_VERSION_MIN[1]);
}
