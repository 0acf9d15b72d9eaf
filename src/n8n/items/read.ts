import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import {
  normalizeDomain,
  type InvalidReason,
  type NormalizedDomain,
  type NormalizeOptions,
} from '../../input/domains';
import { InputError } from '../../input/inputs';
import { parseCompanyName, readNameText } from '../../input/names/company-names';
import { findNoCompany } from '../../input/names/no-company';
import { parseCountry } from '../../input/names/places';
import { isExpressionText } from '../../input/placeholders';
import type { CompanySection } from '../../service/companies';
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
import { readRows, type Rows } from './engine';
import { assertColumnExists, findMissingFields } from './input-fields';
import { MISSING_FIELD, toSuccess, type Result } from './row-result';
import type { RowOutput } from './write';

export interface RowOptions extends RowOutput, NormalizeOptions, RunLimits {}

type FoundDomain = Extract<NormalizedDomain, { valid: true }>;

/** Why a row has no company. */
type Invalid = DomainFacts['invalid'][number] & { readonly message: string };

interface DomainRows<Request> extends Rows<Request>, DomainFacts {
  readonly counts: {
    readonly rows: number;
    readonly distinct_companies: number;
    /** That repeat an earlier company. */
    readonly duplicate_rows: number;
  };
}

interface DomainReading<Request>
  extends NormalizeOptions, Partial<Pick<RowOutput, 'columnPrefix'>> {
  /** Reads a row without a usable domain in another way; undefined if that fails too. */
  readonly otherwise?: (
    itemIndex: number,
    reason: InvalidReason,
  ) => { readonly company: string; readonly request: Request } | Invalid | Result | undefined;
  readonly keyOf?: (request: Request) => string;
}

/**
 * Reads the `domain` parameter of every input item, and the request of each item that has a usable one.
 * The other items get their result here, without a request or a credit.
 *
 * @throws The errors of {@link readRows}.
 * @throws {NodeOperationError} If a field was dropped into the middle of another one.
 * @throws {InputError} If the column of a sheet that was written before is missing.
 */
export function readDomainRows<Request>(
  context: IExecuteFunctions,
  { otherwise, keyOf, ...options }: DomainReading<Request>,
  toRequest: (found: FoundDomain, itemIndex: number) => Request | Result,
): DomainRows<Request> {
  const given = getRawParameter(context, 'domain');
  const hasSeveralFields = checkFields(context, given) > 1;
  const { missing, message: missingMessage, instead } = findMissingFields(context, given);
  const read = createCandidatesReader(context, 'domain');
  const companies = new Set<string>();
  const invalid: Array<DomainFacts['invalid'][number]> = [];
  const usable = { byDomain: 0, otherwise: 0 };
  const readItem = (itemIndex: number): Request | Result => {
    const found = normalizeDomain(read(itemIndex), options);
    if (found.valid) {
      const request = toRequest(found, itemIndex);
      companies.add(found.domain);
      usable.byDomain += 1;
      return request;
    }
    const other = otherwise?.(itemIndex, found.reason) ?? found;
    if ('outputs' in other) return other;
    if ('company' in other) {
      companies.add(other.company);
      usable.otherwise += 1;
      return other.request;
    }
    const { reason, about, message } = other;
    invalid.push({ reason, about });
    if (missing[itemIndex] === true) return toInvalid(null, MISSING_FIELD, missingMessage);
    return toInvalid(null, reason, message);
  };
  const { rows, requests } = readRows(context, readItem, keyOf);
  if (invalid.length === rows.length) assertColumnExists(context, instead, options.columnPrefix);
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
    requests,
    counts,
    invalid,
    hasSeveralFields,
    instead,
    rejectsEmailHosts: options.rejectFreeMail === true,
    isExpressionText:
      typeof given === 'string' && !given.startsWith('=') && isExpressionText(given),
  };
}

