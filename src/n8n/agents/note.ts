import type { Figures } from '../../run/figures';
import { count, numberText } from '../figures';
import type { Shortened } from './answer';

/** What a model should know of an answer beside its results. */
export interface Told {
  readonly shortened: Pick<Shortened, 'results' | 'of' | 'fields'>;
  /** What was spent, and how many rows of lists were left out. */
  readonly figures: Pick<Figures, 'creditsAtMost' | 'readBefore' | 'unanswered' | 'left'>;
  /** Rows of lists among the results; undefined where the results are none. */
  readonly rows: number | undefined;
  /** Where the next rows begin; undefined where several lists were asked for. */
  readonly offset: number | undefined;
  /** Whether the model can ask for an offset. */
  readonly hasOffset: boolean;
  /** Whether only as many rows were asked for as the credits cover. */
  readonly isByCredits: boolean;
  /** What was asked for and came to nothing, of several. */
  readonly empty: readonly string[];
  /** Companies that were asked for, and how many of them at most. */
  readonly given: number;
  readonly asked: number;
  /** Jobs that still run. */
  readonly jobs: readonly string[];
  /** What the run told its user. */
  readonly warnings: readonly string[];
}

/**
 * The note behind the results of an answer, which is all that a model learns of what n8n's editor shows
 * above them.
 *
 * @returns undefined where nothing was left out, bounded or spent.
 */
export function noteOf(told: Told): string | undefined {
  const sentences = [
    ...emptyText(told),
    ...leftText(told),
    ...costText(told.figures),
    ...moreText(told),
    ...jobsText(told.jobs),
    ...new Set(told.warnings),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Names that are told; more would be a list of their own. */
const NAMED = 5;

function named(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${String(names.length - NAMED)} more` : '';
  return `${names.slice(0, NAMED).join(', ')}${more}`;
}

function emptyText({ shortened: { of }, empty }: Told): string[] {
  if (of === 0) return ['No results: nothing matches.'];
  return empty.length === 0 ? [] : [`No results for ${named(empty)}.`];
}

function leftText({
  shortened,
  figures: { left },
  rows,
  isByCredits,
  given,
  asked,
}: Told): string[] {
  const { results, of, fields } = shortened;
  const cutOff = of - results.length;
  const told: string[] = [];
  if (given > asked) {
    told.push(`Only the first ${numberText(asked)} of ${numberText(given)} were asked for.`);
  }
  if (rows !== undefined && left + cutOff > 0) {
    told.push(`${numberText(rows - cutOff)} of ${count(rows + left, 'row')}.`);
  } else if (cutOff > 0) {
    told.push(`${numberText(results.length)} of ${count(of, 'result')}.`);
  }
  if (isByCredits && left > 0) told.push('The limit of credits covers no more.');
  if (cutOff > 0) {
    told.push('The answer would be too long with the others; they are free to ask for again.');
  }
  if (fields.size > 0) told.push(`Too long and cut: ${named([...fields])}.`);
  return told;
}

function costText({ creditsAtMost, readBefore, unanswered }: Told['figures']): string[] {
  if (creditsAtMost === 0) return [];
  const known =
    readBefore === 0
      ? ''
      : `, minus ${numberText(readBefore)} for companies read in the last 30 days`;
  const cost = `Cost: up to ${count(creditsAtMost, 'credit')}${known}.`;
  return unanswered === 0
    ? [cost]
    : [cost, `${count(unanswered, 'request')} got no answer and may have been charged.`];
}

function moreText({ shortened, figures: { left }, rows, offset, hasOffset }: Told): string[] {
  const cutOff = shortened.of - shortened.results.length;
  if (rows === undefined || left + cutOff === 0) return [];
  if (offset === undefined) return ['Ask for one company at a time for more.'];
  const next = numberText(offset + rows - cutOff);
  return [hasOffset ? `Ask with Offset ${next} for more.` : `More rows begin at Offset ${next}.`];
}

function jobsText(jobs: readonly string[]): string[] {
  if (jobs.length === 0) return [];
  return [
    `Still running: ask a tool that gets or waits for a refresh job, later, with job_id ${named(jobs)}. Do not start it again.`,
  ];
}
