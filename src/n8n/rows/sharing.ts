import type { Session } from './per-item';

/** See {@link Session.shared}. */
export function sharing(): Session['shared'] {
  const answers = new Map<string, Promise<unknown>>();
  return async <T>(what: string, ask: () => Promise<T>) => {
    const answer = answers.get(what) ?? ask();
    answers.set(what, answer);
    return (await answer) as T;
  };
}
