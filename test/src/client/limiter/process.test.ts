import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Sends a request, and with `sendsMore` another one that waits for the permit of the first. */
const script = (windowMs: number, sendsMore: boolean) => `
  const { KeyLimiter } = require('./src/client/limiter/key-limiter');
  const { REAL_TIME } = require('./src/client/settings');
  const limiter = new KeyLimiter(1, { ...REAL_TIME, windowMs: ${windowMs} });
  const send = (name) => limiter.run(async () => console.log(name), { run: 1, isRetry: false });
  // Later than the response, so that only the returning permit can keep the process alive.
  send('first').then(() => ${sendsMore} && setTimeout(() => send('second'), 100));
`;

it.each([
  ['lets the process exit although a used permit is not free yet', 60_000, false, 'first\n'],
  ['keeps the process alive while a request waits for a permit', 700, true, 'first\nsecond\n'],
])('%s', async (_what, windowMs, sendsMore, printed) => {
  const child = ['--import', 'tsx', '-e', script(windowMs, sendsMore)];
  // The time is up before the permit is free after a minute.
  const { stdout } = await promisify(execFile)(process.execPath, child, { timeout: 40_000 });
  expect(stdout).toBe(printed);
});
