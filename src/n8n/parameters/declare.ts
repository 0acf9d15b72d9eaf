import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Row } from '../../values/json';
import {
  parseChoices,
  parseChoice,
  parseJsonObject,
  parseNumber,
  parseQueryText,
  parseFlag,
} from './parsers';

export interface ParameterSource {
  readonly get: (name: string) => unknown;
  readonly in: (collection: string) => ParameterSource;
}

export interface Parameter<T> {
  readonly properties: INodeProperties[];
  /** @throws {InputError} If the value is invalid. */
  readonly read: (place: ParameterSource) => T;
}

interface RunParameter<T> extends Parameter<T> {
  readonly scope: 'run';
}

/** Parameters by the names that operations use for their values. */
export type Declared = Readonly<Record<string, Parameter<unknown>>>;

export type ValuesOf<D extends Declared> = {
  readonly [K in keyof D as D[K] extends RunParameter<unknown> ? never : K]: D[K] extends Parameter<
    infer T
  >
    ? T
    : never;
};

export type RunValuesOf<D extends Declared> = {
  readonly [K in keyof D]: D[K] extends Collection<infer E>
    ? RunValuesOf<E>
    : D[K] extends Parameter<infer T>
      ? T
      : never;
};

type Property = INodeProperties;
type Entry<V extends string> = Omit<INodePropertyOptions, 'value'> & { value: V };
type ChoiceProperty<V extends string> = Omit<Property, 'options'> & { options: Array<Entry<V>> };

export function parameter<T>(
  property: Property,
  read: (value: unknown, name: string, place: ParameterSource) => T,
): Parameter<T> {
  return {
    properties: [property],
    read: (place) => read(place.get(property.name), property.displayName, place),
  };
}

export function locator<T>(
  property: Pick<Property, 'displayName' | 'name' | 'description'>,
  {
    placeholder,
    ...search
  }: { placeholder: string; searchListMethod: string; searchFilterRequired?: true },
  entered: { placeholder: string; hint: string },
  read: (value: unknown) => T,
): Parameter<T> {
  const typeOptions = { searchable: true, ...search };
  const modes: Property['modes'] = [
    { displayName: 'From List', name: 'list', type: 'list', placeholder, typeOptions },
    { displayName: 'By ID', name: 'id', type: 'string', ...entered },
  ];
  const usual = { mode: 'list', value: '' };
  return parameter(
    { ...property, type: 'resourceLocator', required: true, default: usual, modes },
    read,
  );
}

/** Its operation reads it itself, such as once per item. */
export function unread(...properties: INodeProperties[]): Parameter<undefined> {
  return { properties, read: () => undefined };
}

export function text(property: Property): Parameter<string | undefined> {
  return parameter(property, parseQueryText);
}

export function choice<const V extends string>(property: ChoiceProperty<V>): Parameter<V> {
  // A test checks for all properties that the default is one of the options.
  return parameter(property, (value, name) =>
    parseChoice(value, name, property.options, property.default as V),
  );
}

export function multipleChoice<const V extends string>(
  property: ChoiceProperty<V>,
): Parameter<V[]> {
  return parameter(property, (value, name) => parseChoices(value, name, property.options));
}

export function commaSeparated<const V extends string>(
  property: ChoiceProperty<V>,
): Parameter<string | undefined> {
  const { read, ...rest } = multipleChoice(property);
  return { ...rest, read: (place) => read(place).join(',') || undefined };
}

export function optionalFlag(property: Property): Parameter<boolean | undefined> {
  return parameter(property, parseFlag);
}

export function flag(property: Property & { default: boolean }): Parameter<boolean> {
  return parameter(property, (value, name) => parseFlag(value, name) ?? property.default);
}

interface NumberBounds {
  readonly max?: number;
  /** False to allow fractions. */
  readonly whole?: boolean;
}

/**
 * Within `minValue` and `maxValue` of the property. An expression that returns nothing is rejected, because it
 * must not mean "no limit".
 */
export function number(
  property: Property & { default: number },
  bounds: NumberBounds = {},
): Parameter<number> {
  return parameter(property, (value, name) =>
    parseNumber(value === undefined ? property.default : value, name, toRange(property, bounds)),
  );
}

export function optionalNumber(property: Property): Parameter<number | undefined> {
  return parameter(property, (value, name) =>
    value === undefined || value === ''
      ? undefined
      : parseNumber(value, name, toRange(property, {})),
  );
}

function toRange({ typeOptions }: Property, { max, whole = true }: NumberBounds) {
  const { minValue: min = -Infinity, maxValue = Infinity } = typeOptions ?? {};
  return { min, max: max ?? maxValue, whole };
}

export function jsonObject(property: Property): Parameter<Row> {
  const name = property.displayName.replace(' (JSON)', '');
  return parameter(property, (value) => parseJsonObject(value, name) ?? {});
}

export function forRun<T>(parameter_: Parameter<T>): RunParameter<T> {
  return { ...parameter_, scope: 'run' };
}

export function withDescription<P extends Parameter<unknown>>(
  parameter_: P,
  describe: (usual: string) => string,
): P {
  const properties = parameter_.properties.map((property) => ({
    ...property,
    description: describe(property.description ?? ''),
  }));
  return { ...parameter_, properties };
}

export function shownIf<T>(
  show: NonNullable<NonNullable<Property['displayOptions']>['show']>,
  { properties, read }: Parameter<T>,
): Parameter<T> {
  return {
    properties: properties.map((property) => ({ ...property, displayOptions: { show } })),
    read,
  };
}

interface Collection<D extends Declared> extends Parameter<ValuesOf<D>> {
  readonly entries: D;
}

/** Sorts the entries, because n8n requires options in alphabetical order. */
export function collection<D extends Declared>(
  property: Omit<Property, 'type' | 'options'>,
  entries: D,
): Collection<D> {
  const options = Object.values(entries)
    .flatMap(({ properties }) => properties)
    .sort((a, b) => a.displayName.localeCompare(b.displayName));
  return {
    properties: [{ ...property, type: 'collection', options }],
    entries,
    read: (place) => readParameterValues(entries, place.in(property.name)),
  };
}

export function readParameterValues<D extends Declared>(
  declared: D,
  place: ParameterSource,
): ValuesOf<D> {
  const values = Object.entries(declared)
    .filter(([, one]) => !('scope' in one))
    .map(([name, { read }]) => [name, read(place)]);
  return Object.fromEntries(values) as ValuesOf<D>;
}
