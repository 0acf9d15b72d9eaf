import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs an order in a separate process. The process runs a file of this folder that calls {@link
 * carryOut}.
 *
 * @param env additional environment variables of the process
 * @param execArgv additional options of Node.js
 * @returns the result that the process sends
 * @throws if the process ends without a result; its stderr has the reason
 */
export async function inProcess<Answer>(
  path: string,
  order: object,
  env: Readonly<Record<string, string>> = {},
  execArgv: readonly string[] = [],
): Promise<Answer> {
  const child = fork(path, {
    execArgv: ['--import', 'tsx', ...execArgv],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The process of ${path} ended early; see above.`);
  });
  child.send(order);
  try {
    const [answer] = (await Promise.race([once(child, 'message'), ended])) as [Answer];
    return answer;
  } finally {
    ended.catch(() => undefined);
    if (child.connected) child.disconnect();
  }
}

/** In the separate process: executes the order, sends the result, and exits with its parent. */
export function carryOut(work: (order: never) => Promise<unknown>): void {
  process.once('message', (order) => {
    void work(order as never).then((answer) => process.send?.(answer));
  });
  process.once('disconnect', () => process.exit());
}
