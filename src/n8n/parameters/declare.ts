import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Row } from '../../run/answers/rows';
import { chosenOf, choiceOf, jsonObjectOf, numberOf, queryTextOf, yesOrNoOf } from './values';

/** Where a parameter's value stands: among the parameters of an item, or in one of its collections. */
export interface Place {
  /** A value as n8n gives it; undefined for none. */
  readonly get: (name: string) => unknown;
  /** One of the item's collections, such as `options`. */
  readonly in: (collection: string) => Place;
}

/** A parameter, declared once: what users see of it, and what an operation gets. */
export interface Parameter<T> {
  /** One, or those that belong together. */
  readonly properties: INodeProperties[];
  /** @throws {InputError} that says what is wrong with the value and how to correct it. */
  readonly read: (place: Place) => T;
}

/** A parameter that holds for the whole run; the first item's value counts. */
export interface RunParameter<T> extends Parameter<T> {
  readonly scope: 'run';
}

/** Parameters by the names that operations have for their values. */
export type Declared = Readonly<Record<string, Parameter<unknown>>>;

/** What an operation gets for one item. */
export type ValuesOf<D extends Declared> = {
  readonly [K in keyof D as D[K] extends RunParameter<unknown> ? never : K]: D[K] extends Parameter<
    infer T
  >
    ? T
    : never;
};

/** What an operation on all items at once gets: also what holds for the whole run. */
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

/** A parameter with a reader of its own, which gets the value and what the user sees of its name. */
export function parameter<T>(
  property: Property,
  read: (value: unknown, name: string, place: Place) => T,
): Parameter<T> {
  return {
    properties: [property],
    read: (place) => read(place.get(property.name), property.displayName, place),
  };
}

/** Text to be sent; undefined for none. */
export function text(property: Property): Parameter<string | undefined> {
  return parameter(property, queryTextOf);
}

/** One of the property's options; its default for none. */
export function choice<const V extends string>(property: ChoiceProperty<V>): Parameter<V> {
  const allowed = property.options.map(({ value }) => value);
  // The property's own default is one of its options; a test holds that for all.
  return parameter(property, (value, name) =>
    choiceOf(value, name, allowed, property.default as V),
  );
}

/** Several of the property's options. */
export function several<const V extends string>(property: ChoiceProperty<V>): Parameter<V[]> {
  const allowed = property.options.map(({ value }) => value);
  return parameter(property, (value, name) => chosenOf(value, name, allowed));
}

/** The same, comma-separated as the interface wants it in a query; undefined for none. */
export function words<const V extends string>(
  property: ChoiceProperty<V>,
): Parameter<string | undefined> {
  const { read, ...rest } = several(property);
  return { ...rest, read: (place) => read(place).join(',') || undefined };
}

/** A yes or no; undefined where nothing was chosen. */
export function yesOrNo(property: Property): Parameter<boolean | undefined> {
  return parameter(property, yesOrNoOf);
}

/** A yes or no; the property's default where nothing was chosen. */
export function onOff(property: Property & { default: boolean }): Parameter<boolean> {
  return parameter(property, (value, name) => yesOrNoOf(value, name) ?? property.default);
}

/**
 * A whole number within the property's bounds; its default where nothing was chosen. What an
 * expression leaves empty is refused: it must not mean "no limit".
 *
 * @param bounds where the editor has none, or fractions are fine.
 */
export function number(
  property: Property & { default: number },
  bounds: { readonly max?: number; readonly whole?: boolean } = {},
): Parameter<number> {
  const { minValue: min = -Infinity, maxValue } = property.typeOptions ?? {};
  const max = bounds.max ?? maxValue;
  const allowed = { min, ...(max === undefined ? {} : { max }), whole: bounds.whole ?? true };
  return parameter(property, (value, name) =>
    numberOf(value === undefined ? property.default : value, name, allowed),
  );
}

/** A whole number of a collection, where empty is the same as not chosen. */
export function optionalNumber(property: Property): Parameter<number | undefined> {
  const { minValue: min = -Infinity } = property.typeOptions ?? {};
  return parameter(property, (value, name) =>
    value === undefined || value === '' ? undefined : numberOf(value, name, { min, whole: true }),
  );
}

/** A JSON object; an empty one for none. */
export function jsonObject(property: Property): Parameter<Row> {
  const name = property.displayName.replace(' (JSON)', '');
  return parameter(property, (value) => jsonObjectOf(value, name) ?? {});
}

/** Says that a parameter holds for the whole run. */
export function forRun<T>(parameter_: Parameter<T>): RunParameter<T> {
  return { ...parameter_, scope: 'run' };
}

/** The same parameter with another description. */
export function described<P extends Parameter<unknown>>(
  parameter_: P,
  describe: (usual: string) => string,
): P {
  const properties = parameter_.properties.map((property) => ({
    ...property,
    description: describe(property.description ?? ''),
  }));
  return { ...parameter_, properties };
}

/** The same parameter, shown only where another has one of some values. */
export function shownFor<T>(
  show: NonNullable<NonNullable<Property['displayOptions']>['show']>,
  { properties, read }: Parameter<T>,
): Parameter<T> {
  return {
    properties: properties.map((property) => ({ ...property, displayOptions: { show } })),
    read,
  };
}

/** A collection of optional parameters, with what is in it. */
export interface Collection<D extends Declared> extends Parameter<ValuesOf<D>> {
  readonly entries: D;
}

/** @param property of which `options` are filled in, in the alphabetical order that n8n wants. */
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
    read: (place) => valuesIn(entries, place.in(property.name)),
  };
}

/** The values of parameters for one item, without those that hold for the whole run. */
export function valuesIn<D extends Declared>(declared: D, place: Place): ValuesOf<D> {
  const values = Object.entries(declared)
    .filter(([, one]) => !('scope' in one))
    .map(([name, { read }]) => [name, read(place)]);
  return Object.fromEntries(values) as ValuesOf<D>;
}
