import { parseRedisUrl } from '../../../src/client/limiter/redis/redis-address';

const user = { username: undefined, password: undefined };
const local = { host: 'redis', port: 6379, ...user, db: 0, tls: false };

it.each([
  ['redis://redis', {}],
  ['  redis://redis:6379/  ', {}],
  ['redis://redis:7000/3', { port: 7000, db: 3 }],
  ['rediss://redis', { tls: true }],
  ['redis://:secret@redis', { password: 'secret' }],
  ['redis://worker:secret@redis', { username: 'worker', password: 'secret' }],
  ['redis://:a%2Fb%25%40c@redis', { password: 'a/b%@c' }],
  ['redis://[::1]:6379', { host: '::1' }],
  ['', undefined],
  ['   ', undefined],
])('parses "%s"', (url, change) => {
  expect(parseRedisUrl(url)).toEqual(change && { ...local, ...change });
});

it.each([
  ['redis:6379', /start with redis:\/\/|has no host/],
  ['localhost:6379', /start with redis:\/\//],
  ['http://:5ecret@redis:6379', /start with redis:\/\//],
  ['redis', /not a valid URL/],
  ['redis://', /has no host|not a valid URL/],
  ['redis://:5ecret@redis/queue', /database number/],
  ['redis://:5ecret@redis?db=3', /must not contain \?.*:6379\/3/],
  ['redis://:5ecret@redis:port', /not a valid URL/],
  ['redis://:5ecret50%@redis', /%25/],
  ['redis://:pass#word/5ecret@redis', /not a valid URL|percent-encode|has no host/],
])('refuses %p, names the problem, and does not repeat the password', (url, message) => {
  const read = () => parseRedisUrl(url);
  expect(read).toThrow(TypeError);
  expect(read).toThrow(message);
  expect(read).toThrow(/Redis URL/);
  expect(read).not.toThrow(/5ecret/);
});
