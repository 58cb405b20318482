import type { Queue } from "bullmq";
import type { RedisConnection } from "@atelier/store/redis-connection";

/** The highest that BullMQ takes. */
const ROUND_MAX = 2_097_152;

/**
 * The round in which an account's next task has its turn: one behind its last one, and never one that is over. When nobody
 * waits, rounds begin anew. KEYS: rounds, the jobs in line; ARGV: account, the last round.
 */
const NEXT_ROUND = `
if redis.call('ZCARD', KEYS[2]) == 0 then redis.call('DEL', KEYS[1]) end
local now = tonumber(redis.call('HGET', KEYS[1], ' now') or '0')
local last = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local round = math.min(math.max(now, last) + 1, tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], ARGV[1], round)
return round`;

/** Somebody of this round has its turn. */
const BEGIN_ROUND = `
local now = tonumber(redis.call('HGET', KEYS[1], ' now') or '0')
if tonumber(ARGV[1]) > now then redis.call('HSET', KEYS[1], ' now', ARGV[1]) end
return now`;

/**
 * Accounts take turns in a line that knows priorities alone: the first tasks of all accounts are one round, the second ones
 * the next, and a round's number is the priority. Only the order is here; what is lost of it is fairness for a moment.
 */
export interface FairTurns {
	/** The priority of an account's next task. */
	next(account: string): Promise<number>;
	begun(priority: number): Promise<void>;
}

export function createFairTurns(queue: Queue, connection: RedisConnection): FairTurns {
	const rounds = queue.toKey("rounds");

	return {
		async next(account) {
			const ask = { keys: [rounds, queue.toKey("prioritized")], arguments: [account, String(ROUND_MAX)] };
			return Number(await connection.run((client) => client.eval(NEXT_ROUND, ask)));
		},
		async begun(priority) {
			const ask = { keys: [rounds], arguments: [String(priority)] };
			await connection.run((client) => client.eval(BEGIN_ROUND, ask));
		},
	};
}
