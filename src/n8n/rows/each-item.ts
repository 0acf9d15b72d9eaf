import { isDeepStrictEqual } from 'node:util';

import type { IExecuteFunctions, INodeProperties, NodeExecutionHint } from 'n8n-workflow';

import { isRow } from '../../run/answers/rows';
import { hint } from '../figures';
import { isTool } from '../n8n-versions';
import type { Parameter } from '../parameters/declare';
import { placeOf } from '../parameters/read';

/** An expression that is one field of the item: `={{ $json.website }}`, `={{ $json["Web Site"] }}`. */
const ONE_FIELD = /^=\{\{\s*\$json(?:\.([A-Za-z_]\w*)|\["([^"\\]+)"\]|\['([^'\\]+)'\])\s*\}\}$/;

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
  // For an agent an argument may hold the values of several items.
  if (isTool(context)) return read;
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
  return isSame(given) ? constant(read) : read;
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
  const areSame =
    !isTool(context) && properties.every(({ name }) => isSame(givenFor(context, name)));
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
  if (isTool(context) || !isSame(givenFor(context, name))) return [];
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
