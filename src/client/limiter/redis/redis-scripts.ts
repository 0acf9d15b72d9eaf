/** Redis runs one script at a time, so two workers never get the same turn. */

/** The clocks of several machines never agree. */
const CLOCK = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

const MINUTE_MS = 60_000;

export const RETENTION_MS = 10 * MINUTE_MS;

/** A slower pace applies to all workers for so long after the last turn requested with it. */
const SLOWER_PACE_RETENTION_MS = 10_000;

/**
 * Reserves the next turn, one gap after the last; none during a pause. The gap is the largest of all
 * credentials in use for the key. A turn too far in the future comes from a clock that was set back. If the
 * caller has a later turn than Redis knows, Redis lost its data: new turns start after all that other workers
 * can have reserved since.
 */
const NEXT_TURN = `${CLOCK}
local gap, kept, own, reserved = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
redis.call('ZADD', KEYS[2], now, ARGV[5])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ${String(MINUTE_MS)})
redis.call('PEXPIRE', KEYS[2], ${String(MINUTE_MS)})
local workers = redis.call('ZCARD', KEYS[2])
local limit = redis.call('GET', KEYS[3])
local last, pausedUntil, slowest, slowestUntil =
  unpack(redis.call('HMGET', KEYS[1], 'last', 'pausedUntil', 'gap', 'gapUntil'))
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
  return { turn - now, 0, limit, turn, workers }
end
return { 0, pause, limit, own, workers }
`;

const PAUSE = `${CLOCK}
local pause, limit, kept, throttled = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local known = redis.call('HGET', KEYS[1], 'pausedUntil')
redis.call('HSET', KEYS[1], 'pausedUntil', math.max(known or 0, now + pause))
if limit ~= '' then redis.call('SET', KEYS[2], limit) end
redis.call('PEXPIRE', KEYS[2], throttled)
redis.call('PEXPIRE', KEYS[1], pause + kept)
`;

/** ioredis sends the full text only if Redis does not have it yet. */
export const SCRIPTS = {
  nextTurn: { lua: NEXT_TURN, numberOfKeys: 3 },
  pause: { lua: PAUSE, numberOfKeys: 2 },
} as const;
