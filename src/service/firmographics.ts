import type { Row } from '../run/responses/rows';

/** Filters for companies; an empty list accepts all. The comparison ignores case. */
export interface Firmographics {
  readonly industry: readonly string[];
  readonly country: readonly string[];
  readonly employee_range: readonly string[];
}

/** Returns whether a company's firmographics match all filters. An unknown value matches no filter. */
export function matchesFirmographics(company: Row, filters: Firmographics): boolean {
  return toWantedFields(filters).every(([field, wanted]) => {
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
