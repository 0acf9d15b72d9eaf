import type { IExecuteFunctions } from 'n8n-workflow';

import type { NormalizeOptions } from '../../input/domains';
import type { BatchReport } from '../../run/batches';
import type { Parameter } from '../parameters/declare';
import { readDomainRows, type DomainRow } from './domain-rows';
import { eachOf } from './each-item';

/** Rows that ask for the same about their companies, and so go into the same batches. */
export interface Group<What> {
  readonly what: What;
  /** Each domain, with the first item that has it. */
  readonly domains: Map<string, number>;
  /** What came of them. */
  report: BatchReport;
}

/** An item of which nothing is asked has no group. */
export interface Grouped<What> {
  readonly rows: ReadonlyArray<DomainRow<Group<What> | undefined>>;
  readonly groups: ReadonlyArray<Group<What>>;
}

const NOT_ASKED: BatchReport = { outcomes: new Map(), answers: 0, oddities: [] };

/**
 * Reads all input items and tells them apart by what they ask for about their companies.
 *
 * @param whatOf what an item asks for: plain JSON.
 * @param onlyFirst how many distinct companies are asked for; 0 for all.
 * @throws what {@link readDomainRows} throws.
 */
export function readGroups<What>(
  context: IExecuteFunctions,
  options: NormalizeOptions,
  whatOf: (itemIndex: number) => What,
  onlyFirst = 0,
): Grouped<What> {
  const groups = new Map<string, Group<What>>();
  const asked = new Set<string>();
  const rows = readDomainRows(context, options, (domain, itemIndex) => {
    if (onlyFirst === 0 || asked.size < onlyFirst) asked.add(domain);
    if (!asked.has(domain)) return undefined;
    const what = whatOf(itemIndex);
    const key = JSON.stringify(what);
    const group = groups.get(key) ?? { what, domains: new Map(), report: NOT_ASKED };
    groups.set(key, group);
    if (!group.domains.has(domain)) group.domains.set(domain, itemIndex);
    return group;
  });
  return { rows, groups: [...groups.values()] };
}

/** Where there is nothing to choose. */
const NOTHING_TO_CHOOSE: Parameter<never[]> = { properties: [], read: () => [] };

/**
 * The same by the sections that are wanted of a company.
 *
 * @param sections what an item asks for; nothing to choose if left out.
 */
export function readSections<Section extends string>(
  context: IExecuteFunctions,
  options: NormalizeOptions & { readonly onlyFirstCompanies: number },
  sections: Parameter<Section[]> = NOTHING_TO_CHOOSE,
): Grouped<readonly Section[]> {
  const chosen = eachOf(context, {
    ...sections,
    read: (place) => [...new Set(sections.read(place))].sort(),
  });
  return readGroups(context, options, chosen, options.onlyFirstCompanies);
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
  { what: sections, domains }: Group<readonly string[]>,
  read: ReadonlySet<string>,
): readonly Part[] {
  const isFree = (domain: string) => read.has(domain) && !sections.includes('partnerships');
  const all = [...domains.keys()];
  return [
    { domains: all.filter((domain) => !isFree(domain)), isFree: false },
    { domains: all.filter(isFree), isFree: true },
  ].filter((part) => part.domains.length > 0);
}
