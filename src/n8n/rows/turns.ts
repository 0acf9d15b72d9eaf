import type { Session } from './per-item';

/*
 * What the items of a run do with each other.
 */

/** See {@link Session.inTurn}. */
export function takingTurns(): Session['inTurn'] {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const own = last.then(work);
    last = own.catch(() => undefined);
    return await own;
  };
}

/** See {@link Session.shared}. */
export function sharing(): Session['shared'] {
  const answers = new Map<string, Promise<unknown>>();
  return async <T>(what: string, ask: () => Promise<T>) => {
    const answer = answers.get(what) ?? ask();
    answers.set(what, answer);
    return (await answer) as T;
  };
}
