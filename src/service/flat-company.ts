import { isRow, type Row } from '../run/answers/rows';

/*
 * One flat row for a company, whatever answer it comes from: with the same columns everywhere, nothing
 * inside them, and none for what the answer does not say.
 */

/** What is between the names in a column that holds several, unless users say otherwise. */
export const BETWEEN = '; ';

/** Columns that are called otherwise than the field of the answer (interface: Resources). */
const COLUMN_OF: Readonly<Record<string, string>> = {
  name: 'company_name',
  tech_count: 'technology_count',
};

/** Objects whose fields become columns without a word before them. */
const UNPACKED = new Set(['company', 'firmographics']);

/** Columns for the names in a list; technologies are those of a company, or of a user of a vendor. */
const LIST_COLUMNS: Readonly<Record<string, string>> = {
  technologies: 'technology_names',
  technologies_used: 'technology_names',
  partnerships: 'partner_names',
};

/** How many a list of the answer has in all. */
const COUNT_OF: Readonly<Record<string, string>> = {
  technologies: 'technology_count',
  technologies_used: 'technology_count',
  partnerships: 'partnership_count',
};

/** These columns come first, in this order. */
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

/** The sections that fields of a bulk result belong to (interface: Bulk company result). */
const SECTION_OF: ReadonlyMap<string, string> = new Map([
  ['technologies', 'technologies'],
  ['technology_count', 'technologies'],
  ['partnerships', 'partnerships'],
  ['partnership_count', 'partnerships'],
]);

/** What a flat row of a company depends on besides the company. */
export interface FlatForm {
  /** Technologies that get a column each, `has_…`: whether the company uses it. */
  readonly technologyColumns?: readonly string[];
  /** The sections that were asked for, where they can be chosen. */
  readonly sections?: readonly string[];
  /** What is between the names in a column that holds several; {@link BETWEEN} if left out. */
  readonly listSeparator?: string | undefined;
}

/** How companies come out, as the user chose. */
export interface CompanyForm extends FlatForm {
  /** Whether as flat rows; else as the service gives them, without what is null. */
  readonly simplify: boolean;
}

/** Makes of a row of an answer what comes out. */
export type Shape = (row: Row) => Row;

/** How companies come out of a node. */
export function shapeOf({ simplify, ...form }: CompanyForm): Shape {
  return simplify ? (row) => flatCompany(row, form) : withoutNulls;
}

/**
 * The columns that flat rows have in any case.
 *
 * @param fields of the rows themselves, as {@link flatColumns} takes them.
 * @returns undefined where rows are not flat.
 */
export function columnsOf(form: CompanyForm, fields: readonly string[]): string[] | undefined {
  return form.simplify ? flatColumns(fields, form.technologyColumns) : undefined;
}

/**
 * The flat row of a company.
 *
 * @param row of any answer about companies.
 */
export function flatCompany(row: Row, form: FlatForm = {}): Row {
  // Here and below no maps and no lists of entries: it is done for each row of a run.
  const found: Row = {};
  for (const name in row) {
    if (!isUnsaid(row, name, form.sections)) unpack(row, name, form.listSeparator, found);
  }
  found.domain ??= found.primary_domain;
  addEmployeeBounds(found);
  for (const [column, value] of usesOf(row, form)) found[column] = value;
  return inOrder(found, found.primary_domain === found.domain ? 'primary_domain' : undefined);
}

/**
 * Sections that were not asked for are empty (interface: Bulk company result), as are all of a company
 * that the service does not know: nothing is known by that.
 */
function isUnsaid(row: Row, name: string, sections: readonly string[] | undefined): boolean {
  const value = row[name];
  if (value !== 0 && !(Array.isArray(value) && value.length === 0)) return false;
  const section = SECTION_OF.get(name);
  const isUnasked = section !== undefined && sections?.includes(section) === false;
  return isUnasked || row.status === 'not_tracked';
}

/**
 * The columns of flat rows.
 *
 * @param fields of the rows themselves; those of their firmographics by their paths.
 * @param technologyColumns see {@link FlatForm}.
 */
export function flatColumns(
  fields: readonly string[],
  technologyColumns: readonly string[] = [],
): string[] {
  const found: Row = {};
  for (const path of fields) {
    const name = path.replace(/^firmographics\./, '');
    found[LIST_COLUMNS[name] ?? columnOf(name)] = path;
  }
  found.domain ??= found.primary_domain;
  if ('employee_range' in found) Object.assign(found, { employees_min: '', employees_max: '' });
  for (const key of technologyColumns) found[usesColumn(key)] = key;
  return Object.keys(
    inOrder(found, found.primary_domain === found.domain ? 'primary_domain' : undefined),
  );
}

/** All columns that rows with these fields may have, simplified or not. */
export function possibleColumns(fields: readonly string[]): string[] {
  const ofCompany = ['company_name', 'company_primary_domain', 'company_slug'];
  return [...flatColumns(fields), ...fields.map((path) => path.replace('.', '_')), ...ofCompany];
}

/** A number, maybe in groups of three, maybe in thousands. */
const HEADCOUNT = /(\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?!\d)|\d+)\s*(k\b)?/gi;

/**
 * The bounds of `employee_range` as numbers, because spreadsheets read `1-10` as a date and CRMs want
 * numbers. One that a range does not have (`1001+`) is left out.
 */
