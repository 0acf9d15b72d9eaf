import { toText, formatNumber } from '../values/text';
import { findText, isJsonObject, type Row } from '../values/json';

export const LIST_SEPARATOR = '; ';

/** Field of firmographics for `technology_count`, if the row does not list the technologies themselves. */
const TOTAL_TECHNOLOGIES = 'tech_count';

/** Their fields become columns without a prefix. */
const UNPACKED = new Set(['company', 'firmographics']);

/** Of names in a list. The technologies of vendor users have a different field name. */
const LIST_COLUMNS: Readonly<Record<string, string>> = {
  technologies: 'technology_names',
  technologies_used: 'technology_names',
  partnerships: 'partner_names',
};

/** Fields with the total count of a list. */
const TOTAL_COUNT_FIELDS: Readonly<Record<string, string>> = {
  technologies: 'technology_count',
  technologies_used: 'technology_count',
  partnerships: 'partnership_count',
};

const FIRST = [
  'domain',
  'status',
  'company_name',
  'industry',
  'employee_range',
  'employees_min',
  'employees_max',
  'country',
  'founded_year',
  'technology_count',
  'technology_names',
  'partnership_count',
  'partner_names',
];

const SECTION_BY_FIELD: ReadonlyMap<string, string> = new Map([
  ['technologies', 'technologies'],
  ['technology_count', 'technologies'],
  ['partnerships', 'partnerships'],
  ['partnership_count', 'partnerships'],
]);

export interface FlatRowOptions {
  /** Each gets a `has_…` column: whether the company uses the technology. */
  readonly technologyColumns?: readonly string[];
  /** The requested ones, if the user can choose them. */
  readonly sections?: readonly string[];
}

/**
 * Returns the flat row of a row of any response about companies: no lists or objects, and no column for a value
 * that the response does not contain.
 */
export function toFlatCompany(row: Row, options: FlatRowOptions = {}): Row {
  // This code runs for each row of a run, so it avoids maps and lists of entries.
  const found: Row = {};
  for (const name in row) {
    if (!isNotRequested(row, name, options.sections)) flattenInto(row, name, found);
  }
  found.domain ??= found.primary_domain;
  found.technology_count ??= found[TOTAL_TECHNOLOGIES];
  addEmployeeBounds(found);
  found.last_seen_at ??= findNewestDate(row.technologies);
  for (const [column, value] of getUsesColumns(row, options)) found[column] = value;
  return orderColumns(found);
}

/**
 * Whether an empty value means "unknown": sections that were not requested are empty (API spec: Bulk company
 * result), and so are all sections of a company that the service does not track.
 */
function isNotRequested(row: Row, name: string, sections: readonly string[] | undefined): boolean {
  const value = row[name];
  if (value !== 0 && !(Array.isArray(value) && value.length === 0)) return false;
  const section = SECTION_BY_FIELD.get(name);
  const isUnrequested = section !== undefined && sections?.includes(section) === false;
  return isUnrequested || row.status === 'not_tracked';
}

/** @param fields Those of firmographics by their paths. */
export function getFlatColumns(
  fields: readonly string[],
  technologyColumns: readonly string[] = [],
): string[] {
  const found: Row = {};
  for (const path of fields) {
    const name = path.replace(/^firmographics\./, '');
    found[LIST_COLUMNS[name] ?? toColumn(name)] = path;
  }
  if ('technology_names' in found || TOTAL_TECHNOLOGIES in found) found.technology_count = '';
  found.domain ??= found.primary_domain;
  if ('employee_range' in found) Object.assign(found, { employees_min: '', employees_max: '' });
  for (const key of technologyColumns) found[toUsesColumn(key)] = key;
  return Object.keys(orderColumns(found));
}

/** `51-200`, `1,001-5,000` or `10,001+`. */
const EMPLOYEE_RANGE = /^(\d[\d,]*)(?:-(\d[\d,]*)|\+)$/;

/** Spreadsheets read `1-10` as a date, and CRMs need numbers. A bound that the range does not have is omitted. */
function addEmployeeBounds(found: Row): void {
  if (typeof found.employee_range !== 'string') return;
  const [, min, max] = EMPLOYEE_RANGE.exec(found.employee_range) ?? [];
  if (min !== undefined) found.employees_min ??= Number(min.replaceAll(',', ''));
  if (max !== undefined) found.employees_max ??= Number(max.replaceAll(',', ''));
}

