export { DistributedLimiter } from './distributed-limiter';
export { parseRedisUrl } from './redis-address';
export { findRedisFault } from './redis-scheduler';