/** An expression in which a field begins directly after a word: `{{ $json.W$json.Email }}`. */
const FIELD_IN_FIELD = /\{\{[^{}]*(?:[\w"']\$json\b|\{\{)[^{}]*/;

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

/** Returns the result of a row without a usable domain, which costs no credit. */
export function toInvalid(domain: string | null, reason: string, message: string): Result {
  return toSuccess({ domain, status: 'invalid', reason, message });
}

export type CompanyLookup = string | NamedCompany;

export interface CompanyRows extends DomainRows<CompanyLookup> {
  readonly domains: readonly string[];
  readonly names: readonly NamedCompany[];
  readonly sections: readonly CompanySection[];
  /** Whether names are looked up, so rows say how their company was found. */
  readonly usesNames: boolean;
}

/**
 * Reads which companies the input items name, by domain or by name, and which sections to request.
 *
 * @param include Omitted if the operation offers no sections.
 * @throws The errors of {@link readDomainRows}.
 * @throws {InputError} If Include is invalid, or not the same for all items.
 */
export function readCompanies(
  context: IExecuteFunctions,
  options: NormalizeOptions & Partial<Pick<RowOutput, 'columnPrefix'>>,
  include?: Parameter<CompanySection[]>,
): CompanyRows {
  const sections = include === undefined ? [] : readSections(context, include);
  const readName = createNameReader(context);
  let unreadCountries = 0;
  const otherwise = (itemIndex: number, reason: InvalidReason) => {
    const given = readName?.(itemIndex, reason);
    if (given === undefined || 'reason' in given) return given;
    if (given.country?.codes.length === 0) {
      unreadCountries += 1;
      return toUnreadCountry(given.name.text, given.country.text);
    }
    // The space keeps names apart from domains.
    const company = `name ${given.name.keys[0]}`;
    return { company, request: given };
  };
  const rows = readDomainRows<CompanyLookup>(
    context,
    { ...options, otherwise, keyOf: toLookupKey },
    ({ domain }) => domain,
  );
  const requests = [...rows.requests.keys()];
  return {
    ...rows,
    domains: requests.filter((one) => typeof one === 'string'),
    names: requests.filter((one) => typeof one !== 'string'),
    sections,
    usesNames: readName !== undefined,
    unreadCountries,
  };
}

function toUnreadCountry(name: string, country: string): Result {
  const message = `${quote(country)} is not the name of one country, so ${quote(name)} was not searched. Enter a country's ISO code or name, or the company's domain`;
  return toSuccess({ domain: null, status: 'ambiguous', message, candidates: [] });
}

/** Reads Include, which applies to the whole run: a request has one set of sections. */
function readSections(
  context: IExecuteFunctions,
  include: Parameter<CompanySection[]>,
): CompanySection[] {
  const read = createItemReader(context, {
    ...include,
    read: (place) => [...new Set(include.read(place))].sort(),
  });
  const sections = read(0);
  const isSame = context
    .getInputData()
    .every((_item, itemIndex) => read(itemIndex).join() === sections.join());
  if (isSame) return sections;
  throw new InputError(
    'Include must be the same for all items',
    'For other sections, use another node behind an If node. Nothing was sent.',
  );
}

function toLookupKey(lookup: CompanyLookup): string {
  if (typeof lookup === 'string') return lookup;
  return JSON.stringify([lookup.name.keys[0], lookup.country]);
}

/** With other reasons, a row is about a person or a page, so `Total` is the name of a company. */
const WITHOUT_HOST: readonly InvalidReason[] = ['empty', 'not_text', 'no_dot', 'placeholder'];

function createNameReader(
  context: IExecuteFunctions,
): ((itemIndex: number, reason: InvalidReason) => NamedCompany | Invalid | undefined) | undefined {
  if (readOptionalText(getRawParameter(context, 'companyName')) === undefined) return undefined;
  const readName = createReader(context, 'companyName');
  const readCountry = createReader(context, 'companyCountry');
  return (itemIndex, reason) => {
    const given = readName(itemIndex);
    const message = WITHOUT_HOST.includes(reason) ? findNoCompany(readNameText(given)) : undefined;
    if (message !== undefined) return { reason: 'no_company', message };
    const name = parseCompanyName(given);
    return name && { name, country: parseCountry(readCountry(itemIndex)) };
  };
}
