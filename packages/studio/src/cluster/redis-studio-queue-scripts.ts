/**
 * The Lua scripts of the queue. The clock of the server decides, because those of the processes may differ.
 *
 * KEYS of every script: `tasks`, `delayed`, `leased`. ARGV[1] is the duration of a lease, then:
 *
 *     script   returns              ARGV
 *     ADD      ids of leased tasks  token, engine, slots, id, account, delay
 *     RELEASE  ids of leased tasks  token, engine, slots, id, token of the ended run, 'interrupted' or '', [account, delay, engine]
 *     TAKE     ids of leased tasks  token, engine, slots
 *     RENEW    lost leases          leases
 *     REMOVE   nothing              id
 *
 * `token` is that of new leases; `slots` is how many more tasks the process can run.
 *
 * Accounts take turns in the waiting tasks of an engine: the first tasks of all accounts form one round, the second ones the next.
 * The score of a task is its round, then its number by arrival. Interrupted tasks wait before all others.
 */
import type { RedisConnection } from "@atelier/store/redis-connection";

const PREFIX = "atelier:studio";
/** A hash of all open tasks: "ACCOUNT ENGINE" by id. */
export const TASKS_KEY = `${PREFIX}:tasks`;
/** By the time of their next attempt: the ids of tasks that wait for it. */
const DELAYED_KEY = `${PREFIX}:delayed`;
/** By its end: each lease, as "ID TOKEN". The token tells the lease from earlier and later ones of the same task. */
const LEASED_KEY = `${PREFIX}:leased`;
/** Publishes the engine of a task that waits. */
export const WAITING_CHANNEL = `${PREFIX}:waits`;

/** Returns the key of the tasks that wait for an engine, by their turn. */
export function waitingKey(engine: string): string {
	return `${PREFIX}:waiting:${engine}`;
}

const FUNCTIONS = `
local tasks, delayed, leased = unpack(KEYS)
local lease_ms, token = unpack(ARGV)
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local ROUND = 2 ^ 32

local function waiting(engine) return '${waitingKey("")}' .. engine end
local function rounds(engine) return '${PREFIX}:rounds:' .. engine end
local function lease(id) redis.call('ZADD', leased, now_ms + lease_ms, id .. ' ' .. token) end
local function account_and_engine(id) return string.match(redis.call('HGET', tasks, id) or '', '^(%S+) (.*)$') end

local function first_score(engine)
	local first = redis.call('ZRANGE', waiting(engine), 0, 0, 'WITHSCORES')
	-- Rounds restart when no task waits.
	if not first[2] then redis.call('DEL', rounds(engine)) end
	return tonumber(first[2] or ROUND)
end

local function wait(score, id, engine)
	redis.call('ZADD', waiting(engine), score, id)
	redis.call('PUBLISH', '${WAITING_CHANNEL}', engine)
end

local function wait_first(id, engine) wait(first_score(engine) - 1, id, engine) end

local function wait_for_turn(id, account, engine)
	local first_round = math.floor(first_score(engine) / ROUND)
	local next_round = (redis.call('HGET', rounds(engine), account) or 0) + 1
	local round = math.max(first_round, next_round)
	redis.call('HSET', rounds(engine), account, round)
	wait(round * ROUND + redis.call('HINCRBY', rounds(engine), ' arrivals', 1), id, engine)
end

local function add(id, account, engine, delay_ms)
	if redis.call('HSETNX', tasks, id, account .. ' ' .. engine) == 0 then return end
	if tonumber(delay_ms) > 0 then redis.call('ZADD', delayed, now_ms + delay_ms, id)
	else wait_for_turn(id, account, engine) end
end

local function take(engine, slots)
	local ids = {}
	local popped = tonumber(slots) > 0 and redis.call('ZPOPMIN', waiting(engine), slots) or {}
	for n = 1, #popped, 2 do
		lease(popped[n])
		ids[#ids + 1] = popped[n]
	end
	-- The last waiting task may have been taken: keep no rounds.
	if redis.call('EXISTS', waiting(engine)) == 0 then redis.call('DEL', rounds(engine)) end
	return ids
end
`;

/** Starts the task at once if there is a slot and no other task waits. */
export const ADD = `
local engine, slots, id, account, delay_ms = unpack(ARGV, 3)
if tonumber(slots) > 0 and tonumber(delay_ms) == 0 and redis.call('EXISTS', waiting(engine)) == 0 then
	if redis.call('HSETNX', tasks, id, account .. ' ' .. engine) == 0 then return {} end
	lease(id)
	return {id}
end
add(id, account, engine, delay_ms)
return take(engine, slots)`;

/** Ends a run, and queues the next one, if any. If the lease was lost, the task is added only if it is in no queue. */
export const RELEASE = `
local engine, slots, id, ended_token, interrupted, account, delay_ms, next_engine = unpack(ARGV, 3)
local is_held = redis.call('ZREM', leased, id .. ' ' .. ended_token) == 1
if is_held and interrupted ~= '' then wait_first(id, engine)
else
	if is_held then redis.call('HDEL', tasks, id) end
	if account then add(id, account, next_engine, delay_ms) end
end
return take(engine, slots)`;

/** Makes tasks of ended leases and due delayed tasks wait, of all engines, before it takes those of one. */
export const TAKE = `
for _, ended in ipairs(redis.call('ZRANGE', leased, '-inf', now_ms, 'BYSCORE', 'LIMIT', 0, 100)) do
	redis.call('ZREM', leased, ended)
	local id = string.match(ended, '^%S+')
	local _, engine = account_and_engine(id)
	if engine then wait_first(id, engine) end
end
for _, id in ipairs(redis.call('ZRANGE', delayed, '-inf', now_ms, 'BYSCORE', 'LIMIT', 0, 100)) do
	redis.call('ZREM', delayed, id)
	local account, engine = account_and_engine(id)
	if engine then wait_for_turn(id, account, engine) end
end
return take(ARGV[3], ARGV[4])`;

/** Renews the leases that have not been taken over, and returns the others. */
export const RENEW = `
local leases, lost = {unpack(ARGV, 2)}, {}
for n, score in ipairs(redis.call('ZMSCORE', leased, unpack(leases))) do
	if score then redis.call('ZADD', leased, now_ms + lease_ms, leases[n]) else lost[#lost + 1] = leases[n] end
end
return lost`;

/** A running task stays. */
export const REMOVE = `
local id = ARGV[2]
local account, engine = account_and_engine(id)
if not engine then return end
local was_waiting = redis.call('ZREM', waiting(engine), id) == 1
-- Gives the turn back.
if was_waiting then redis.call('HINCRBY', rounds(engine), account, -1) end
if was_waiting or redis.call('ZREM', delayed, id) == 1 then redis.call('HDEL', tasks, id) end`;

/** Runs a script with the arguments after ARGV[1]. */
export async function runScript(
	{ connection, leaseMs }: { readonly connection: RedisConnection; readonly leaseMs: number },
	script: string,
	args: readonly (string | number)[],
): Promise<readonly string[]> {
	const options = { keys: [TASKS_KEY, DELAYED_KEY, LEASED_KEY], arguments: [leaseMs, ...args].map(String) };
	return (await connection.run((client) => client.eval(FUNCTIONS + script, options))) as readonly string[];
}
