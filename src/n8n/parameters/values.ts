import { InputError, notTooDeep, sendableOf } from '../../input/inputs';
import { quote, shortened } from '../../input/quote';
import { isRow, type Row } from '../../run/answers/rows';
import { asError } from '../failures';

/*
 * What users give, as what it is meant to be. `name` is what the user sees of the parameter. Each
 * throws an InputError that names it, for what an expression may give but the editor would not.
 */

/** One of a few words, in whatever case; the fallback for none. */
export function choiceOf<T extends string>(
  value: unknown,
  name: string,
  allowed: readonly T[],
  fallback: T,
): T {
  if (value === undefined || value === '') return fallback;
  return wordOf(value, allowed) ?? wrong(value, name, allowed);
}

/** Several of a few words: a list, a list in JSON, words with commas between them, or `all`. */
export function chosenOf<T extends string>(
  value: unknown,
  name: string,
  allowed: readonly T[],
): T[] {
  return listed(value, /[,;\n]/).flatMap((word) => {
    if (wordOf(word, EVERY_OR_NONE) === 'all') return allowed;
    if (wordOf(word, EVERY_OR_NONE) === 'none') return [];
    return [wordOf(word, allowed) ?? wrong(word, name, [...allowed, 'all'])];
  });
}

const EVERY_OR_NONE = ['all', 'none'] as const;

/** Agents and expressions write words as they are in the editor: `Technologies`. */
function wordOf<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  const given = typeof value === 'string' ? value.trim().toLowerCase() : value;
  return (
    allowed.find((word) => word === value) ?? allowed.find((word) => word.toLowerCase() === given)
  );
}

/**
 * The entries of a list, which may be one in JSON, or a text.
 *
 * @param between what stands between the entries of a text.
 */
export function listed(value: unknown, between: RegExp): unknown[] {
  const entries = Array.isArray(value) ? (value as unknown[]) : entriesIn(value, between);
  return entries
    .map((entry) => (typeof entry === 'string' ? entry.trim() : entry))
    .filter((entry) => entry !== '' && entry !== undefined && entry !== null);
}

function entriesIn(value: unknown, between: RegExp): unknown[] {
  if (typeof value !== 'string') return [value];
  if (value.trim().startsWith('[')) {
    try {
      const json: unknown = JSON.parse(value);
      if (Array.isArray(json)) return json as unknown[];
    } catch {
      // A text that begins with a bracket.
    }
  }
  return value.split(between);
}

/** A yes or no, as text too; undefined for none. */
export function yesOrNoOf(value: unknown, name: string): boolean | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'boolean'
    ? value
    : choiceOf(value, name, ['true', 'false'], 'false') === 'true';
}

/** Text without spaces around it; undefined for none. */
export function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

/** A text of a query; undefined for none. */
export function queryTextOf(value: unknown, name: string): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : sendableOf(text, name);
}

/** JSON that a user typed, or that an expression gave; undefined for none. */
export function jsonOf(value: unknown, name: string): unknown {
  if (typeof value !== 'string') return value ?? undefined;
  if (value.trim() === '') return undefined;
  let json: unknown;
  try {
    json = JSON.parse(value);
  } catch (error) {
    throw new InputError(
      `"${name}" is not JSON: ${shortened(asError(error).message)}`,
      'Correct the JSON; nothing was sent.',
    );
  }
  return notTooDeep(json, name);
}

/** The same of a JSON object. */
export function jsonObjectOf(value: unknown, name: string): Row | undefined {
  const json = jsonOf(value, name);
  if (json === undefined || isRow(json)) return json;
  throw new InputError(
    `"${name}" is JSON, but not an object`,
    'Give an object, like { "name": "value" }; nothing was sent.',
  );
}

interface NumberForm {
  readonly min: number;
  readonly max?: number;
  readonly whole: boolean;
  /** How to correct what is none. */
  readonly advice?: string;
}

/** A number within bounds, as text too; a whole one is one that JavaScript can count with. */
export function numberOf(
  value: unknown,
  name: string,
  { min, max = Infinity, whole, advice = 'Correct the parameter; nothing was sent.' }: NumberForm,
): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  // Whole numbers beyond it are no longer told apart, and sums of them become infinite.
  const most = whole ? Math.min(max, Number.MAX_SAFE_INTEGER) : max;
  if (typeof number === 'number' && number >= min && number <= most) {
    if (!whole || Number.isInteger(number)) return number;
  }
  const isTooLarge = typeof number === 'number' && number > most;
  const range =
    max < Infinity || isTooLarge
      ? `from ${String(min)} to ${String(most)}`
      : `of ${String(min)} or more`;
  throw new InputError(
    `"${name}" must be a ${whole ? 'whole ' : ''}number ${range}, not ${quote(value)}`,
    advice,
  );
}

function wrong(value: unknown, name: string, allowed: readonly string[]): never {
  throw new InputError(
    `"${name}" cannot be ${quote(value)}. Use one of: ${allowed.join(', ')}`,
    'Nothing was sent.',
  );
}
