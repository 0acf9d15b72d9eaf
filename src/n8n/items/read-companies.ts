import type { IExecuteFunctions } from 'n8n-workflow';

import { includesPartners, type CompanySection } from '../../service/companies';
import type { NormalizeOptions } from '../../input/domains';
import { parseCompanyName } from '../../input/names/company-names';
import type { Parameter } from '../parameters/declare';
import { readOptionalText } from '../parameters/parsers';
import { createItemReader, createReader, getRawParameter } from '../parameters/readers';
import type { NamedCompany } from './by-name';
import { readDomainRows, type DomainRows } from './read-domains';
import type { Task } from './read';
import { groupTasks, type CompanyRequest } from './send';

type Sections = readonly CompanySection[];

/** A company to look up by its domain. */
export interface DomainLookup extends CompanyRequest {
  readonly sections: Sections;
}

/** A company to look up by its name. */
export interface NameLookup extends NamedCompany {
  readonly sections: Sections;
}

/** The companies of the input items. */
export interface CompanyRows extends Omit<DomainRows<DomainLookup | NameLookup>, 'tasks'> {
  readonly tasks: ReadonlyArray<Task<DomainLookup>>;
  readonly named: ReadonlyArray<Task<NameLookup>>;
  /** Sections that any row requests, so a sheet has the same columns whatever is found. */
  readonly sections: Sections;
  /** Whether names are looked up, so rows say how their company was found. */
  readonly usesNames: boolean;
}

/** For operations without sections. */
const NO_SECTIONS: Parameter<never[]> = { properties: [], read: () => [] };

/**
 * Reads which companies the input items name, by domain or by name, and which sections they request.
 *
 * @param sections Omitted if the operation offers none.
 * @throws The errors of {@link readDomainRows}.
 */
export function readCompanies(
  context: IExecuteFunctions,
  options: NormalizeOptions,
  sections: Parameter<CompanySection[]> = NO_SECTIONS,
): CompanyRows {
  const readSections = createItemReader(context, {
    ...sections,
    read: (place) => [...new Set(sections.read(place))].sort(),
  });
  const readName = createNameReader(context);
  const otherwise = (itemIndex: number) => {
    const given = readName?.(itemIndex);
    if (given === undefined) return undefined;
    // The space keeps names apart from domains.
    const company = `name ${given.name.keys[0]}`;
    return { company, request: { ...given, sections: readSections(itemIndex) } };
  };
  const { tasks, ...rows } = readDomainRows<DomainLookup | NameLookup>(
    context,
    { ...options, otherwise, keyOf: toLookupKey },
    ({ domain }, itemIndex) => ({ domain, sections: readSections(itemIndex) }),
  );
  return {
    ...rows,
    tasks: tasks.filter((task): task is Task<DomainLookup> => 'domain' in task.request),
    named: tasks.filter((task): task is Task<NameLookup> => 'name' in task.request),
    sections: collectSections(rows.rows.length, readSections),
    usesNames: readName !== undefined,
  };
}

/** Returns equal texts for equal lookups. */
export function toLookupKey(lookup: DomainLookup | NameLookup): string {
  const sections = lookup.sections.join();
  if ('domain' in lookup) return `${lookup.domain} ${sections}`;
  return JSON.stringify([lookup.name.keys[0], lookup.country, sections]);
}

/**
 * Returns a reader of Company Name and Country of each item.
 *
 * @returns Undefined if Company Name is not used; otherwise a function that returns undefined for an item
 * without a name.
 */
function createNameReader(
  context: IExecuteFunctions,
): ((itemIndex: number) => NamedCompany | undefined) | undefined {
  if (readOptionalText(getRawParameter(context, 'companyName')) === undefined) return undefined;
  const readName = createReader(context, 'companyName');
  const readCountry = createReader(context, 'companyCountry');
  return (itemIndex) => {
    const name = parseCompanyName(readName(itemIndex));
    return name && { name, country: readOptionalText(readCountry(itemIndex)) };
  };
}

/** @param read Throws for a row whose Include is invalid; such a row has already failed if it matters. */
function collectSections(rows: number, read: (itemIndex: number) => Sections): CompanySection[] {
  const found = new Set<CompanySection>();
  for (let itemIndex = 0; itemIndex < rows; itemIndex += 1) {
    try {
      for (const section of read(itemIndex)) found.add(section);
    } catch {
      continue;
    }
  }
  return [...found];
}

/**
 * Yields groups of tasks that request the same sections. Tasks whose companies were read for an earlier
 * group are groups of their own, because reading them again is free (API spec: Credits, rule 2). Tasks that
 * request partners are never free, because new partners can cost credits.
 *
 * @param isRead Whether a company was read for an earlier group.
 */
export function* splitParts(
  all: ReadonlyArray<Task<DomainLookup>>,
  isRead: (domain: string) => boolean,
): Generator<{
  readonly tasks: ReadonlyArray<Task<DomainLookup>>;
  readonly sections: Sections;
  readonly isFree: boolean;
}> {
  for (const group of groupTasks(all, ({ sections }) => sections.join())) {
    const { sections } = group[0].request;
    const isFree = ({ request }: Task<DomainLookup>) =>
      isRead(request.domain) && !includesPartners(sections);
    const free = group.filter(isFree);
    const others = free.length === 0 ? group : group.filter((task) => !isFree(task));
    if (others.length > 0) yield { tasks: others, sections, isFree: false };
    if (free.length > 0) yield { tasks: free, sections, isFree: true };
  }
}
