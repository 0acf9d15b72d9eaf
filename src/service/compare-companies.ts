import type { Row } from '../run/responses/rows';
import { joinNames, readTechnologies, toFlatCompany } from './flat-company';

/**
 * Compares two companies in one flat row: the technologies that both use, and those that only one uses.
 *
 * @param a a response about company A with its technologies (API spec: Companies, rule 1).
 * @param b the response about company B; without it, all technologies of A count as used by A only.
 * @param statusB the status of B, for example `tracked`.
 * @returns `domain` and `company_name` of each with the suffixes `_a` and `_b`; `technology_count` and
 *   `technology_names` with `_both`, `_only_a` and `_only_b`, unless a response lacks technologies.
 */
export function compareCompanies(a: Row, b?: Row, statusB = 'tracked'): Row {
  const inA = readTechnologies(a);
  const inB = b && readTechnologies(b);
  const whose = { ...prefixCompany(a, 'a'), ...(b && prefixCompany(b, 'b')), status_b: statusB };
  if (inA !== undefined && b === undefined)
    return { ...whose, ...listTechnologies('only_a', [...inA.values()]) };
  if (inA === undefined || inB === undefined) return whose;
  return {
    ...whose,
    ...listTechnologies('both', intersect(inA, inB, true)),
    ...listTechnologies('only_a', intersect(inA, inB, false)),
    ...listTechnologies('only_b', intersect(inB, inA, false)),
  };
}

function intersect(
  some: ReadonlyMap<string, unknown>,
  others: ReadonlyMap<string, unknown>,
  shared: boolean,
): unknown[] {
  return [...some]
    .filter(([key]) => others.has(key) === shared)
    .map(([, technology]) => technology);
}

function prefixCompany(row: Row, which: 'a' | 'b'): Row {
  const { domain, company_name: name } = toFlatCompany(row);
  return { [`domain_${which}`]: domain, [`company_name_${which}`]: name };
}

function listTechnologies(where: string, technologies: readonly unknown[]): Row {
  return {
    [`technology_count_${where}`]: technologies.length,
    [`technology_names_${where}`]: joinNames(technologies),
  };
}
