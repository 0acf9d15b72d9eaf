import type { IExecuteFunctions } from 'n8n-workflow';

import { includesPartners } from '../../service/companies';
import type { NormalizeOptions } from '../../input/domains';
import { parseCompanyName } from '../../input/names/company-names';
import type { Parameter } from '../parameters/declare';
import { readOptionalText } from '../parameters/parsers';
import { createItemReader, createReader, getRawParameter } from '../parameters/readers';
import type { NamedCompany } from './by-name';
import { groupTasks, readDomainRows, type DomainRows, type CompanyRequest } from './domain-rows';
import type { Task } from './output-items';

/** The sections that an item requests. */
interface SectionRequest<Section> {
  readonly sections: readonly Section[];
  /** The same as text, for comparison. */
  readonly wanted: string;
}

/** Request for a company identified by domain. */
export interface EnrichmentRequest<Section> extends CompanyRequest, SectionRequest<Section> {}

/** Request for a company identified by name. */
export interface NamedEnrichmentRequest<Section> extends NamedCompany, SectionRequest<Section> {}

/** Requests of the input items. */
export interface EnrichmentRequests<Section> extends Omit<
  DomainRows<EnrichmentRequest<Section> | NamedEnrichmentRequest<Section>>,
  'tasks'
> {
  readonly tasks: ReadonlyArray<Task<EnrichmentRequest<Section>>>;
  readonly named: ReadonlyArray<Task<NamedEnrichmentRequest<Section>>>;
  /** Sections that any row requests, so a sheet has the same columns whatever is found. */
  readonly sections: readonly Section[];
  /** Whether names are looked up, so rows say how their company was found. */
  readonly usesNames: boolean;
}

/** For operations without sections. */
const NO_SECTIONS: Parameter<never[]> = { properties: [], read: () => [] };

/**
 * Reads which companies the input items name, by domain or by name, and which sections they request.
 *
 * @param sections Parameter with the sections; omitted if the operation offers none.
 * @throws The errors of {@link readDomainRows}.
 */
export function readEnrichmentRequests<Section extends string>(
  context: IExecuteFunctions,
  options: NormalizeOptions,
  sections: Parameter<Section[]> = NO_SECTIONS,
): EnrichmentRequests<Section> {
  const read = createItemReader(context, {
    ...sections,
    read: (place) => {
      const chosen = [...new Set(sections.read(place))].sort();
      return { sections: chosen, wanted: chosen.join() };
    },
  });
  const readName = createNameReader(context);
  const readNamedRequest = (itemIndex: number) => {
    const given = readName?.(itemIndex);
    if (given === undefined) return undefined;
    // The space keeps names apart from domains.
    const company = `name ${given.name.keys[0]}`;
    const wanted = read(itemIndex);
    const key = JSON.stringify([company, given.country, wanted.wanted]);
    return { company, request: { key, request: { ...given, ...wanted } } };
  };
  const { tasks, ...rows } = readDomainRows<
    EnrichmentRequest<Section> | NamedEnrichmentRequest<Section>
  >(context, { ...options, otherwise: readNamedRequest }, ({ domain }, itemIndex) => {
    const wanted = read(itemIndex);
    return { key: `${domain} ${wanted.wanted}`, request: { domain, ...wanted } };
  });
  return {
    ...rows,
    tasks: tasks.filter(
      (task): task is Task<EnrichmentRequest<Section>> => 'domain' in task.request,
    ),
    named: tasks.filter(
      (task): task is Task<NamedEnrichmentRequest<Section>> => 'name' in task.request,
    ),
    sections: readSections(rows.rows.length, read),
    usesNames: readName !== undefined,
  };
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
    return name === undefined
      ? undefined
      : { name, country: readOptionalText(readCountry(itemIndex)) };
  };
}

/** @param read Throws for a row whose Include is invalid; such a row has already failed if it matters. */
function readSections<Section>(
  rows: number,
  read: (itemIndex: number) => SectionRequest<Section>,
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

/** Tasks whose companies are looked up together. */
export interface RequestPart<Section> {
  readonly tasks: ReadonlyArray<Task<EnrichmentRequest<Section>>>;
  readonly sections: readonly Section[];
  /** Whether the companies were read before, so reading them again is free (API spec: Credits, rule 2). */
  readonly isFree: boolean;
}

/**
 * Yields groups of tasks that request the same sections; tasks that are free form groups of their own.
 * Tasks that request partners are never free, because new partners can cost credits.
 *
 * @param isRead Whether a company was read for an earlier part.
 */
export function* splitParts<Section extends string>(
  tasks: ReadonlyArray<Task<EnrichmentRequest<Section>>>,
  isRead: (domain: string) => boolean,
): Generator<RequestPart<Section>> {
  for (const { request, tasks: all } of groupTasks(tasks, ({ wanted }) => wanted)) {
    const { sections } = request;
    const isFree = (task: Task<CompanyRequest>) =>
      isRead(task.request.domain) && !includesPartners(sections);
    const free = all.filter(isFree);
    const others = free.length === 0 ? all : all.filter((task) => !isFree(task));
    if (others.length > 0) yield { tasks: others, sections, isFree: false };
    if (free.length > 0) yield { tasks: free, sections, isFree: true };
  }
}
