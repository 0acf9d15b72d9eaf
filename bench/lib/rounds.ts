import type { Round, Row } from '../table';

/**
 * Repeats a round, so that measurements of this package and of the baseline alternate. Returns each
 * row from the round with its median ratio, plus the lowest and highest ratio. A wide range shows
 * that the machine was busy.
 */
export async function inTurns(times: number, round: Round): Promise<Row[]> {
  const rounds: Array<readonly Row[]> = [];
  while (rounds.length < times) rounds.push((await round()).map(comparable));
  const [first = []] = rounds;
  return first.map((_row, place) => middleOf(rounds.flatMap((rows) => rows[place] ?? [])));
}

/**
 * Returns the row if it has figures of both sides.
 *
 * @throws {Error} if this package or the baseline did nothing, so that there is no figure
 */
export function comparable(row: Row): Row {
  if (Number.isFinite(row.ratio)) return row;
  throw new Error(`${row.what}: there is nothing to compare (${row.ours}; ${row.against})`);
}

/**
 * Returns the round with the median ratio. A time must meet its target in most rounds; a row with
 * `always` must meet it in every round.
 */
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
