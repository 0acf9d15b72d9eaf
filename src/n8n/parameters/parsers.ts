import { InputError, assertNotTooDeep, assertSendable, parseTechKey } from '../../input/inputs';
import { quote } from '../../values/text';
import { isJsonObject, type Row } from '../../values/json';

/*
 * Each parser throws an InputError that names the parameter by its display name, for values that an expression
 * can return but the editor cannot.
 */

interface Choice<T extends string> {
  /** As the editor shows it. */
  readonly name: string;
  readonly value: T;
}

export function parseChoice<T extends string>(
  value: unknown,
  name: string,
  choices: ReadonlyArray<Choice<T>>,
  fallback: T,
): T {
  if (value === undefined || value === '') return fallback;
  return findChoice(value, choices) ?? throwInvalidValue(value, name, choices);
}

/** A list, a list as JSON, words separated by commas, or `all`. */
export function parseChoices<T extends string>(
  value: unknown,
  name: string,
  choices: ReadonlyArray<Choice<T>>,
): T[] {
  return parseList(value, /[,;\n]/).flatMap((word) => {
    const special = findChoice(word, [ALL, NONE]);
    if (special !== undefined) return special === 'all' ? choices.map((one) => one.value) : [];
    return [findChoice(word, choices) ?? throwInvalidValue(word, name, [...choices, ALL])];
  });
}

const ALL = { name: 'All', value: 'all' } as const;
const NONE = { name: 'None', value: 'none' } as const;
const YES_AND_NO = [
  { name: 'True', value: 'true' },
  { name: 'False', value: 'false' },
] as const;

/** Ignores case, because agents and expressions write words as in the editor: `Technologies`. */
function findChoice<T extends string>(
  value: unknown,
  choices: ReadonlyArray<Choice<T>>,
): T | undefined {
  const given = typeof value === 'string' ? value.trim().toLowerCase() : value;
  const words = choices.map((one) => one.value);
  return words.find((word) => word === value) ?? words.find((word) => word.toLowerCase() === given);
}

export function parseList(value: unknown, between: RegExp): unknown[] {
  const entries = Array.isArray(value) ? (value as unknown[]) : listEntries(value, between);
  return entries
    .map((entry) => (typeof entry === 'string' ? entry.trim() : entry))
    .filter((entry) => entry !== '' && entry !== undefined && entry !== null);
}

export function parseTechKeys(value: unknown): string[] {
  return parseList(value, /[,;\s]+/).map(parseTechKey);
}

function listEntries(value: unknown, between: RegExp): unknown[] {
  if (typeof value !== 'string') return [value];
  if (value.trim().startsWith('[')) {
    try {
      const json: unknown = JSON.parse(value);
      if (Array.isArray(json)) return json as unknown[];
    } catch {
      // It is not JSON but text that starts with a bracket.
    }
  }
  return value.split(between);
}

export function parseFlag(value: unknown, name: string): boolean | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'boolean'
    ? value
    : parseChoice(value, name, YES_AND_NO, 'false') === 'true';
}

export function readOptionalText(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

export function parseQueryText(value: unknown, name: string): string | undefined {
  const text = readOptionalText(value);
  return text === undefined ? undefined : assertSendable(text, name);
}

/** JSON that a user entered, or the value that an expression returned. */
export function parseJsonParameter(value: unknown, name: string): unknown {
  if (typeof value !== 'string') return value ?? undefined;
  if (value.trim() === '') return undefined;
  let json: unknown;
  try {
    json = JSON.parse(value);
  } catch {
    throw new InputError(
      `"${name}" cannot be read as JSON: ${quote(value)}`,
      'Correct the JSON. Nothing was sent.',
    );
  }
  return assertNotTooDeep(json, name);
}

export function parseJsonObject(value: unknown, name: string): Row | undefined {
  const json = parseJsonParameter(value, name);
  if (json === undefined || isJsonObject(json)) return json;
  throw new InputError(
    `"${name}" is valid JSON but not an object`,
    'Enter an object such as { "name": "value" }. Nothing was sent.',
  );
}

interface NumberRules {
  readonly min: number;
  readonly max?: number;
  readonly whole: boolean;
  readonly advice?: string;
}

export function parseNumber(
  value: unknown,
  name: string,
  { min, max = Infinity, whole, advice = 'Correct the parameter. Nothing was sent.' }: NumberRules,
): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  // Larger whole numbers lose precision.
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

function throwInvalidValue(
  value: unknown,
  name: string,
  choices: ReadonlyArray<Choice<string>>,
): never {
  throw new InputError(`"${name}" has the invalid value ${quote(value)}`, adviseChoices(choices));
}

/** With the values behind the names that the editor shows, which expressions must return. */
export function adviseChoices(choices: ReadonlyArray<Choice<string>>): string {
  const allowed = choices.map(({ name, value }) =>
    name.toLowerCase() === value.toLowerCase() ? name : `${name} (${value})`,
  );
  return `Use one of: ${allowed.join(', ')}. Nothing was sent.`;
}
