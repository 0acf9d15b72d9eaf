import { isDeepStrictEqual } from 'node:util';

import {
  NodeOperationError,
  type IExecuteFunctions,
  type IGetNodeParameterOptions,
  type INodeProperties,
  type IPollFunctions,
  type NodeExecutionHint,
} from 'n8n-workflow';

import { InputError, assertNotTooDeep, createTooDeepError } from '../../input/inputs';
import { quote } from '../../values/text';
import { isJsonObject } from '../../values/json';
import { toError, isStackOverflow } from '../failures';
import { createHint } from '../run-hints';
import type { Declared, Parameter, ParameterSource, RunValuesOf } from './declare';

export function createItemSource(context: IExecuteFunctions, itemIndex: number): ParameterSource {
  return toSource((name, ...more) => context.getNodeParameter(name, itemIndex, ...more));
}

/** Resource locators return their value; hidden parameters and options that were not added are undefined. */
function toSource(
  evaluate: (name: string, fallback?: unknown, options?: IGetNodeParameterOptions) => unknown,
): ParameterSource {
  const collection = (of: string): ParameterSource => ({
    get: (name) => {
      const entries = evaluateSafely(of, () => evaluate(of, {}));
      if (isJsonObject(entries)) return assertNotTooDeep(entries[name], name);
      throw new InputError(
        `"${of.charAt(0).toUpperCase()}${of.slice(1)}" has the invalid value ${quote(entries)}`,
        'Choose from the list in this node. Nothing was sent.',
      );
    },
    in: collection,
  });
  const get = (name: string) =>
    assertNotTooDeep(
      evaluateSafely(name, () => evaluate(name, undefined, { extractValue: true })),
      name,
    );
  return { get, in: collection };
}

/** n8n's evaluation overflows the stack on deeply nested values, and throws for hidden parameters. */
function evaluateSafely(name: string, evaluate: () => unknown): unknown {
  try {
    return evaluate();
  } catch (error) {
    if (toError(error).message.startsWith('Could not get parameter')) return undefined;
    throw isStackOverflow(error) ? createTooDeepError(`"${name}"`) : error;
  }
}

/** Reads the parameters of the first item. An error for an invalid option names the option. */
export function readForRun<D extends Declared>(
  context: IExecuteFunctions,
  declared: D,
): RunValuesOf<D> {
  return readAll(context, declared, createItemSource(context, 0));
}

export function readForPoll<D extends Declared>(
  context: IPollFunctions,
  declared: D,
): RunValuesOf<D> {
  return readAll(
    context,
    declared,
    toSource((...given) => context.getNodeParameter(...given)),
  );
}

export interface RunLimits {
  readonly maxCredits?: number;
}

/** Options for the whole run of an operation that reads all others per item. */
export function readRunLimits(context: IExecuteFunctions, { options }: Declared): RunLimits {
  if (options === undefined || !('entries' in options)) return {};
  const entries = Object.entries(options.entries as Declared).filter(([, one]) => 'scope' in one);
  const place = createItemSource(context, 0).in('options');
  return readOptions(context, Object.fromEntries(entries), place);
}

function readAll<D extends Declared>(
  context: IExecuteFunctions | IPollFunctions,
  declared: D,
  place: ParameterSource,
): RunValuesOf<D> {
  const values = Object.entries(declared).map(([name, one]) => {
    if (!('entries' in one)) return [name, one.read(place)];
    return [name, readOptions(context, one.entries as Declared, place.in(name))];
  });
  return Object.fromEntries(values) as RunValuesOf<D>;
}

function readOptions(
  context: IExecuteFunctions | IPollFunctions,
  entries: Declared,
  place: ParameterSource,
): object {
  const values = Object.entries(entries).map(([name, { read, properties }]) => {
    try {
      return [name, read(place)];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const label = quote(properties[0]?.displayName ?? name);
      const message = error.message.includes(label) ? error.message : `${label}: ${error.message}`;
      const description = `${error.hint} Correct it under Options in this node.`;
      throw new NodeOperationError(context.getNode(), message, { description });
    }
  });
  return Object.fromEntries(values) as object;
}

