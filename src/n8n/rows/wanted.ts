import type { IExecuteFunctions } from 'n8n-workflow';

import type { NormalizeOptions } from '../../input/domains';
import type { Parameter } from '../parameters/declare';
import { eachOf } from '../parameters/read';
import { nameReader, type OfName } from './by-name';
import { alike, readDomainRows, type DomainRows, type OfCompany } from './domain-rows';
import { succeeded, type Outcome, type Task } from './rows';

/** What an item asks for about its company. */
interface AboutIt<Section> {
  readonly sections: readonly Section[];
  /** The same in words. */
  readonly wanted: string;
}

/** The same about a company that the item names by its domain. */
export interface Wanted<Section> extends OfCompany, AboutIt<Section> {}

/** The same about one of which it has only the name. */
export interface WantedByName<Section> extends OfName, AboutIt<Section> {}

/** What input items want. */
export interface WantedRows<Section> extends Omit<
  DomainRows<Wanted<Section> | WantedByName<Section>>,
  'tasks'
> {
  readonly tasks: ReadonlyArray<Task<Wanted<Section>>>;
  readonly named: ReadonlyArray<Task<WantedByName<Section>>>;
  /** What any row asks for, with those that cost nothing: a sheet has the same columns whatever is found. */
  readonly sections: readonly Section[];
  /** Whether names are looked up, so that rows say by what their company was found. */
  readonly usesNames: boolean;
}

/** Where there is nothing to choose. */
const NOTHING_TO_CHOOSE: Parameter<never[]> = { properties: [], read: () => [] };

/**
 * Reads which companies the input items name, by domain or by name, and what they want of them.
 *
 * @param sections what an item asks for; nothing to choose if left out.
 * @throws what {@link readDomainRows} throws.
 */
export function readWanted<Section extends string>(
  context: IExecuteFunctions,
  options: NormalizeOptions & { readonly onlyFirstCompanies: number },
  sections: Parameter<Section[]> = NOTHING_TO_CHOOSE,
): WantedRows<Section> {
  const { onlyFirstCompanies: onlyFirst } = options;
  const asked = new Set<string>();
  const isSampled = (company: string) => {
    if (asked.size < onlyFirst) asked.add(company);
    return onlyFirst === 0 || asked.has(company);
  };
  const read = eachOf(context, {
    ...sections,
    read: (place) => {
      const chosen = [...new Set(sections.read(place))].sort();
      return { sections: chosen, wanted: chosen.join() };
    },
  });
  const nameOf = nameReader(context);
  const otherwise = (itemIndex: number) => {
    const given = nameOf?.(itemIndex);
    if (given === undefined) return undefined;
    // No domain has a space in it.
    const company = `name ${given.name.keys[0]}`;
    if (!isSampled(company)) return { company, asked: notSampled(null) };
    const wanted = read(itemIndex);
    const key = JSON.stringify([company, given.country, wanted.wanted]);
    return { company, asked: { key, ask: { ...given, ...wanted } } };
  };
  const { tasks, ...rows } = readDomainRows<Wanted<Section> | WantedByName<Section>>(
    context,
    { ...options, otherwise },
    ({ domain }, itemIndex) => {
      if (!isSampled(domain)) return notSampled(domain);
      const wanted = read(itemIndex);
      return { key: `${domain} ${wanted.wanted}`, ask: { domain, ...wanted } };
    },
  );
  return {
    ...rows,
    tasks: tasks.filter((task): task is Task<Wanted<Section>> => 'domain' in task.ask),
    named: tasks.filter((task): task is Task<WantedByName<Section>> => 'name' in task.ask),
    sections: sectionsOf(rows.rows.length, read),
    usesNames: nameOf !== undefined,
  };
}

/** @param read throws for a row whose Include is wrong; if that matters, it has failed by itself. */
function sectionsOf<Section>(
  rows: number,
  read: (itemIndex: number) => AboutIt<Section>,
): Section[] {
  const found = new Set<Section>();
  for (let itemIndex = 0; itemIndex < rows; itemIndex += 1) {
    try {
      for (const section of read(itemIndex).sections) found.add(section);
    } catch {
      continue;
    }
  }
  return [...found];
}

function notSampled(domain: string | null): Outcome {
  const message = 'Not asked for, because only the first companies are (Only First Companies)';
  return succeeded({ domain, status: 'not_sampled', message });
}

/** Tasks whose companies are asked for together. */
export interface Part<Section> {
  readonly tasks: ReadonlyArray<Task<Wanted<Section>>>;
  readonly sections: readonly Section[];
  /** They were read for others, so that reading them once more is free (interface: Credits, rule 2). */
  readonly isFree: boolean;
}

/**
 * The parts of tasks that want the same of their companies, one after the other: those apart that cost
 * nothing more. Partners may cost something at any time.
 *
 * @param isRead whether a company was read for a part before.
 */
export function* partsOf<Section extends string>(
  tasks: ReadonlyArray<Task<Wanted<Section>>>,
  isRead: (domain: string) => boolean,
): Generator<Part<Section>> {
  for (const { ask, tasks: all } of alike(tasks, ({ wanted }) => wanted)) {
    const { sections } = ask;
    const isFree = (task: Task<OfCompany>) => isRead(task.ask.domain) && !asksForPartners(sections);
    const free = all.filter(isFree);
    const others = free.length === 0 ? all : all.filter((task) => !isFree(task));
    if (others.length > 0) yield { tasks: others, sections, isFree: false };
    if (free.length > 0) yield { tasks: free, sections, isFree: true };
  }
}

/** Each partner that comes is charged as well. */
export function asksForPartners(sections: readonly string[]): boolean {
  return sections.includes('partnerships');
}
