import type { IExecuteFunctions } from 'n8n-workflow';

import { isRow, type Row } from '../../client/values';
import { InputError } from '../../input/inputs';
import { readCredentialCredits } from '../open-run';

/*
 * Limits of a call that a model cannot raise. What the author of the workflow has set, such as Return
 * All, takes precedence.
 */

/** Maximum list rows per call. */
const MAX_ROWS = 500;
/** Short, because the agent waits for the response; it can check the job again later. */
const MAX_WAIT_MINUTES = 0.75;

/** Limits of one call. */
export interface ToolBounds {
  /** Remaining credits of the agent run. */
  readonly remaining: number;
  /** Maximum rows of a list, and companies of a network. */
  readonly most: number;
  /** Whether the credits determine that maximum. */
  readonly isByCredits: boolean;
  /** Whether lists are returned completely. */
  readonly isWhole: boolean;
}

/**
 * Returns the limits of a call.
 *
 * @param remaining Remaining credits of the agent run.
 * @throws {InputError} If no credits remain.
 */
export async function readToolBounds(
  context: IExecuteFunctions,
  remaining: number,
): Promise<ToolBounds> {
  if (remaining === 0) {
    throw new InputError(
      'The tools of this agent run have spent Max Credits per Agent Run',
      'Nothing was sent. Respond with what you already know.',
    );
  }
  const { parameters } = context.getNode();
  const costsCredits = ['countOnly', 'maxNodes', 'tier'].some((name) => name in parameters);
  const { maxCredits = 0 } = readOptions(context);
  const ofNode = Number(maxCredits) > 0 ? Number(maxCredits) : Infinity;
  const credits = Math.min(
    remaining,
    ofNode,
    costsCredits ? await readCredentialCredits(context) : Infinity,
  );
  const covered = costsCredits ? credits : Infinity;
  return {
    remaining,
    most: Math.min(MAX_ROWS, covered),
    isByCredits: covered < MAX_ROWS,
    isWhole: parameters.returnAll === true && credits === Infinity,
  };
}

/** Returns a context with the limits applied. It outputs only results, never the agent's input. */
export function withBounds(
  context: IExecuteFunctions,
  { remaining, most, isWhole }: ToolBounds,
): IExecuteFunctions {
  // With Return All, n8n hides Limit and throws when it is read.
  const hasLimit = context.getNode().parameters.returnAll !== true;
  const atMost = (value: unknown): unknown => (Number(value) > most ? most : value);
  const bounded: Readonly<Record<string, (value: unknown) => unknown>> = {
    filters: assertNotAllEmpty,
    graphOutput: (value) => (value === 'rows' ? value : 'single'),
    limit: atMost,
    maxNodes: atMost,
    options: (value) => (isRow(value) ? limitOptions(value, remaining) : value),
    // Models cannot read files.
    output: () => 'items',
    returnAll: () => isWhole,
  };
  return overrideContext(context, {}, (read) => (name, index, ...rest) => {
    if (name === 'limit' && !hasLimit) return most;
    const bound = bounded[name];
    return bound === undefined ? read(name, index, ...rest) : bound(read(name, index, ...rest));
  });
}

/** Returns the options for a node that an agent runs. */
function limitOptions(
  { maxCredits = 0, maxWaitMinutes = Infinity, ...options }: Row,
  remaining: number,
): Row {
  const isLess =
    remaining < Infinity && !(Number(maxCredits) > 0 && Number(maxCredits) <= remaining);
  return {
    ...options,
    output: 'result',
    waitMode: 'inExecution',
    maxCredits: isLess ? remaining : maxCredits,
    maxWaitMinutes: Number(maxWaitMinutes) > MAX_WAIT_MINUTES ? MAX_WAIT_MINUTES : maxWaitMinutes,
  };
}

/** Rejects empty filters, which would match every company and cost a page of them. */
function assertNotAllEmpty(filters: unknown): unknown {
  const values = isRow(filters) ? Object.values(filters) : [];
  const isEmpty = (value: unknown): boolean =>
    value === '' || value === undefined || (Array.isArray(value) && value.length === 0);
  if (values.length === 0 || !values.every(isEmpty)) return filters;
  throw new InputError(
    'All filters are empty, so every company would match',
    'Enter part of the name. Nothing was sent.',
  );
}

/** Returns the options as set in the workflow. */
export function readOptions(context: IExecuteFunctions): Row {
  const options: unknown = context.getNodeParameter('options', 0, {});
  return isRow(options) ? options : {};
}

/** Reads a parameter of an item. */
type ReadParameter = (name: string, itemIndex: number, ...rest: unknown[]) => unknown;

/** Returns a context that overrides parts of another. */
export function overrideContext(
  context: IExecuteFunctions,
  own: Partial<IExecuteFunctions>,
  getNodeParameter: (read: ReadParameter) => ReadParameter,
): IExecuteFunctions {
  return Object.assign(Object.create(context) as IExecuteFunctions, own, {
    getNodeParameter: getNodeParameter(context.getNodeParameter.bind(context) as ReadParameter),
  });
}
