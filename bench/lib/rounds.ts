import type { Row } from '../table';

/** Measures ours and then its peer, and gives a row for each figure. */
export type Round = () => Promise<readonly Row[]>;

/**
 * Repeats a round, so that ours and its peer take turns. Of each row comes out what the round with the
 * median ratio said, with the least and the greatest ratio: a machine that is busy shows there.
 */
export async function inTurns(times: number, round: Round): Promise<Row[]> {
  const rounds: Array<readonly Row[]> = [];
  while (rounds.length < times) rounds.push((await round()).map(comparable));
  const [first = []] = rounds;
  return first.map((_row, place) => middleOf(rounds.flatMap((rows) => rows[place] ?? [])));
}

/**
 * A figure, if there is one of both.
 *
 * @throws {Error} when ours or its peer did nothing: then nothing was measured.
 */
export function comparable(row: Row): Row {
  if (Number.isFinite(row.ratio)) return row;
  throw new Error(`${row.what}: there is nothing to compare (${row.ours}; ${row.against})`);
}

/** A time has to be met in most rounds; what has to be met always is met in none but all. */
function middleOf(rounds: readonly Row[]): Row {
  const sorted = [...rounds].sort((one, other) => one.ratio - other.ratio);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('There was no round to take the median of.');
  const missed = rounds.filter(({ met }) => !met);
  const [shown = middle] = middle.always === true ? missed : [];
  return {
    ...shown,
    met: shown.met && missed.length < rounds.length / 2,
    ratio: middle.ratio,
    spread: [sorted[0]?.ratio ?? NaN, sorted.at(-1)?.ratio ?? NaN],
  };
}
