import type { Queue } from "bullmq";
import type { RedisConnection } from "@atelier/store/redis-connection";

/** BullMQ's maximum priority. */
const ROUND_MAX = 2_097_152;

/**
 * Returns the round of an account's next task: one after its last, and never a past one. Rounds restart when the queue
 * is empty. KEYS: rounds, waiting jobs; ARGV: account, last round.
 */
const NEXT_ROUND = `
if redis.call('ZCARD', KEYS[2]) == 0 then redis.call('DEL', KEYS[1]) end
local now = tonumber(redis.call('HGET', KEYS[1], ' now') or '0')
local last = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local round = math.min(math.max(now, last) + 1, tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], ARGV[1], round)
return round`;

/** Records that a task of this round has started. */
const BEGIN_ROUND = `
local now = tonumber(redis.call('HGET', KEYS[1], ' now') or '0')
if tonumber(ARGV[1]) > now then redis.call('HSET', KEYS[1], ' now', ARGV[1]) end
return now`;

/**
 * Lets accounts take turns in a queue that only knows priorities: the first tasks of all accounts form one round, the
 * second ones the next, and the round is the priority. Losing this state only costs fairness for a moment.
 */
export interface FairPriorities {
	/** Returns the priority of an account's next task. */
	next(account: string): Promise<number>;
	roundStarted(priority: number): Promise<void>;
}

export function createFairPriorities(queue: Queue, connection: RedisConnection): FairPriorities {
	const rounds = queue.toKey("rounds");

	return {
		async next(account) {
			const evalOptions = { keys: [rounds, queue.toKey("prioritized")], arguments: [account, String(ROUND_MAX)] };
			return Number(await connection.run((client) => client.eval(NEXT_ROUND, evalOptions)));
		},
		async roundStarted(priority) {
			const evalOptions = { keys: [rounds], arguments: [String(priority)] };
			await connection.run((client) => client.eval(BEGIN_ROUND, evalOptions));
		},
	};
}