/** `={{ $json.website }} {{ $json["E-Mail"] }}`. */
const FIELDS = /\{\{\s*\$json(?:\.([A-Za-z_]\w*)|\["([^"\\]+)"\]|\['([^'\\]+)'\])\s*\}\}/g;

/**
 * n8n's evaluation takes 0.3 ms per item, which is 30 s for 100,000 items. So the most common kind of
 * expression is read directly from the item, and a value without an expression is read once.
 */
export function createReader(
  context: IExecuteFunctions,
  name: string,
): (itemIndex: number) => unknown {
  const read = (itemIndex: number): unknown => context.getNodeParameter(name, itemIndex);
  const given = getRawParameter(context, name);
  if (isFixedText(given)) return readOnce(read);
  return typeof given === 'string' ? (createFieldsReader(context, given) ?? read) : read;
}

/**
 * n8n puts nothing between expressions that are dragged into a field, so a website and an email address would
 * become `acme.comjo@acme.com`. For these, reads first the separated values, then the joined one.
 */
export function createCandidatesReader(
  context: IExecuteFunctions,
  name: string,
): (itemIndex: number) => unknown {
  const together = createReader(context, name);
  const given = getRawParameter(context, name);
  if (typeof given !== 'string' || !given.includes('}}{{')) return together;
  const spaced = given.replaceAll('}}{{', '}} {{');
  const apart =
    createFieldsReader(context, spaced) ??
    ((itemIndex: number) => context.evaluateExpression(spaced.slice(1), itemIndex));
  return (itemIndex) => [apart(itemIndex), together(itemIndex)];
}

/**
 * Undefined if the text has other expressions than fields. If one of several fields holds a list or an object,
 * which n8n would output as `[object Object]`, reads the list of values.
 */
function createFieldsReader(
  context: IExecuteFunctions,
  given: string,
): ((itemIndex: number) => unknown) | undefined {
  const template = given.slice(1);
  const fields = [...template.matchAll(FIELDS)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  const between = template.replace(FIELDS, '');
  if (fields.length === 0 || /[{}\\]/.test(between)) return undefined;
  const isAlone = fields.length === 1 && between === '';
  const items = context.getInputData();
  return (itemIndex) => {
    const json = items[itemIndex]?.json ?? {};
    const values = fields.map((field) => readField(json, field));
    if (isAlone) return values[0];
    if (values.some((value) => typeof value === 'object' && value !== null)) return values;
    let at = 0;
    return template.replace(FIELDS, () => {
      const value = values[at++];
      if (value === undefined || value === null) return '';
      return typeof value === 'string' ? value : JSON.stringify(value);
    });
  };
}

/** A file's first column can begin with an invisible byte order mark. */
export function readField(json: Readonly<Record<string, unknown>>, field: string): unknown {
  const name = Object.hasOwn(json, field) ? field : `\ufeff${field}`;
  return Object.hasOwn(json, name) ? json[name] : undefined;
}

export function createItemReader<T>(
  context: IExecuteFunctions,
  { properties, read }: Parameter<T>,
): (itemIndex: number) => T {
  const readers = new Map(properties.map(({ name }) => [name, createReader(context, name)]));
  const readOne = (itemIndex: number): T =>
    read({
      ...createItemSource(context, itemIndex),
      get: (name) => readers.get(name)?.(itemIndex),
    });
  const areSame = properties.every(({ name }) => isFixedText(getRawParameter(context, name)));
  return areSame ? readOnce(readOne) : readOne;
}

/** Often, someone enters a company to try the node, and then runs it for all rows. */
export function warnAboutFixedText(
  context: IExecuteFunctions,
  { name, displayName }: Pick<INodeProperties, 'name' | 'displayName'>,
): NodeExecutionHint[] {
  if (!isFixedText(getRawParameter(context, name))) return [];
  const items = context.getInputData();
  if (items.every(({ json }) => isDeepStrictEqual(json, items[0]?.json))) return [];
  return [
    createHint(
      `All ${String(items.length)} items use the same company because ${displayName} is fixed text. To use one company per item, drag an input field into ${displayName}.`,
      'warning',
    ),
  ];
}

export function getRawParameter(context: IExecuteFunctions, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>(
      (within, key) => (isJsonObject(within) ? within[key] : undefined),
      context.getNode().parameters,
    );
}

function isFixedText(given: unknown): boolean {
  return !JSON.stringify(given ?? '').includes('"=');
}

function readOnce<T>(read: (itemIndex: number) => T): (itemIndex: number) => T {
  let first: { readonly value: T } | undefined;
  return (itemIndex) => (first ??= { value: read(itemIndex) }).value;
}
