import { isDeepStrictEqual } from 'node:util';

import {
  NodeOperationError,
  type IExecuteFunctions,
  type IGetNodeParameterOptions,
  type INodeProperties,
  type IPollFunctions,
  type NodeExecutionHint,
} from 'n8n-workflow';

import { InputError, notTooDeep, tooDeep } from '../../input/inputs';
import { quote } from '../../input/quote';
import { isRow } from '../../run/answers/rows';
import { asError, isStackOverflow } from '../failures';
import { hint } from '../figures';
import type { RowOutput } from '../rows/rows';
import type { Declared, Parameter, Place, RunParameter, RunValuesOf } from './declare';

/** How n8n is asked for a parameter of one item, or of a poll. */
type Ask = (name: string, fallback?: unknown, options?: IGetNodeParameterOptions) => unknown;

/** The place of an item's own parameters, with its expressions evaluated. */
export function placeOf(context: IExecuteFunctions, itemIndex: number): Place {
  return placeIn((name, ...more) => context.getNodeParameter(name, itemIndex, ...more));
}

/** Resource locators give their value; what is not shown, or was not added, is undefined. */
function placeIn(ask: Ask): Place {
  const collection = (of: string): Place => ({
    get: (name) => {
      const entries = evaluated(of, () => ask(of, {}));
      if (isRow(entries)) return notTooDeep(entries[name], name);
      throw new InputError(
        `"${of.charAt(0).toUpperCase()}${of.slice(1)}" cannot be ${quote(entries)}`,
        'Choose from the list in this node.',
      );
    },
    in: collection,
  });
  const get = (name: string) =>
    notTooDeep(
      evaluated(name, () => ask(name, undefined, { extractValue: true })),
      name,
    );
  return { get, in: collection };
}

/**
 * A parameter's value. n8n's own evaluation overflows the stack on what is very deep, and gives no
 * parameter that it hides.
 *
 * @returns undefined for one that is hidden.
 * @throws {InputError} when n8n cannot evaluate it for its depth.
 */
function evaluated(name: string, evaluate: () => unknown): unknown {
  try {
    return evaluate();
  } catch (error) {
    if (asError(error).message.startsWith('Could not get parameter')) return undefined;
    throw isStackOverflow(error) ? tooDeep(`"${name}"`) : error;
  }
}

/**
 * Reads parameters that hold for a whole run, as the first item has them.
 *
 * @throws {NodeOperationError} that names the option which is wrong.
 * @throws {InputError} for a parameter beside the options.
 */
export function readForRun<D extends Declared>(
  context: IExecuteFunctions,
  declared: D,
): RunValuesOf<D> {
  return readAll(context, declared, placeOf(context, 0));
}

/** The same for a poll, which has no items. */
export function readForPoll<D extends Declared>(
  context: IPollFunctions,
  declared: D,
): RunValuesOf<D> {
  return readAll(
    context,
    declared,
    placeIn((...given) => context.getNodeParameter(...given)),
  );
}

/** Limits of a run, as far as its operation lets the user choose them. */
export interface RunLimits {
  readonly maxCredits?: number;
  readonly maxRateLimitWaitMinutes?: number;
  readonly requestTimeoutSeconds?: number;
}

/** The same, and the form of its items. */
export interface RunChoices extends RunLimits, Partial<RowOutput> {}

/** Reads what holds for the whole run, of an operation whose other parameters are each item's own. */
export function readRunChoices(context: IExecuteFunctions, { options }: Declared): RunChoices {
  if (options === undefined || !('entries' in options)) return {};
  const entries = Object.entries(options.entries as Declared).filter(([, one]) => isForRun(one));
  const place = placeOf(context, 0).in('options');
  return readOptions(context, Object.fromEntries(entries), place);
}

/** Whoever's parameters are wrong. */
type Reader = Pick<IExecuteFunctions, 'getNode'>;

function readAll<D extends Declared>(context: Reader, declared: D, place: Place): RunValuesOf<D> {
  const values = Object.entries(declared).map(([name, one]) => {
    if (!('entries' in one)) return [name, one.read(place)];
    return [name, readOptions(context, one.entries as Declared, place.in(name))];
  });
  return Object.fromEntries(values) as RunValuesOf<D>;
}

function readOptions(context: Reader, entries: Declared, place: Place): object {
  const values = Object.entries(entries).map(([name, { read }]) => {
    try {
      return [name, read(place)];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new NodeOperationError(
        context.getNode(),
        `The option "${name}" cannot be used: ${error.message}. ${error.hint}`,
        { description: 'Correct it under Options of this node.' },
      );
    }
  });
  return Object.fromEntries(values) as object;
}

function isForRun(parameter: Parameter<unknown>): parameter is RunParameter<unknown> {
  return 'scope' in parameter;
}

// --- Of one item after the other -----------------------------------------------------------------

