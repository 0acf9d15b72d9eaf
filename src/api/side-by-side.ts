import type { Row } from '../run/answers/rows';
import { flatCompany, namesIn, technologiesOf } from './flat-company';

/**
 * Two companies beside each other, as one flat row: what both use, and what only one.
 *
 * @param a an answer about a company with its technologies (interface: Companies, rule 1).
 * @param b the same of the other one.
 * @returns `domain` and `company_name` of each with `_a` and `_b` behind them; `technology_count` and
 *   `technology_names` with `_both`, `_only_a` and `_only_b`, unless an answer says no technologies.
 */
export function sideBySide(a: Row, b: Row): Row {
  const inA = technologiesOf(a);
  const inB = technologiesOf(b);
  const whose = { ...named(a, 'a'), ...named(b, 'b') };
  if (inA === undefined || inB === undefined) return whose;
  return {
    ...whose,
    ...listed('both', within(inA, inB, true)),
    ...listed('only_a', within(inA, inB, false)),
    ...listed('only_b', within(inB, inA, false)),
  };
}

function within(
  some: ReadonlyMap<string, unknown>,
  others: ReadonlyMap<string, unknown>,
  shared: boolean,
): unknown[] {
  return [...some]
    .filter(([key]) => others.has(key) === shared)
    .map(([, technology]) => technology);
}

function named(row: Row, which: 'a' | 'b'): Row {
  const { domain, company_name: name } = flatCompany(row);
  return { [`domain_${which}`]: domain, [`company_name_${which}`]: name };
}

function listed(where: string, technologies: readonly unknown[]): Row {
  return {
    [`technology_count_${where}`]: technologies.length,
    [`technology_names_${where}`]: namesIn(technologies),
  };
}
