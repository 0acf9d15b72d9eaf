import type { IExecuteFunctions } from 'n8n-workflow';

import { asError } from '../failures';
import type { Parameter } from '../parameters/declare';
import { distinctDomains, sampleOf, type DomainRow } from './domain-rows';
import { eachOf } from './each-item';

/** Rows that ask for the same about their companies, and so go into the same batches. */
export interface Group<Section extends string> {
  readonly sections: readonly Section[];
  readonly domains: Set<string>;
}

/** What one input item asks for; without a group, nothing. */
export type Plan<Section extends string> =
  | (Extract<DomainRow, { kind: 'domain' }> & { readonly group: Group<Section> | undefined })
  | Exclude<DomainRow, { kind: 'domain' }>;

export interface Grouped<Section extends string> {
  /** One for each row. */
  readonly plans: ReadonlyArray<Plan<Section>>;
  readonly groups: ReadonlyArray<Group<Section>>;
}

/** Where there is nothing to choose. */
export const NOTHING_TO_CHOOSE: Parameter<never[]> = { properties: [], read: () => [] };

/**
 * Tells rows apart by what they ask for about their companies.
 *
 * @param onlyFirst how many distinct companies are asked for; 0 for all.
 * @param sections what an item asks for.
 */
export function groupRows<Section extends string>(
  context: IExecuteFunctions,
  rows: readonly DomainRow[],
  onlyFirst: number,
  sections: Parameter<Section[]>,
): Grouped<Section> {
  const groups = new Map<string, Group<Section>>();
  const sectionsOf = eachOf(context, sections);
  const groupOf = (chosen: readonly Section[]): Group<Section> => {
    const wanted = [...new Set(chosen)].sort();
    const key = wanted.join();
    const group = groups.get(key) ?? { sections: wanted, domains: new Set<string>() };
    groups.set(key, group);
    return group;
  };
  // Where all rows want the same, they are given the same list.
  let last: { readonly chosen: readonly Section[]; readonly group: Group<Section> } | undefined;
  const sampled = onlyFirst === 0 ? undefined : new Set(sampleOf(distinctDomains(rows), onlyFirst));
  const plans = rows.map((row, itemIndex): Plan<Section> => {
    if (row.kind !== 'domain') return row;
    const { domain } = row.found;
    if (sampled?.has(domain) === false) return { ...row, group: undefined };
    try {
      const chosen = sectionsOf(itemIndex);
      last = last?.chosen === chosen ? last : { chosen, group: groupOf(chosen) };
      last.group.domains.add(domain);
      return { ...row, group: last.group };
    } catch (error) {
      return { kind: 'failed', failure: asError(error) };
    }
  });
  return { plans, groups: [...groups.values()] };
}

/** Companies of a group that are asked for together. */
interface Part {
  readonly domains: readonly string[];
  /** They were read for another group, so that reading them once more is free (interface: Credits, rule 2). */
  readonly isFree: boolean;
}

/**
 * The companies of a group, those apart that cost nothing more. Partners may cost something at any time.
 *
 * @param read companies that were read for the groups before.
 */
export function partsOf(
  { sections, domains }: Group<string>,
  read: ReadonlySet<string>,
): readonly Part[] {
  const isFree = (domain: string) => read.has(domain) && !sections.includes('partnerships');
  return [
    { domains: [...domains].filter((domain) => !isFree(domain)), isFree: false },
    { domains: [...domains].filter(isFree), isFree: true },
  ].filter((part) => part.domains.length > 0);
}
