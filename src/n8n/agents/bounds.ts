import type { IExecuteFunctions } from 'n8n-workflow';

import { isRow, type Row } from '../../client/values';
import { InputError } from '../../input/inputs';
import { maxCreditsPerRunOf } from '../open-run';
import { differing } from './asked';

/*
 * Bounds of a call that a model cannot lift, whatever it fills in. What the workflow's author has fixed,
 * such as Return All, is the author's to decide.
 */

/** Rows of lists that one call may ask for. */
const MOST_ROWS = 500;
/** An agent waits for the answer meanwhile; it can ask for the job again. */
const LONGEST_WAIT_MINUTES = 0.75;

/** What one call may ask for. */
export interface Bounds {
  /** Credits that its conversation has left. */
  readonly left: number;
  /** Rows of each list, and companies of each network. */
  readonly most: number;
  /** Whether the credits bound them. */
  readonly isByCredits: boolean;
  /** Whether lists come whole. */
  readonly isWhole: boolean;
}

/**
 * Finds the bounds of a call.
 *
 * @param companies that it asks for.
 * @param left credits that its conversation has left.
 * @throws {InputError} when there are none.
 */
export async function boundsOf(
  context: IExecuteFunctions,
  companies: number,
  left: number,
): Promise<Bounds> {
  if (left === 0) {
    throw new InputError(
      'The tools of this conversation have spent the credits that they may spend together',
      'Nothing was sent. Answer with what is known already.',
    );
  }
  const { parameters } = context.getNode();
  const isBilled = 'countOnly' in parameters || 'maxNodes' in parameters;
  const { maxCredits = 0 } = optionsIn(context);
  const limits = [Number(maxCredits), isBilled ? await maxCreditsPerRunOf(context) : 0];
  const credits = Math.min(left, ...limits.filter((limit) => limit > 0));
  const covered = isBilled ? Math.floor(credits / companies) : Infinity;
  const rows = Math.floor(MOST_ROWS / companies);
  return {
    left,
    most: Math.max(1, Math.min(rows, covered)),
    isByCredits: covered < rows,
    isWhole: parameters.returnAll === true && credits === Infinity,
  };
}

/** The same context for a call within bounds. The result comes alone, because the input is the agent's. */
export function withBounds(
  context: IExecuteFunctions,
  { left, most, isWhole }: Bounds,
): IExecuteFunctions {
  // With Return All there is no Limit, which n8n refuses to give.
  const hasLimit = context.getNode().parameters.returnAll !== true;
  const atMost = (value: unknown): unknown => (Number(value) > most ? most : value);
  const bounded: Readonly<Record<string, (value: unknown) => unknown>> = {
    filters: notEmpty,
    graphOutput: (value) => (value === 'rows' ? value : 'single'),
    limit: atMost,
    maxNodes: atMost,
    options: (value) => (isRow(value) ? ofTool(value, left) : value),
    // Models read no files.
    output: () => 'items',
    returnAll: () => isWhole,
  };
  return differing(context, {}, (ask) => (name, index, ...rest) => {
    if (name === 'limit' && !hasLimit) return most;
    const bound = bounded[name];
    return bound === undefined ? ask(name, index, ...rest) : bound(ask(name, index, ...rest));
  });
}

/** The options of a node that an agent runs. */
function ofTool({ maxCredits = 0, maxWaitMinutes = Infinity, ...options }: Row, left: number): Row {
  const isLess = left < Infinity && !(Number(maxCredits) > 0 && Number(maxCredits) <= left);
  return {
    ...options,
    output: 'result',
    runReport: false,
    waitMode: 'inExecution',
    maxCredits: isLess ? left : maxCredits,
    maxWaitMinutes:
      Number(maxWaitMinutes) > LONGEST_WAIT_MINUTES ? LONGEST_WAIT_MINUTES : maxWaitMinutes,
  };
}

/** A name that the model left empty would match every company, and bill a page of them. */
function notEmpty(filters: unknown): unknown {
  const values = isRow(filters) ? Object.values(filters) : [];
  const isEmpty = (value: unknown): boolean =>
    value === '' || value === undefined || (Array.isArray(value) && value.length === 0);
  if (values.length === 0 || !values.every(isEmpty)) return filters;
  throw new InputError(
    'No filter is given, so that every company would match',
    'Give a part of the name. Nothing was sent.',
  );
}

/** The options as the workflow has them. */
export function optionsIn(context: IExecuteFunctions): Row {
  const options: unknown = context.getNodeParameter('options', 0, {});
  return isRow(options) ? options : {};
}
