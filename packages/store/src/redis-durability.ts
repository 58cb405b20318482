import type { Logger } from "pino";
import type { RedisConnection } from "./redis-connection.ts";
import { StoreNotUsableError, StoreRefusedError, StoreUnavailableError } from "./store-errors.ts";

/** An append-only file is synced once a second, and a busy disk takes longer. */
const DISK_TIMEOUT_MS = 4000;

/** Resolves when all earlier writes of the connection are as durable as the server allows. */
export type Settle = () => Promise<void>;

/**
 * Checks the kind of server. Rejects one that would lose or scatter documents by design, warns about one that may lose
 * the latest, and resolves to the function that waits for durability.
 */
export async function learnDurability(connection: RedisConnection, logger: Logger): Promise<Settle> {
	const { address } = connection;
	const info = await readInfo(connection);
	if (info === undefined) {
		logger.warn({ address }, "Redis forbids INFO: its durability is unknown");
		return async () => {};
	}
	refuseUnfit(info, address);
	if (info.get("aof_enabled") !== "1") {
		logger.warn(
			{ address },
			"credits can be lost: Redis has appendonly no, a crash of the server loses credits and tasks",
		);
		return async () => {};
	}
	if (await canWaitForDisk(connection)) return createBarrier(() => waitForDisk(connection));
	if (!(await syncsAlways(connection))) {
		logger.warn(
			{ address },
			"Redis before 7.2 cannot report syncs: set appendfsync always, or a power failure may lose the last second",
		);
	}
	return async () => {};
}

/**
 * Runs one wait at a time for all earlier writes. A wait blocks its connection until the next sync of the file: one
 * wait per write would take a second each.
 */
export function createBarrier(wait: () => Promise<void>): Settle {
	let running = Promise.resolve();
	let next: Promise<void> | undefined;

	return () => {
		next ??= running
			.catch(() => {})
			.then(() => {
				next = undefined;
				running = wait();
				return running;
			});
		return next;
	};
}

async function waitForDisk(connection: RedisConnection): Promise<void> {
	const command = ["WAITAOF", "1", "0", String(DISK_TIMEOUT_MS)];
	const reply = await connection.run((client) => client.sendCommand(command));
	const [filesSynced] = reply as unknown as readonly number[];
	if (filesSynced !== 1) {
		throw new StoreUnavailableError(`Redis at ${connection.address} did not sync to disk within ${DISK_TIMEOUT_MS} ms`);
	}
}

async function canWaitForDisk(connection: RedisConnection): Promise<boolean> {
	return await answers(connection.run((client) => client.sendCommand(["WAITAOF", "0", "0", "1"])));
}

async function syncsAlways(connection: RedisConnection): Promise<boolean> {
	let policy = "";
	const asked = connection.run(async (client) => {
		policy = (await client.configGet("appendfsync"))["appendfsync"] ?? "";
	});
	return (await answers(asked)) && policy === "always";
}

/** `false` if the server does not know or permit the command. */
async function answers(asked: Promise<unknown>): Promise<boolean> {
	try {
		await asked;
		return true;
	} catch (error) {
		if (error instanceof StoreRefusedError) return false;
		throw error;
	}
}

/** Returns INFO; `undefined` if the server forbids it. */
export async function readInfo(connection: RedisConnection): Promise<ReadonlyMap<string, string> | undefined> {
	let text = "";
	const asked = connection.run(async (client) => {
		text = await client.info();
	});
	if (!(await answers(asked))) return undefined;
	return new Map(
		text.split("\r\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
	);
}

function refuseUnfit(info: ReadonlyMap<string, string>, address: string): void {
	const policy = info.get("maxmemory_policy") ?? "noeviction";
	if (policy.startsWith("allkeys")) {
		throw new StoreNotUsableError(
			`Redis at ${address} deletes documents when its memory is full (maxmemory-policy ${policy}). Set noeviction.`,
		);
	}
	if (info.get("cluster_enabled") === "1") {
		throw new StoreNotUsableError(
			`Redis at ${address} is a cluster, which cannot change a document and its index atomically.`,
		);
	}
	if (info.get("role") === "slave") {
		throw new StoreNotUsableError(`Redis at ${address} is a read-only replica. Name its primary in STORE_URL.`);
	}
}
