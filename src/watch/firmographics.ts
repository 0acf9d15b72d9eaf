import type { Row } from '../run/answers/rows';

/** What a company must be like; an empty list lets all through. Compared whatever the case. */
export interface Firmographics {
  readonly industry: readonly string[];
  readonly country: readonly string[];
  readonly employee_range: readonly string[];
}

/** Whether any filter is set. */
export function hasFilters({ industry, country, employee_range }: Firmographics): boolean {
  return [industry, country, employee_range].some((wanted) => wanted.length > 0);
}

/** Whether a company's firmographics match all filters. What is not known matches none. */
export function matches(company: Row, filters: Firmographics): boolean {
  return Object.entries(filters).every(([field, wanted]: [string, readonly string[]]) => {
    const value = company[field];
    return (
      wanted.length === 0 ||
      (typeof value === 'string' && wanted.some((one) => one.toLowerCase() === value.toLowerCase()))
    );
  });
}

/** Whether a filter is about something that is not known of a company. */
export function isBlank(company: Row, filters: Firmographics): boolean {
  return Object.entries(filters).some(
    ([field, wanted]: [string, readonly string[]]) =>
      wanted.length > 0 && (typeof company[field] !== 'string' || company[field] === ''),
  );
}
