import { ServiceError } from '../../client/errors';
import type { BatchAnswer } from '../answers/batch-answer';
import { eachItsOwn, type Row } from '../answers/rows';

/** A failure for one of several: what one execution does to it, another must not see. */
export function ownCopyOf(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  return error.retold({ details: structuredClone(error.details) });
}

/** Whether an answer says something about each of the domains. */
export function mentionsAll({ rows, rejected }: BatchAnswer, domains: readonly string[]): boolean {
  return domains.every((domain) => rows.has(domain) || rejected.has(domain));
}

/**
 * Takes each asker's own answer out of a shared one: its rows, what was rejected of its domains, and
 * what is odd about its rows.
 *
 * @param askers the domains of each.
 * @returns one answer for each; no two have an object in common.
 */
export function sharesOf(
  answer: BatchAnswer,
  askers: ReadonlyArray<readonly string[]>,
): BatchAnswer[] {
  const own = eachItsOwn();
  const asked = askers.reduce((sum, { length }) => sum + length, 0);
  return askers.map((domains, index) => {
    const found = domains.flatMap((domain) => {
      const row = answer.rows.get(domain);
      return row === undefined ? [] : [[domain, row] as const];
    });
    return {
      rows: new Map(found.map(([domain, row]) => [domain, own(row)])),
      rejected: new Set(domains.filter((domain) => answer.rejected.has(domain))),
      oddities: odditiesOf(
        answer,
        found.map(([, row]) => row),
      ),
      share: domains.length / asked,
      // What belongs to nobody is counted once.
      foreign: index === 0 ? (answer.foreign ?? []) : [],
    };
  });
}

function odditiesOf({ oddities, inspect }: BatchAnswer, rows: readonly Row[]) {
  return oddities.length === 0 || inspect === undefined ? oddities : inspect(rows);
}
