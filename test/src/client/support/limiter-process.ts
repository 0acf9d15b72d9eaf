/**
 * A child process that uses a limiter and prints the name of each request that it sends. With
 * `idle`, it sends one request, whose permit stays in use for a minute. With `waiting`, a second
 * request waits for that permit.
 */
import { KeyLimiter } from '../../../../src/client/limiter/key-limiter';
import { REAL_TIME } from '../../../../src/client/settings';

const waiting = process.argv[2] === 'waiting';

const limiter = new KeyLimiter(1, { ...REAL_TIME, windowMs: waiting ? 700 : 60_000 });

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
  if (!waiting) return;
  // Later than the response, so that only the returning permit can keep the process alive.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await send('second');
});
