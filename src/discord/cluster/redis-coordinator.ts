/** Coordinates the processes of one bot through Redis or Valkey: its clock, and keys that expire. */
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { startInterval } from "@atelier/common/periodic-work";
import { connectToRedis } from "@atelier/store/redis-connection";
import type { GcraRate } from "./gcra.ts";
import { IDENTIFY_WINDOW_MS } from "./identify-throttler.ts";

const PREFIX = "atelier:discord";
/** An older interaction can no longer be answered. */
const CLAIM_MS = 60_000;
const HEARTBEAT_EVERY_MS = 5_000;
/** A process without a heartbeat for so long is gone. */
const PROCESS_GONE_AFTER_MS = 3 * HEARTBEAT_EVERY_MS;

/** KEYS: the slot of one remainder; ARGV: its duration. Returns 0 if the slot was taken, otherwise its remaining time. */
const TAKE_IDENTIFY_SLOT = `
if redis.call('SET', KEYS[1], '', 'NX', 'PX', ARGV[1]) then return 0 end
return math.max(1, redis.call('PTTL', KEYS[1]))`;

/**
 * KEYS: the time of the next slot; ARGV: interval, burst, longest wait. Returns the wait, or -1 if it is too long. Same as
 * `takeGcraSlot` in gcra.ts.
 */
const TAKE_REQUEST_SLOT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval = tonumber(ARGV[1])
local slot = tonumber(redis.call('GET', KEYS[1]) or '0')
local wait = math.max(0, slot - tonumber(ARGV[2]) - now)
if wait > tonumber(ARGV[3]) then return -1 end
local next_slot = math.max(slot, now) + interval
redis.call('SET', KEYS[1], string.format('%.3f', next_slot), 'PX', math.ceil(next_slot - now) + 1000)
return math.ceil(wait)`;

/** KEYS: the heartbeats; ARGV: process id, expiry. Returns the number of processes. */
const RECORD_HEARTBEAT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[2]))
return redis.call('ZCARD', KEYS[1])`;

interface RedisCoordinatorDeps {
	readonly clock: Clock;
	readonly logger: Logger;
}

/**
 * Joins the cluster. Throws a `StoreNotUsableError` that says what to check. The methods reject, and log, while Redis cannot be reached.
 */
export async function openRedisCoordinator(url: string, { clock, logger }: RedisCoordinatorDeps) {
	const connection = await connectToRedis(url, { logger, role: "queue" });
	const throttledLogger = createThrottledLogger({ clock, logger, message: "other processes not reached" });
	const processId = randomUUID();
	const heartbeatsKey = `${PREFIX}:processes`;
	let processes = 1;

	const run: typeof connection.run = async (call) => {
		try {
			return await connection.run(call);
		} catch (error) {
			throttledLogger.add(error);
			throw error;
		}
	};

	async function recordHeartbeat(): Promise<void> {
		const script = { keys: [heartbeatsKey], arguments: [processId, String(PROCESS_GONE_AFTER_MS)] };
		processes = Number(await run((client) => client.eval(RECORD_HEARTBEAT, script)));
	}

	await recordHeartbeat().catch(() => {});
	const stopHeartbeats = startInterval({
		clock,
		everyMs: HEARTBEAT_EVERY_MS,
		run: () => recordHeartbeat().catch(() => {}),
	});
	return {
		/** Returns the number of processes at the last heartbeat. */
		processes: () => processes,
		claimShared: async (interactionId: string) => {
			const key = `${PREFIX}:claim:${interactionId}`;
			const expiration = { type: "PX", value: CLAIM_MS } as const;
			return (await run((client) => client.set(key, processId, { expiration, condition: "NX" }))) === "OK";
		},
		takeSharedIdentifySlot: async (remainder: number) => {
			const script = { keys: [`${PREFIX}:identify:${remainder}`], arguments: [String(IDENTIFY_WINDOW_MS)] };
			return Number(await run((client) => client.eval(TAKE_IDENTIFY_SLOT, script)));
		},
		takeSharedRequestSlot: async ({ intervalMs, burstMs }: GcraRate, waitMsMax: number) => {
			const script = { keys: [`${PREFIX}:requests`], arguments: [intervalMs, burstMs, waitMsMax].map(String) };
			const waitMs = Number(await run((client) => client.eval(TAKE_REQUEST_SLOT, script)));
			return waitMs < 0 ? undefined : waitMs;
		},
		async close() {
			await stopHeartbeats();
			await run((client) => client.zRem(heartbeatsKey, processId)).catch(() => {});
			connection.close();
		},
	};
}
