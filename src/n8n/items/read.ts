import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { normalizeDomain, type NormalizedDomain, type NormalizeOptions } from '../../input/domains';
import { parseCompanyName } from '../../input/names/company-names';
import { isExpressionText } from '../../input/placeholders';
import { includesPartners, type CompanySection } from '../../service/companies';
import { quote } from '../../values/text';
import type { Parameter } from '../parameters/declare';
import { readOptionalText } from '../parameters/parsers';
import {
  createCandidatesReader,
  createItemReader,
  createReader,
  getRawParameter,
  warnAboutFixedText,
  type RunLimits,
} from '../parameters/readers';
import type { DomainFacts } from '../run-hints';
import type { NamedCompany } from './by-name';
import {
  groupTasks,
  readItems,
  toSuccess,
  type CompanyRequest,
  type Outcome,
  type Rows,
  type Task,
} from './tasks';
import type { RowOutput } from './write';

/** Options of operations on all rows at once. They apply to the whole run. */
export interface RowOptions extends RowOutput, NormalizeOptions, RunLimits {}

type FoundDomain = Extract<NormalizedDomain, { valid: true }>;

/** Rows that each name a company. */
export interface DomainRows<Request> extends Rows<Request>, DomainFacts {
  readonly counts: {
    readonly rows: number;
    readonly distinct_companies: number;
    /** That repeat an earlier company. */
    readonly duplicate_rows: number;
  };
}

interface DomainReading<Request> extends NormalizeOptions {
  /** Returns the request of a row without a usable domain; undefined if that fails too. */
  readonly otherwise?:
    | ((itemIndex: number) => { readonly company: string; readonly request: Request } | undefined)
    | undefined;
  /** See {@link readItems}. */
  readonly keyOf?: (request: Request) => string;
}

/**
 * Reads the `domain` parameter of every input item, and the request of each item that has a usable one.
 * The other items get their outcome here, without a request or a credit.
 *
 * @throws The errors of {@link readItems}.
 * @throws {NodeOperationError} If a field was dropped into the middle of another one.
 */
export function readDomainRows<Request>(
  context: IExecuteFunctions,
  { otherwise, keyOf, ...options }: DomainReading<Request>,
  toRequest: (found: FoundDomain, itemIndex: number) => Request | Outcome,
): DomainRows<Request> {
  const given = getRawParameter(context, 'domain');
  const hasSeveralFields = checkFields(context, given) > 1;
  const read = createCandidatesReader(context, 'domain');
  const companies = new Set<string>();
  const invalid: Array<DomainFacts['invalid'][number]> = [];
  const usable = { byDomain: 0, otherwise: 0 };
  const readItem = (itemIndex: number): Request | Outcome => {
    const found = normalizeDomain(read(itemIndex), options);
    if (found.valid) {
      const request = toRequest(found, itemIndex);
      companies.add(found.domain);
      usable.byDomain += 1;
      return request;
    }
    const { reason, about, message } = found;
    if (reason === 'ignored') {
      invalid.push({ reason, about });
      return toSuccess({ domain: about ?? null, status: 'ignored', message });
    }
    const other = otherwise?.(itemIndex);
    if (other !== undefined) {
      companies.add(other.company);
      usable.otherwise += 1;
      return other.request;
    }
    invalid.push({ reason, about });
    return toInvalidOutcome(null, reason, message);
  };
  const { rows, tasks } = readItems(context, readItem, keyOf);
  if (usable.byDomain > 0) {
    context.addExecutionHints(
      ...warnAboutFixedText(context, { name: 'domain', displayName: 'Domain' }),
    );
  }
  const counts = {
    rows: rows.length,
    distinct_companies: companies.size,
    duplicate_rows: usable.byDomain + usable.otherwise - companies.size,
  };
  return {
    rows,
    tasks,
    counts,
    invalid,
    hasSeveralFields,
    isExpressionText:
      typeof given === 'string' && !given.startsWith('=') && isExpressionText(given),
  };
}

/** An expression in which a field begins directly after a word: `{{ $json.W$json.Email }}`. */
const FIELD_IN_FIELD = /\{\{[^{}]*(?:[\w"']\$json\b|\{\{)[^{}]*/;

/** Returns the number of expressions in Domain. */
function checkFields(context: IExecuteFunctions, given: unknown): number {
  if (typeof given !== 'string') return 0;
  const [broken] = given.startsWith('=') ? (FIELD_IN_FIELD.exec(given) ?? []) : [];
  if (broken === undefined) return given.split('{{').length - 1;
  throw new NodeOperationError(
    context.getNode(),
    `"Domain" has a field inside another field: ${quote(broken)}`,
    {
      description:
        'A field was dropped into the middle of the text. Undo that, and drop the field behind the text. Nothing was sent.',
    },
  );
}

/** Returns the outcome of a row without a usable domain, which costs no credit. */
export function toInvalidOutcome(domain: string | null, reason: string, message: string): Outcome {
  return toSuccess({ domain, status: 'invalid', reason, message });
}

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
