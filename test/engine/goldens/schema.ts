import type { IDataObject } from 'n8n-workflow';

/** JSON Schema from which n8n's editor shows an operation's output before the node has run. */
export interface OutputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly version: 1;
}

interface Schema {
  readonly type: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/**
 * Describes items: all fields that any item has, each with the type of its first value that is not
 * null.
 */
export function outputSchema(items: readonly IDataObject[]): OutputSchema {
  return { type: 'object', properties: propertiesOf(items), version: 1 };
}

function schemaOf(values: readonly unknown[]): Schema {
  const [first] = values.filter((value) => value !== null && value !== undefined);
  if (Array.isArray(first)) {
    const elements = values.filter((value) => Array.isArray(value)).flat();
    return elements.length === 0 ? { type: 'array' } : { type: 'array', items: schemaOf(elements) };
  }
  if (isObject(first)) return { type: 'object', properties: propertiesOf(values.filter(isObject)) };
  return { type: first === undefined ? 'null' : typeof first };
}

function propertiesOf(objects: readonly IDataObject[]): Record<string, Schema> {
  const names = new Set(objects.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      schemaOf(objects.flatMap((one) => (name in one ? [one[name]] : []))),
    ]),
  );
}

function isObject(value: unknown): value is IDataObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
