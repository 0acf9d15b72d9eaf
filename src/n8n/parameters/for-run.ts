import { NodeOperationError, type IExecuteFunctions, type IPollFunctions } from 'n8n-workflow';

import { InputError, notTooDeep } from '../../input/inputs';
import { isRow } from '../../run/answers/rows';
import type { RowOutput } from '../rows/row-form';
import {
  placeOf,
  type Declared,
  type Parameter,
  type Place,
  type RunParameter,
  type RunValuesOf,
} from './declare';
import { evaluated, ItemParameters } from './item-parameters';

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
  return readAll(context, declared, placeOf(new ItemParameters(context, 0)));
}

/** The same for a poll, which has no items. */
export function readForPoll<D extends Declared>(
  context: IPollFunctions,
  declared: D,
): RunValuesOf<D> {
  const inCollection = (collection: string): Place => ({
    get: (name) => {
      const entries: unknown = context.getNodeParameter(collection, {});
      return notTooDeep(isRow(entries) ? entries[name] : undefined, name);
    },
    in: inCollection,
  });
  const get = (name: string) =>
    notTooDeep(
      evaluated(name, () => context.getNodeParameter(name, undefined, { extractValue: true })),
      name,
    );
  return readAll(context, declared, { get, in: inCollection });
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
  const place = placeOf(new ItemParameters(context, 0)).in('options');
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
