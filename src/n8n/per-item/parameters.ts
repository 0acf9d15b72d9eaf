import type { IExecuteFunctions } from 'n8n-workflow';

import { notTooDeep, tooDeep } from '../../api/depth';
import { InputError, sendableOf } from '../../api/inputs';
import { quote, shortened } from '../../api/quote';
import { isRow, type Row } from '../../run/answers/rows';
import { asError, isStackOverflow } from '../failures';

/** The parameters of one input item, with its expressions evaluated. */
export class ItemParameters {
  constructor(
    private readonly context: IExecuteFunctions,
    readonly itemIndex: number,
  ) {}

  /** A parameter as it is. Resource locators give their value. */
  get(name: string): unknown {
    return notTooDeep(
      this.read(name, () =>
        this.context.getNodeParameter(name, this.itemIndex, undefined, { extractValue: true }),
      ),
      name,
    );
  }

  /** An entry of a collection such as `options` or `filters`; undefined when it was not added. */
  in(collection: string, name: string): unknown {
    const value = this.read(collection, () =>
      this.context.getNodeParameter(collection, this.itemIndex, {}),
    );
    return isRow(value) ? notTooDeep(value[name], name) : undefined;
  }

  /** n8n's own evaluation overflows the stack on what is very deep. */
  private read(name: string, evaluate: () => unknown): unknown {
    try {
      return evaluate();
    } catch (error) {
      throw isStackOverflow(error) ? tooDeep(`"${name}"`) : error;
    }
  }

  /**
   * One of a few words.
   *
   * @throws {InputError} when an expression gives another.
   */
  choice<T extends string>(value: unknown, name: string, allowed: readonly T[], fallback: T): T {
    if (value === undefined || value === '') return fallback;
    return allowed.find((word) => word === value) ?? this.wrong(value, name, allowed);
  }

  private wrong(value: unknown, name: string, allowed: readonly string[]): never {
    throw new InputError(
      `"${name}" cannot be ${quote(value)}`,
      `Use one of: ${allowed.join(', ')}.`,
    );
  }

  /**
   * Several of a few words, comma-separated as the interface wants them; undefined for none.
   *
   * @throws {InputError} when an expression gives others.
   */
  words(value: unknown, name: string, allowed: readonly string[]): string | undefined {
    const words = this.chosen(value, name, allowed);
    return words.length === 0 ? undefined : words.join(',');
  }

  /**
   * Several of a few words, as a list or with commas between them.
   *
   * @throws {InputError} when an expression gives others.
   */
  chosen<T extends string>(value: unknown, name: string, allowed: readonly T[]): T[] {
    const given: unknown[] =
      typeof value === 'string' ? value.split(',').map((word) => word.trim()) : asArray(value);
    return given
      .filter((word) => word !== '' && word !== undefined)
      .flatMap((word) => allowed.find((one) => one === word) ?? this.wrong(word, name, allowed));
  }

  /**
   * A yes or no, as text too; undefined for none.
   *
   * @throws {InputError} when an expression gives something else.
   */
  yesOrNo(value: unknown, name: string): boolean | undefined {
    if (value === undefined || value === null || value === '') return undefined;
    return typeof value === 'boolean'
      ? value
      : this.choice(value, name, ['true', 'false'], 'false') === 'true';
  }

  /** How many rows are wanted: undefined when Return All is on. */
  wanted(): number | undefined {
    if (this.yesOrNo(this.get('returnAll'), 'Return All') === true) return undefined;
    const limit = Number(this.get('limit'));
    if (Number.isInteger(limit) && limit >= 1) return limit;
    throw new InputError(
      `"Limit" must be a whole number of 1 or more, not ${quote(this.get('limit'))}`,
      'Correct Limit, or turn on Return All.',
    );
  }
}

/** Text without spaces around it; undefined for none. */
export function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

/**
 * A text of a query; undefined for none.
 *
 * @throws {InputError} when it cannot be sent.
 */
export function queryTextOf(value: unknown, name: string): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : sendableOf(text, name);
}

/**
 * JSON that a user typed, or that an expression gave; undefined for none.
 *
 * @throws {InputError} when it is text that is not JSON, or nested too deep.
 */
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

/**
 * A JSON object that a user typed, or that an expression gave; undefined for none.
 *
 * @throws {InputError} when it is anything else.
 */
export function jsonObjectOf(value: unknown, name: string): Row | undefined {
  const json = jsonOf(value, name);
  if (json === undefined || isRow(json)) return json;
  throw new InputError(
    `"${name}" is JSON, but not an object`,
    'Give an object, like { "name": "value" }; nothing was sent.',
  );
}

/** The Additional Fields parameter, to be merged into a body. */
export function additionalFieldsOf(parameters: ItemParameters): Row {
  return jsonObjectOf(parameters.get('additionalFields'), 'Additional Fields') ?? {};
}

/** The Subdomains option. */
export function subdomainsOf(parameters: ItemParameters): 'strip' | 'keep' {
  const value = parameters.in('options', 'subdomains');
  return parameters.choice(value, 'Subdomains', ['strip', 'keep'], 'strip');
}

function asArray(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}
