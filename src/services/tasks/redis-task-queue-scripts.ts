/**
 * The Lua scripts of the task queue on Redis. The keys of every script are three sorted sets of task ids, and a time:
 *
 * | key     | set         | score                                                        |
 * | ------- | ----------- | ------------------------------------------------------------ |
 * | KEYS[1] | `waiting`   | due time of the next run                                     |
 * | KEYS[2] | `leased`    | end of the lease of a running task                           |
 * | KEYS[3] | `requested` | due time of another run that was requested for a leased task |
 * | KEYS[4] | `clock`     | (not a set) the server's time at the last `END_LEASES`       |
 *
 * All times are those of the server's clock (ms since epoch), so that the clocks of the processes may differ. Arguments are
 * durations (ms):
 *
 * | script       | ARGV                                                           | result                                |
 * | ------------ | -------------------------------------------------------------- | ------------------------------------- |
 * | `SCHEDULE`   | `LT` (earlier if scheduled) or `NX` (unless scheduled),        |                                       |
 * |              | then the delay and the id of each task                         |                                       |
 * | `LEASE_DUE`  | duration of the leases, limit                                  | ids of due tasks, which are leased    |
 * | `RENEW`      | duration of the leases, ids                                    |                                       |
 * | `RELEASE`    | ids, then the delay of the next run of each, or ""             | number of the requested runs          |
 * | `END_LEASES` | limit                                                          |                                       |
 * | `OVERDUE`    |                                                                | delay of the most overdue task, or 0  |
 */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

export const SCHEDULE = `${NOW}
for n = 2, #ARGV, 2 do
	local due, id = now + ARGV[n], ARGV[n + 1]
	if not redis.call('ZSCORE', KEYS[2], id) then redis.call('ZADD', KEYS[1], ARGV[1], due, id)
	elseif ARGV[1] == 'LT' then redis.call('ZADD', KEYS[3], 'LT', due, id) end
end`;

export const LEASE_DUE = `${NOW}
local ids = redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[2])
if #ids == 0 then return ids end
redis.call('ZREM', KEYS[1], unpack(ids))
local leases = {}
for n, id in ipairs(ids) do leases[2 * n - 1], leases[2 * n] = now + ARGV[1], id end
redis.call('ZADD', KEYS[2], unpack(leases))
return ids`;

/** Leaves out leases that have ended meanwhile. */
export const RENEW = `${NOW}
for n = 2, #ARGV do redis.call('ZADD', KEYS[2], 'XX', now + ARGV[1], ARGV[n]) end`;

export const RELEASE = `${NOW}
local count = #ARGV / 2
local ids = {unpack(ARGV, 1, count)}
local requests = redis.call('ZMSCORE', KEYS[3], unpack(ids))
local runs, served = {}, {}
for n, id in ipairs(ids) do
	local delay = tonumber(ARGV[count + n])
	local due = delay and now + delay
	if requests[n] then
		due = math.min(due or math.huge, tonumber(requests[n]))
		served[#served + 1] = id
	end
	if due then
		runs[#runs + 1] = due
		runs[#runs + 1] = id
	end
end
redis.call('ZREM', KEYS[2], unpack(ids))
if #served > 0 then redis.call('ZREM', KEYS[3], unpack(served)) end
if #runs > 0 then redis.call('ZADD', KEYS[1], unpack(runs)) end
return #served`;

/**
 * Makes the tasks of ended leases due. If the server's clock has gone back, as after a failover to a host whose clock is behind, all
 * times go back with it first: the runs would be that much too late. A correction of less than a second is not worth the pass.
 */
export const END_LEASES = `${NOW}
local step = now - tonumber(redis.call('GET', KEYS[4]) or now)
if step < -1000 then
	for n = 1, 3 do
		for _, id in ipairs(redis.call('ZRANGE', KEYS[n], 0, -1)) do redis.call('ZINCRBY', KEYS[n], step, id) end
	end
end
redis.call('SET', KEYS[4], now)
local ids = redis.call('ZRANGE', KEYS[2], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[1])
for _, id in ipairs(ids) do
	redis.call('ZREM', KEYS[2], id)
	redis.call('ZREM', KEYS[3], id)
	redis.call('ZADD', KEYS[1], now, id)
end`;

export const OVERDUE = `${NOW}
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return math.max(0, now - (first[2] or now))`;
