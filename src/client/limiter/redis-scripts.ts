/*
 * Scripts in Lua with which Redis decides for all workers of a key. It runs one script at a time, so two
 * workers never get the same turn or the same credits.
 */

/** Requests are counted by minute. */
export const MINUTE_MS = 60_000;

/** All workers use the clock of Redis, because the clocks of several machines never agree. */
const CLOCK = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** TTL of the state of turns after the last request. */
export const RETENTION_MS = 10 * MINUTE_MS;

/** Time for which a slower pace applies to all workers after the last turn requested with it. */
const SLOWER_PACE_RETENTION_MS = 10_000;

/**
 * Reserves the next turn, one gap after the last; none during a pause. The gap is the largest of all
 * credentials in use for the key. A turn that is too far in the future comes from a clock that was set
 * back.
 *
 * If the caller has a later turn than Redis knows, Redis lost its data. Turns reserved before that are
 * still taken, so new turns start after all turns that other workers can have reserved since.
 */
const NEXT_TURN = `${CLOCK}
local gap, kept, own, reserved = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local last, pausedUntil, limit, slowest, slowestUntil =
  unpack(redis.call('HMGET', KEYS[1], 'last', 'pausedUntil', 'limit', 'gap', 'gapUntil'))
last, own, gap = tonumber(last or 0), tonumber(own), tonumber(gap)
if tonumber(slowest or 0) > gap and tonumber(slowestUntil) > now then
  gap = tonumber(slowest)
else
  local untilMs = now + math.max(${String(SLOWER_PACE_RETENTION_MS)}, 3 * gap)
  redis.call('HSET', KEYS[1], 'gap', gap, 'gapUntil', untilMs)
  redis.call('PEXPIRE', KEYS[1], untilMs - now + kept)
end
local farthest = now + math.max(${String(MINUTE_MS)}, 100 * gap)
if own > last and own <= farthest then last = math.max(now, own) + reserved end
local pause = math.max(0, (pausedUntil or 0) - now)
local turn = math.max(now, last + gap)
if turn > farthest then turn = now end
if pause == 0 then
  redis.call('HSET', KEYS[1], 'last', turn)
  redis.call('PEXPIRE', KEYS[1], turn - now + kept)
  return { turn - now, 0, limit, turn }
end
return { 0, pause, limit, own }
`;

const PAUSE = `${CLOCK}
local pause, limit, kept = ARGV[1], ARGV[2], ARGV[3]
local known = redis.call('HGET', KEYS[1], 'pausedUntil')
redis.call('HSET', KEYS[1], 'pausedUntil', math.max(known or 0, now + pause))
if limit ~= '' then redis.call('HSET', KEYS[1], 'limit', limit) end
redis.call('PEXPIRE', KEYS[1], pause + kept)
`;

/** Adds a worker's sent requests by minute, and returns the number of workers and the sum over all of them. */
const COUNT = `${CLOCK}
local sent, workers = KEYS[1], KEYS[2]
for i = 2, #ARGV, 2 do redis.call('HINCRBY', sent, ARGV[i], ARGV[i + 1]) end
local dayAgo = math.floor(now / ${String(MINUTE_MS)}) - 24 * 60
for _, minute in ipairs(redis.call('HKEYS', sent)) do
  if tonumber(minute) < dayAgo then redis.call('HDEL', sent, minute) end
end
redis.call('PEXPIRE', sent, ${String(25 * 60 * MINUTE_MS)})
redis.call('ZADD', workers, now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', workers, '-inf', now - ${String(5 * MINUTE_MS)})
redis.call('PEXPIRE', workers, ${String(5 * MINUTE_MS)})
return { redis.call('ZCARD', workers), redis.call('HGETALL', sent) }
`;

/**
 * Records what a worker has spent in each period. Reserves credits for the worker if the sum of all workers
 * stays within every limit. `all` is that sum. Each report of a worker replaces its previous one. Nothing
 * counts twice, and a Redis that lost its data gets the numbers again.
 */
const CREDITS = `
local worker, wanted = ARGV[1], tonumber(ARGV[2])
local granted, others = 1, {}
for i, key in ipairs(KEYS) do
  local all, told = unpack(redis.call('HMGET', key, 'all', worker))
  others[i] = (all or 0) - (told or 0)
  local own, limit = tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  if limit > 0 and others[i] + own + wanted > limit then granted = 0 end
end
for i, key in ipairs(KEYS) do
  local own = ARGV[3 * i] + granted * wanted
  redis.call('HSET', key, 'all', others[i] + own, worker, own)
  redis.call('PEXPIRE', key, ARGV[3 * i + 2])
end
return { granted, unpack(others) }
`;

/** The scripts. ioredis sends them with `EVALSHA`, and their full text only if Redis does not have them yet. */
export const SCRIPTS = {
  nextTurn: { lua: NEXT_TURN, numberOfKeys: 1 },
  pause: { lua: PAUSE, numberOfKeys: 1 },
  count: { lua: COUNT, numberOfKeys: 2 },
  credits: { lua: CREDITS, numberOfKeys: 2 },
} as const;
