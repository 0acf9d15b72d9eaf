import { parseEmployeeRange } from './flat-company';
import { isRow, type Row } from '../run/responses/rows';

/** Filters for companies; an empty list accepts all. The comparison ignores case. */
export interface Firmographics {
  readonly industry: readonly string[];
  readonly country: readonly string[];
  readonly employee_range: readonly string[];
}

/** Returns whether a company's firmographics match all filters. An unknown value matches no filter. */
export function matchesFirmographics(company: Row, filters: Firmographics): boolean {
  return meetsAll(company, toWantedFields(filters));
}

function meetsAll(company: Row, filters: ReturnType<typeof toWantedFields>): boolean {
  return filters.every(([field, wanted]) => {
    const value = company[field];
    return typeof value === 'string' && wanted.includes(value.toLowerCase());
  });
}

/** Returns whether a filter needs a value that is unknown for a company. */
export function hasUnknownField(company: Row, filters: Firmographics): boolean {
  return toWantedFields(filters).some(
    ([field]) => typeof company[field] !== 'string' || company[field] === '',
  );
}

/** Returns the filters that are set, with their values in lower case. */
export function toWantedFields(filters: Firmographics): Array<[field: string, wanted: string[]]> {
  return Object.entries(filters)
    .filter(([, wanted]: [string, readonly string[]]) => wanted.length > 0)
    .map(([field, wanted]: [string, readonly string[]]) => [
      field,
      wanted.map((one) => one.toLowerCase()),
    ]);
}

/** Conditions for companies in a list; rows that do not meet all of them are dropped. */
export interface KeepOnly {
  readonly industry?: readonly string[];
  readonly country?: readonly string[];
  readonly employeesMin?: number | undefined;
  readonly employeesMax?: number | undefined;
}

/**
 * Returns a function that returns whether to keep a row. An unknown value meets no condition.
 *
 * @returns undefined if there are no conditions.
 */
export function createKeepFilter({
  industry = [],
  country = [],
  employeesMin,
  employeesMax,
}: KeepOnly): ((row: Row) => boolean) | undefined {
  // Prepared once, because a list can have a million rows.
  const filters = toWantedFields({ industry, country, employee_range: [] });
  const isSized = employeesMin !== undefined || employeesMax !== undefined;
  if (!isSized && filters.length === 0) return undefined;
  return ({ firmographics }) => {
    if (!isRow(firmographics) || !meetsAll(firmographics, filters)) return false;
    if (!isSized) return true;
    const { min = 0, max = Infinity } =
      parseEmployeeRange(firmographics.employee_range) ?? UNKNOWN_SIZE;
    return max >= (employeesMin ?? 0) && min <= (employeesMax ?? Infinity);
  };
}

/** Bounds that meet no condition, because comparisons with NaN are false. */
const UNKNOWN_SIZE = { min: NaN, max: NaN };
