import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  NodeExecutionHint,
} from 'n8n-workflow';

import { parseDealOutcome, extractFeatures } from '../../scoring/cases';
import {
  toGrade,
  learnFit,
  toScore100,
  type LabeledRow,
  type Fit,
  type FitModel,
} from '../../scoring/fit';
import { InputError } from '../../input/inputs';
import { formatCount, createHint } from '../format';
import { createReader } from '../parameters/read';
import { toItems, toOutcomes, readItems, toSuccess, type RowOutput } from './rows';

/** Maximum number of reasons in a row. */
const MAX_REASONS = 5;

/** With fewer won or lost rows, scores are mostly chance. */
const MIN_DECIDED_ROWS = 10;

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
  const outcome = createReader(context, 'outcome');
  const { rows, tasks } = readItems<LabeledRow>(context, (itemIndex) => ({
    key: String(itemIndex),
    request: {
      features: extractFeatures(inputs[itemIndex]?.json ?? {}, fields),
      outcome: parseDealOutcome(outcome(itemIndex)),
    },
  }));
  const learned = learnFit(tasks.map(({ request }) => request));
  if (learned.won === 0 || learned.lost === 0) throw createNothingToLearnError(learned);
  for (const [index, task] of tasks.entries()) {
    const fit = learned.fits[index];
    if (fit !== undefined) task.outcome = toSuccess(toScoreResult(fit));
  }
  context.addExecutionHints(...toScoreHints(learned));
  return [toItems(context, toOutcomes({ rows }), options)];
}

function toScoreResult({ score, reasons }: Fit): IDataObject {
  const message = reasons
    .slice(0, MAX_REASONS)
    .map(({ value, weight }) => `${value} ${formatSigned(weight)}`);
  const of100 = toScore100(score);
  return {
    score: roundWeight(score),
    score_100: of100,
    grade: toGrade(of100),
    reasons: message.join(', '),
  };
}

/** Formats a weight: `+0.8`; zero has no sign. */
function formatSigned(weight: number): string {
  return `${roundWeight(weight) > 0 ? '+' : ''}${roundWeight(weight).toFixed(1)}`;
}

function roundWeight(weight: number): number {
  // Never -0.
  return Math.round(10 * weight) / 10 + 0;
}

function createNothingToLearnError({ won }: FitModel): InputError {
  return new InputError(
    `No row is ${won === 0 ? 'won' : 'lost'}, so there is nothing to learn from`,
    'Drag the field with the outcome into Won or Lost. It must be "won" or "lost" for known rows, and empty for the others.',
  );
}

function toScoreHints({ won, lost, hits = 0 }: FitModel): NodeExecutionHint[] {
  const learned = `Learned from ${formatCount(won, 'won row')} and ${formatCount(lost, 'lost row')}. In ${String(Math.round(100 * hits))}% of pairs of a won and a lost row, the won row has the higher score; chance alone gives 50%.`;
  const isWeak = Math.min(won, lost) < MIN_DECIDED_ROWS || hits < NO_BETTER_THAN_CHANCE;
  if (!isWeak) return [createHint(learned)];
  return [createHint(`${learned} That is not enough to rely on these scores.`, 'warning')];
}