function findNewestDate(technologies: unknown): string | undefined {
  const dates = Array.isArray(technologies)
    ? technologies
        .filter(isJsonObject)
        .map((one) => findText(one, ['last_seen_at', 'last_seen']) ?? '')
    : [];
  const known = dates.filter((date) => !Number.isNaN(Date.parse(date)));
  return known.sort((a, b) => Date.parse(b) - Date.parse(a))[0];
}

function flattenInto(row: Row, name: string, found: Row, before = ''): void {
  const value = row[name];
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    if (!isOmitted(value, row[TOTAL_COUNT_FIELDS[name] ?? ''])) {
      const column = before + (LIST_COLUMNS[name] ?? name);
      addColumn(column, joinNames(value), found);
      if (column === 'technology_names') addColumn('technology_count', value.length, found);
    }
  } else if (isJsonObject(value)) {
    const inner = UNPACKED.has(name) ? before : `${before}${name}_`;
    for (const field in value) {
      // The column of vendor.vendor_name is vendor_name, not vendor_vendor_name.
      flattenInto(value, field, found, field.startsWith(`${name}_`) ? before : inner);
    }
  } else {
    addColumn(before === '' ? toColumn(name) : before + name, shortenCell(value), found);
  }
}

/** The company's own fields come before its firmographics and win. */
function addColumn(column: string, value: unknown, found: Row): void {
  if (!Object.hasOwn(found, column)) found[column] = value;
}

/** A list that was not requested is empty, but its count is not (API spec: Bulk company result). */
function isOmitted(list: readonly unknown[], count: unknown): boolean {
  return list.length === 0 && typeof count === 'number' && count > 0;
}

const NAMES = ['display_name', 'partner_name', 'name', 'tech_key', 'partner_domain', 'domain'];

/** Excel refuses a file with a cell of more than 32,767 characters. */
const MAX_CELL_LENGTH = 32_000;
/** For the number of names that a cell leaves out. */
const REST_LENGTH = 30;

function joinNames(list: readonly unknown[]): string {
  const names = list.map(getName).filter((name) => name !== '');
  const all = names.join(LIST_SEPARATOR);
  if (all.length <= MAX_CELL_LENGTH) return all;
  let length = 0;
  const rest = names.findIndex((name) => {
    length += name.length + LIST_SEPARATOR.length;
    return length > MAX_CELL_LENGTH - REST_LENGTH;
  });
  const more = formatNumber(names.length - rest);
  return `${names.slice(0, rest).join(LIST_SEPARATOR)} … (+${more} more)`;
}

function shortenCell(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MAX_CELL_LENGTH) return value;
  return `${value.slice(0, MAX_CELL_LENGTH - 1)}…`;
}

/** A text, or the first text of an object that has no usual name. */
function getName(entry: unknown): string {
  if (!isJsonObject(entry)) return Array.isArray(entry) ? joinNames(entry) : toText(entry);
  if (typeof entry.name === 'string' && typeof entry.primary_domain === 'string') {
    const country = typeof entry.country === 'string' ? `, ${entry.country}` : '';
    return `${entry.name} (${entry.primary_domain}${country})`;
  }
  const isText = (value: unknown): value is string => typeof value === 'string';
  return findText(entry, NAMES) ?? Object.values(entry).find(isText) ?? '';
}

/** None if the row lacks the technologies: absence proves nothing then. */
function getUsesColumns(
  row: Row,
  { technologyColumns = [], sections }: FlatRowOptions,
): Array<[column: string, uses: boolean]> {
  if (technologyColumns.length === 0 || row.status === 'not_tracked') return [];
  const { technologies, technology_count: count } = row;
  const isKnown = sections?.includes('technologies') !== false && Array.isArray(technologies);
  if (!isKnown || isOmitted(technologies, count)) return [];
  const used = new Set(technologies.map((one) => (isJsonObject(one) ? one.tech_key : undefined)));
  return technologyColumns.map((key) => [toUsesColumn(key), used.has(key)]);
}

function toUsesColumn(techKey: string): string {
  return `has_${techKey.replaceAll('-', '_')}`;
}

function toColumn(name: string): string {
  return name === 'name' ? 'company_name' : name;
}

function orderColumns(found: Row): Row {
  const ordered: Row = {};
  const leftOut = found.primary_domain === found.domain ? 'primary_domain' : undefined;
  for (const column of FIRST) if (found[column] !== undefined) ordered[column] = found[column];
  for (const column in found) {
    if (column === leftOut || column === TOTAL_TECHNOLOGIES) continue;
    if (found[column] !== undefined) ordered[column] = found[column];
  }
  return ordered;
}
