/**
 * A process of its own that uses a limiter: prints the name of each request that is sent. With
 * `idle` one request is sent and its permit stays out for a minute; with `waiting` a second request
 * waits for the permit of the first.
 */
import { KeyLimiter } from '../../../../src/client/limiter/key-limiter';
import { REAL_TIME } from '../../../../src/client/settings';

const waiting = process.argv[2] === 'waiting';

const limiter = new KeyLimiter(
  { requestsPerMinute: 1, requestsPerDay: 10 },
  { ...REAL_TIME, windowMs: waiting ? 700 : 60_000 },
);

async function send(name: string): Promise<void> {
  await limiter.run(
    () => {
      process.stdout.write(`${name}\n`);
      return Promise.resolve();
    },
    { run: 'one', isRetry: false },
  );
}

void send('first').then(async () => {
  if (waiting) await send('second');
});