/** An expression that is one field of the item: `={{ $json.website }}`, `={{ $json["Web Site"] }}`. */
const ONE_FIELD = /^=\{\{\s*\$json(?:\.([A-Za-z_]\w*)|\["([^"\\]+)"\]|\['([^'\\]+)'\])\s*\}\}$/;

/** Several of them in a text: `={{ $json.website }} {{ $json.email }}`. */
const FIELDS = /\{\{\s*\$json(?:\.([A-Za-z_]\w*)|\["([^"\\]+)"\]|\['([^'\\]+)'\])\s*\}\}/g;

/**
 * Reads a parameter of one item after the other. n8n's evaluation takes 0.3 ms for each, which is half a
 * minute for 100,000: the expression that nearly everybody has is read from the item itself, and what
 * is no expression is read once.
 *
 * @param name of a parameter, or of one in a collection: `options.lastSeenAt`.
 * @returns the value by the item's index; throws what the expression throws.
 */
export function readerOf(context: IExecuteFunctions, name: string): (itemIndex: number) => unknown {
  const read = (itemIndex: number): unknown => context.getNodeParameter(name, itemIndex);
  const given = givenFor(context, name);
  const found = typeof given === 'string' ? ONE_FIELD.exec(given) : null;
  const field = found?.[1] ?? found?.[2] ?? found?.[3];
  if (field !== undefined) {
    const items = context.getInputData();
    return (itemIndex) => {
      const json = items[itemIndex]?.json ?? {};
      return Object.hasOwn(json, field) ? json[field] : undefined;
    };
  }
  if (isSame(given)) return constant(read);
  return typeof given === 'string' ? (fieldsReader(context, given) ?? read) : read;
}

/**
 * Reads a parameter in which each expression may name something else, one after the other. n8n writes
 * expressions that are dragged into a field without anything between them, which would make
 * `acme.comjo@acme.com` of a website and an email address.
 *
 * @param name of a parameter.
 * @returns by the item's index its value; of glued expressions first what they give apart, and then together.
 */
export function candidatesOf(
  context: IExecuteFunctions,
  name: string,
): (itemIndex: number) => unknown {
  const together = readerOf(context, name);
  const given = givenFor(context, name);
  if (typeof given !== 'string' || !given.includes('}}{{')) return together;
  const spaced = given.replaceAll('}}{{', '}} {{');
  const apart =
    fieldsReader(context, spaced) ??
    ((itemIndex: number) => context.evaluateExpression(spaced.slice(1), itemIndex));
  return (itemIndex) => [apart(itemIndex), together(itemIndex)];
}

/**
 * Reads a text of several fields. Where one of them holds a list or an object, which n8n would write as
 * `[object Object]`, it gives what the fields hold, one after the other.
 *
 * @returns undefined if there is more in it than fields.
 */
function fieldsReader(
  context: IExecuteFunctions,
  given: string,
): ((itemIndex: number) => unknown) | undefined {
  const template = given.slice(1);
  const fields = [...template.matchAll(FIELDS)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  if (fields.length === 0 || /[{}\\]/.test(template.replace(FIELDS, ''))) return undefined;
  const items = context.getInputData();
  return (itemIndex) => {
    const json = items[itemIndex]?.json ?? {};
    const values = fields.map((field) => (Object.hasOwn(json, field) ? json[field] : undefined));
    if (values.some((value) => typeof value === 'object' && value !== null)) return values;
    let at = 0;
    return template.replace(FIELDS, () => {
      const value = values[at++];
      if (value === undefined || value === null) return '';
      return typeof value === 'string' ? value : JSON.stringify(value);
    });
  };
}

/**
 * The same of a declared parameter.
 *
 * @param parameter that is read from its own properties alone.
 */
export function eachOf<T>(
  context: IExecuteFunctions,
  { properties, read }: Parameter<T>,
): (itemIndex: number) => T {
  const readers = new Map(properties.map(({ name }) => [name, readerOf(context, name)]));
  const readOne = (itemIndex: number): T =>
    read({
      ...placeOf(context, itemIndex),
      get: (name) => readers.get(name)?.(itemIndex),
    });
  const areSame = properties.every(({ name }) => isSame(givenFor(context, name)));
  return areSame ? constant(readOne) : readOne;
}

/**
 * A warning where items that differ are about one company, because it is fixed text: often someone typed
 * one to try the node, and then ran it for all rows.
 *
 * @param company the parameter that names the company.
 */
export function warnOfFixed(
  context: IExecuteFunctions,
  { name, displayName }: Pick<INodeProperties, 'name' | 'displayName'>,
): NodeExecutionHint[] {
  if (!isSame(givenFor(context, name))) return [];
  const items = context.getInputData();
  if (items.every(({ json }) => isDeepStrictEqual(json, items[0]?.json))) return [];
  return [
    hint(
      `All ${String(items.length)} items are about the same company, because ${displayName} is fixed text. If each is about one of its own, drag the field that names it from the input into ${displayName}.`,
      'warning',
    ),
  ];
}

/** What the workflow says for a parameter, its expression as a text. */
function givenFor(context: IExecuteFunctions, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>(
      (within, key) => (isRow(within) ? within[key] : undefined),
      context.getNode().parameters,
    );
}

/** Whether there is no expression in it, so that it says the same for each item. */
function isSame(given: unknown): boolean {
  return !JSON.stringify(given ?? '').includes('"=');
}

/** Gives each item what is read for the first that asks. */
function constant<T>(read: (itemIndex: number) => T): (itemIndex: number) => T {
  let first: { readonly value: T } | undefined;
  return (itemIndex) => (first ??= { value: read(itemIndex) }).value;
}
