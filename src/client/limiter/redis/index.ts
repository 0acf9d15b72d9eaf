export { DistributedLimiter } from './distributed-limiter';
export { parseRedisUrl, type RedisAddress } from './redis-address';
export { findRedisFault } from './redis-scheduler';