function addEmployeeBounds(found: Row): void {
  const { employee_range: range } = found;
  if (typeof range !== 'string') return;
  const [first, second, ...others] = Array.from(
    range.matchAll(HEADCOUNT),
    ([, digits = '', thousands]) =>
      Number(digits.replace(/\D/g, '')) * (thousands === undefined ? 1 : 1000),
  );
  if (first === undefined || others.length > 0) return;
  const hasMin = second !== undefined || !/<|less|under|below|up to/i.test(range);
  const hasMax = second !== undefined || !/\+|>|more|over|above/i.test(range);
  if (hasMin) found.employees_min ??= first;
  if (hasMax) found.employees_max ??= second ?? first;
}

/** The same answer without what it does not say, so that n8n shows the fields of other rows. */
export function withoutNulls(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, withoutNullsIn(value)]),
  );
}

function withoutNullsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullsIn);
  return isRow(value) ? withoutNulls(value) : value;
}

function unpack(
  row: Row,
  name: string,
  between: string | undefined,
  found: Row,
  before = '',
): void {
  const value = row[name];
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    if (!isLeftOut(value, row[COUNT_OF[name] ?? ''])) {
      add(before + (LIST_COLUMNS[name] ?? name), namesIn(value, between), found);
    }
  } else if (isRow(value)) {
    const inner = UNPACKED.has(name) ? before : `${before}${name}_`;
    for (const field in value) {
      // vendor.vendor_name is no vendor_vendor_name.
      unpack(value, field, between, found, field.startsWith(`${name}_`) ? before : inner);
    }
  } else {
    add(before === '' ? columnOf(name) : before + name, value, found);
  }
}

/** The first one counts: what an answer says of the company itself comes before its firmographics. */
function add(column: string, value: unknown, found: Row): void {
  if (!Object.hasOwn(found, column)) found[column] = value;
}

/** Sections that were not asked for are empty lists beside their count (interface: Bulk company result). */
function isLeftOut(list: readonly unknown[], count: unknown): boolean {
  return list.length === 0 && typeof count === 'number' && count > 0;
}

const NAMES = ['display_name', 'partner_name', 'name', 'tech_key', 'partner_domain', 'domain'];

/** The names of technologies or partners, as one column holds them. */
export function namesIn(list: readonly unknown[], between = BETWEEN): string {
  return list.map((entry) => textOf(nameOf(entry))).join(between);
}

function nameOf(entry: unknown): unknown {
  if (isRow(entry) && typeof entry.name === 'string' && typeof entry.primary_domain === 'string') {
    // A candidate for the company that a name means.
    const country = typeof entry.country === 'string' ? `, ${entry.country}` : '';
    return `${entry.name} (${entry.primary_domain}${country})`;
  }
  return textUnder(entry, NAMES) ?? entry;
}

/** The first text under one of some names. */
function textUnder(entry: unknown, names: readonly string[]): string | undefined {
  if (!isRow(entry)) return undefined;
  return names
    .map((name) => entry[name])
    .find((value): value is string => typeof value === 'string' && value !== '');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Only of technologies that were asked for it is known which a company does not use. */
function usesOf(
  row: Row,
  { technologyColumns = [], sections }: FlatForm,
): Array<[column: string, uses: boolean]> {
  if (technologyColumns.length === 0 || row.status === 'not_tracked') return [];
  const used = sections?.includes('technologies') === false ? undefined : technologiesOf(row);
  if (used === undefined) return [];
  return technologyColumns.map((key) => [usesColumn(key), used.has(key)]);
}

function usesColumn(techKey: string): string {
  return `has_${techKey.replaceAll('-', '_')}`;
}

/**
 * The technologies of a company by their keys.
 *
 * @param row of any answer about companies.
 * @returns undefined where the answer does not say them.
 */
function technologiesOf(row: Row): ReadonlyMap<string, unknown> | undefined {
  const { technologies } = row;
  if (!Array.isArray(technologies) || isLeftOut(technologies, row.technology_count)) {
    return undefined;
  }
  return new Map(technologies.map((technology) => [keyOf(technology), technology]));
}

const KEYS = ['tech_key', ...NAMES];

/** The key of a technology; where it has none, that which keys make of its name. */
function keyOf(technology: unknown): string {
  const text = textUnder(technology, KEYS) ?? textOf(technology);
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

function columnOf(name: string): string {
  return COLUMN_OF[name] ?? name;
}

function inOrder(found: Row, leftOut: string | undefined): Row {
  const ordered: Row = {};
  for (const column of FIRST) if (found[column] !== undefined) ordered[column] = found[column];
  for (const column in found) {
    if (column !== leftOut && found[column] !== undefined) ordered[column] = found[column];
  }
  return ordered;
}

/**
 * Two companies beside each other, as one flat row: what both use, and what only one.
 *
 * @param a an answer about a company with its technologies (interface: Companies, rule 1).
 * @param b the same of the other one; without it, all technologies of A are among those of A only.
 * @param statusB whether the service tracks B.
 * @returns `domain` and `company_name` of each with `_a` and `_b` behind them; `technology_count` and
 *   `technology_names` with `_both`, `_only_a` and `_only_b`, unless an answer says no technologies.
 */
export function sideBySide(a: Row, b?: Row, statusB = 'tracked'): Row {
  const inA = technologiesOf(a);
  const inB = b && technologiesOf(b);
  const whose = { ...named(a, 'a'), ...(b && named(b, 'b')), status_b: statusB };
  if (inA !== undefined && b === undefined)
    return { ...whose, ...listed('only_a', [...inA.values()]) };
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
