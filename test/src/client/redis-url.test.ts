import { readRedisUrl } from '../../../src/client/settings';

const local = {
  host: 'redis',
  port: 6379,
  username: undefined,
  password: undefined,
  db: 0,
  tls: false,
};

it.each([
  ['redis://redis', {}],
  ['  redis://redis:6379/  ', {}],
  ['redis://redis:7000/3', { port: 7000, db: 3 }],
  ['rediss://redis', { tls: true }],
  ['redis://:secret@redis', { password: 'secret' }],
  ['redis://worker:secret@redis', { username: 'worker', password: 'secret' }],
  ['redis://:a%2Fb%25%40c@redis', { password: 'a/b%@c' }],
  ['redis://[::1]:6379', { host: '::1' }],
])('%s', (url, change) => {
  expect(readRedisUrl(url)).toEqual({ ...local, ...change });
});

it.each(['', '   '])('nothing (%p) is no Redis', (url) => {
  expect(readRedisUrl(url)).toBeUndefined();
});

it.each([
  ['redis:6379', /start with redis:\/\/|names no host/],
  ['localhost:6379', /start with redis:\/\//],
  ['http://redis:6379', /start with redis:\/\//],
  ['redis', /not a URL/],
  ['redis://', /names no host|not a URL/],
  ['redis://redis/queue', /number of a database/],
  ['redis://redis:port', /not a URL/],
  ['redis://:50%@redis', /%25/],
  ['redis://:pass#word/secret@redis', /not a URL|percent-encoded|names no host/],
])('refuses %p and says how it looks', (url, message) => {
  expect(() => readRedisUrl(url)).toThrow(TypeError);
  expect(() => readRedisUrl(url)).toThrow(message);
});

it.each([
  'http://:5ecret@redis',
  'redis://:5ecret@redis/x',
  'redis://:5ecret%@redis',
  'redis://:5ecret@redis:port',
])('does not repeat the password of %p', (url) => {
  expect(() => readRedisUrl(url)).toThrow(/Redis URL/);
  expect(() => readRedisUrl(url)).not.toThrow(/5ecret/);
});
