import { z } from 'zod/v4';
import { FIXED_CHOICES } from '../choices';
import { characterCount } from '../domains';

/**
 * Schemas that several endpoints share. Query parameters arrive as text. Response schemas are
 * strict, so that the sandbox sends no undeclared field.
 */

/** Accepts an integer in a query. */
export function integer(min: number, max = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be an integer')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** The number of rows to return. */
export function pageSize(max: number, byDefault: number = FIXED_CHOICES.defaultPageSize) {
  return integer(1, max).default(byDefault);
}

/** Accepts text of `min` to `max` characters. */
export function text(min: number, max: number) {
  return z
    .string()
    .refine(
      (value) => characterCount(value) >= min && characterCount(value) <= max,
      `must have ${min} to ${max} characters`,
    )
    .meta({ minLength: min, maxLength: max });
}

export const page = integer(1, 1_000_000_000).default(1);

export const booleanText = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Comma-separated values, each from a set. Spaces around commas are ignored. */
export function commaSeparated<const T extends readonly [string, ...string[]]>(values: T) {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(z.enum(values)))
    .meta({ enum: [...values] });
}

export const includeFirmographics = commaSeparated(['firmographics']).default([]);

/** Domains of a request. The handlers check how many there are. */
export const domains = z.array(z.string()).min(1);

export const timestamp = z.iso.datetime();

export const count = z.int().min(0);

export const pagination = z.strictObject({
  page: z.int().min(1),
  limit: z.int().min(1),
  total_results: count,
  total_pages: count,
  has_next: z.boolean(),
  has_prev: z.boolean(),
  next_url: z.url().optional(),
});

/** Returns the standard paginated envelope of a row. */
export function paged<T extends z.ZodType>(row: T) {
  return z.strictObject({ data: z.array(row), pagination });
}

export const companyReference = z.strictObject({
  slug: z.string().nullable(),
  name: z.string(),
  primary_domain: z.string(),
});
