import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Gives an order to a process of its own, which a file of this folder describes with {@link carryOut}.
 *
 * @param env further settings of it
 * @param execArgv further options of Node.js
 * @returns what it answers
 * @throws when it ends without an answer; it says why on stderr.
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

/** In that process: does what the order says, answers, and ends with its parent. */
export function carryOut(work: (order: never) => Promise<unknown>): void {
  process.once('message', (order) => {
    void work(order as never).then((answer) => process.send?.(answer));
  });
  process.once('disconnect', () => process.exit());
}
