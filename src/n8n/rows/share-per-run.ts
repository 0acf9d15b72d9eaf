import type { OperationContext } from './per-item';

/** See {@link OperationContext.shared}. */
export function createSharedReads(): OperationContext['shared'] {
  const answers = new Map<string, Promise<unknown>>();
  return async <T>(what: string, ask: () => Promise<T>) => {
    const answer = answers.get(what) ?? ask();
    answers.set(what, answer);
    return (await answer) as T;
  };
}
