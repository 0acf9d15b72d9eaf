import { PARTNERSHIP_TYPES } from '../data/partnerships';
import { COUNTRIES, EMPLOYEE_RANGES, INDUSTRIES } from '../data/words';

/** Version of the catalog, stored in definitions. It changes when fields or operators change. */
export const REGISTRY_VERSION = '2025-06-01';

/** Operators by the kind of value that they accept. */
export const OPERATORS = {
  text: ['equals', 'contains', 'starts_with', 'in'],
  choice: ['equals', 'not_equals', 'in', 'not_in'],
  number: ['equals', 'gte', 'lte', 'between'],
  reference: ['equals', 'in'],
  boolean: ['equals'],
} as const;

export type FieldType = keyof typeof OPERATORS;

export interface FilterField {
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  /** The allowed values, for a field with a fixed set. */
  readonly values?: readonly string[];
}

const COUNTRY_NAMES = [...new Set(COUNTRIES.map((country) => country.name))].sort();

/** Fields by which lists can filter companies. */
export const FILTER_FIELDS = [
  { key: 'name', label: 'Company name', type: 'text' },
  { key: 'primary_domain', label: 'Primary domain', type: 'text' },
  { key: 'industry', label: 'Industry', type: 'choice', values: INDUSTRIES },
  { key: 'country', label: 'Country', type: 'choice', values: COUNTRY_NAMES },
  { key: 'employee_range', label: 'Employees', type: 'choice', values: EMPLOYEE_RANGES },
  { key: 'founded_year', label: 'Founded in', type: 'number' },
  { key: 'tech_count', label: 'Number of technologies', type: 'number' },
  { key: 'open_jobs_count', label: 'Open jobs', type: 'number' },
  { key: 'partnership_count', label: 'Number of partnerships', type: 'number' },
  { key: 'technology', label: 'Uses technology (tech_key)', type: 'reference' },
  { key: 'vendor', label: 'Uses a technology of vendor (domain)', type: 'reference' },
  { key: 'partner', label: 'Partner of (domain or slug)', type: 'reference' },
  {
    key: 'partnership_type',
    label: 'Has a partnership of type',
    type: 'choice',
    values: PARTNERSHIP_TYPES,
  },
  { key: 'has_partner_page', label: 'Has a partner page', type: 'boolean' },
] as const satisfies readonly FilterField[];

export type FilterKey = (typeof FILTER_FIELDS)[number]['key'];

/** Returns the catalog as in the response of `GET /v1/lists/filter-fields`. */
export function filterCatalogue() {
  return {
    registry_version: REGISTRY_VERSION,
    fields: FILTER_FIELDS.map((field: FilterField) => ({
      key: field.key,
      label: field.label,
      type: field.type,
      operators: [...OPERATORS[field.type]],
      ...(field.values === undefined ? {} : { values: [...field.values] }),
    })),
  };
}
