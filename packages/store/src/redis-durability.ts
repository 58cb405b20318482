import type { Logger } from "pino";
import type { RedisConnection } from "./redis-connection.ts";
import { ifSupported, readInfo, requireSuitableStore } from "./redis-requirements.ts";
import { StoreRejectedError, StoreUnavailableError } from "./store-errors.ts";

/** Redis syncs its append-only file once a second; a busy disk takes longer. */
const SYNC_TIMEOUT_MS = 4000;

/** Resolves when all earlier writes of the connection are as durable as the server allows. */
export type WaitForSync = () => Promise<void>;

const noWait: WaitForSync = async () => {};

/**
 * Prepares the server of the store: rejects an unsuitable one, and warns about one that may lose the latest writes. A queue
 * needs no durability, see `requireSuitableQueue`.
 */
export async function prepareDurability(connection: RedisConnection, logger: Logger): Promise<WaitForSync> {
	const { address } = connection;
	const info = await readInfo(connection);
	if (info === undefined) {
		logger.warn({ address }, "Redis forbids INFO: its durability is unknown");
		return noWait;
	}
	requireSuitableStore(connection, info);
	if (info.get("aof_enabled") !== "1") {
		logger.warn(
			{ address },
			"credits can be lost: Redis of STORE_URL has appendonly no, a crash of the server loses credits and tasks",
		);
		return noWait;
	}
	const appendfsync = await readAppendfsync(connection);
	if (appendfsync === "no") {
		logger.warn({ address }, "credits can be lost: Redis of STORE_URL has appendfsync no, set everysec or always");
		// A wait would never end, because the server does not sync the file.
		return noWait;
	}
	if (await supportsWaitAof(connection)) return shareWaits(() => waitForDisk(connection));
	if (appendfsync !== "always") {
		logger.warn(
			{ address },
			"Redis before 7.2 cannot report syncs: set appendfsync always, or a power failure may lose the last second",
		);
	}
	return noWait;
}

/**
 * Lets concurrent writes share a wait: one wait runs, and the next one covers all writes since it began. A wait blocks
 * its connection until the next sync of the file, so one wait per write would take a second each.
 */
export function shareWaits(wait: () => Promise<void>): WaitForSync {
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
	const command = ["WAITAOF", "1", "0", String(SYNC_TIMEOUT_MS)];
	const reply = await connection.run((client) => client.sendCommand(command)).catch(asUnknownOutcome);
	const [syncedFileCount] = reply as unknown as readonly number[];
	if (syncedFileCount !== 1) {
		throw new StoreUnavailableError(`Redis at ${connection.address} did not sync to disk within ${SYNC_TIMEOUT_MS} ms`);
	}
}

/** The write before a rejected wait was executed, so it must not count as rejected. */
function asUnknownOutcome(error: unknown): never {
	if (!(error instanceof StoreRejectedError)) throw error;
	throw new StoreUnavailableError(error.message, { cause: error });
}

async function supportsWaitAof(connection: RedisConnection): Promise<boolean> {
	const reply = await ifSupported(connection.run((client) => client.sendCommand(["WAITAOF", "0", "0", "1"])));
	return reply !== undefined;
}

/** Hosted Redis often forbids CONFIG GET. */
async function readAppendfsync(connection: RedisConnection): Promise<string | undefined> {
	return (await ifSupported(connection.run((client) => client.configGet("appendfsync"))))?.["appendfsync"];
}
