import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  NodeExecutionHint,
} from 'n8n-workflow';

import { outcomeOf, traitsOf } from '../../scoring/cases';
import { gradeOf, learnFit, outOf100, type Case, type Fit, type Learned } from '../../scoring/fit';
import { InputError } from '../../input/inputs';
import { count, hint } from '../figures';
import { readerOf } from '../parameters/read';
import { itemsOf, outcomesOf, readRows, succeeded, type RowOutput } from './rows';

/** Maximum number of reasons in a row. */
const TOLD_REASONS = 5;

/** With fewer won or lost rows, scores are mostly chance. */
const FEWEST = 10;

/** Share of correctly ordered pairs that chance nearly reaches too. */
const NO_BETTER_THAN_CHANCE = 0.6;

/**
 * Scores all input items by the features that won rows have more often than lost rows. Sends no requests.
 *
 * @param fields Names of the fields to compare.
 * @throws {InputError} If no row is won, or none is lost.
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
  const of100 = outOf100(score);
  return {
    score: rounded(score),
    score_100: of100,
    grade: gradeOf(of100),
    reasons: told.join(', '),
  };
}

/** Formats a weight: `+0.8`; zero has no sign. */
function signed(weight: number): string {
  return `${rounded(weight) > 0 ? '+' : ''}${rounded(weight).toFixed(1)}`;
}

function rounded(weight: number): number {
  // Never -0.
  return Math.round(10 * weight) / 10 + 0;
}

function nothingToLearn({ won }: Learned): InputError {
  return new InputError(
    `No row is ${won === 0 ? 'won' : 'lost'}, so there is nothing to learn from`,
    'Drag the field with the outcome into Won or Lost. It must be "won" or "lost" for known rows, and empty for the others.',
  );
}

function hintsOf({ won, lost, hits = 0 }: Learned): NodeExecutionHint[] {
  const learned = `Learned from ${count(won, 'won row')} and ${count(lost, 'lost row')}. In ${String(Math.round(100 * hits))}% of pairs of a won and a lost row, the won row has the higher score; chance alone gives 50%.`;
  const isWeak = Math.min(won, lost) < FEWEST || hits < NO_BETTER_THAN_CHANCE;
  if (!isWeak) return [hint(learned)];
  return [hint(`${learned} That is not enough to rely on these scores.`, 'warning')];
}
