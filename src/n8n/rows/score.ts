import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  NodeExecutionHint,
} from 'n8n-workflow';

import { outcomeOf, traitsOf } from '../../scoring/cases';
import { learnFit, type Case, type Fit, type Learned } from '../../scoring/fit';
import { InputError } from '../../input/inputs';
import { count, hint } from '../figures';
import { readerOf } from '../parameters/read';
import { itemsOf, outcomesOf, readRows, succeeded, type RowOutput } from './rows';

/** Reasons that a row names. */
const TOLD_REASONS = 5;

/** With fewer won, or fewer lost, chance decides. */
const FEWEST = 10;

/** In so many of all pairs chance finds the won one nearly too. */
const NO_BETTER_THAN_CHANCE = 0.6;

/**
 * Scores all input items by what those that were won have more often than those that were lost. Nothing
 * is sent.
 *
 * @param fields that are compared.
 * @throws {InputError} when no row was won, or none was lost.
 */
export function scoreRows(
  context: IExecuteFunctions,
  options: RowOutput,
  fields: readonly string[],
): INodeExecutionData[][] {
  const inputs = context.getInputData();
  const outcome = readerOf(context, 'outcome');
  const { rows, tasks } = readRows<Case>(context, (itemIndex) => ({
    key: String(itemIndex),
    ask: {
      traits: traitsOf(inputs[itemIndex]?.json ?? {}, fields),
      outcome: outcomeOf(outcome(itemIndex)),
    },
  }));
  const learned = learnFit(tasks.map(({ ask }) => ask));
  if (learned.won === 0 || learned.lost === 0) throw nothingToLearn(learned);
  for (const [index, task] of tasks.entries()) {
    const fit = learned.fits[index];
    if (fit !== undefined) task.outcome = succeeded(resultOf(fit));
  }
  context.addExecutionHints(...hintsOf(learned));
  return [itemsOf(context, outcomesOf({ rows }), options)];
}

function resultOf({ score, reasons }: Fit): IDataObject {
  const told = reasons
    .slice(0, TOLD_REASONS)
    .map(({ value, weight }) => `${value} ${signed(weight)}`);
  return { score: rounded(score), reasons: told.join(', ') };
}

/** `+0.8`; what is nothing has no sign. */
function signed(weight: number): string {
  return `${rounded(weight) > 0 ? '+' : ''}${rounded(weight).toFixed(1)}`;
}

function rounded(weight: number): number {
  // Never -0.
  return Math.round(10 * weight) / 10 + 0;
}

function nothingToLearn({ won }: Learned): InputError {
  return new InputError(
    `No row was ${won === 0 ? 'won' : 'lost'}, so there is nothing to learn from`,
    'Won or Lost has to say "won" or "lost" for rows of which that is known, and is empty for the others. Drag the field with the outcome into it.',
  );
}

function hintsOf({ won, lost, hits = 0 }: Learned): NodeExecutionHint[] {
  const learned = `Learned from ${count(won, 'won row')} and ${count(lost, 'lost row')}. Of one won and one lost row, the won one has the higher score in ${String(Math.round(100 * hits))} % of cases; by chance it would be 50 %.`;
  const isWeak = Math.min(won, lost) < FEWEST || hits < NO_BETTER_THAN_CHANCE;
  if (!isWeak) return [hint(learned)];
  return [hint(`${learned} That is too little to rely on these scores.`, 'warning')];
}
