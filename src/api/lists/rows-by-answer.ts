import { identityOf } from '../../run/answers/identity';
import type { Row } from '../../run/answers/rows';
import { readFromStart, type Listing, type RowRange } from '../../run/listing/pages';
import { byAnswer } from '../../run/listing/paging';
import type { GetRows, Run } from '../../run/run';

/**
 * Rows of an endpoint of which neither envelope nor paging is shown (interface: Lists). They are free,
 * and so read from the first one on wherever the range begins.
 *
 * @throws what {@link Run.rows} throws.
 */
export async function rowsByAnswer(
  run: Run,
  range: RowRange,
  source: Pick<GetRows, 'path' | 'words' | 'read' | 'idOf'>,
): Promise<Listing> {
  return await readFromStart(
    range,
    async (wanted) => await run.rows({ ...source, paging: byAnswer, creditsPerRow: 0, wanted }),
  );
}

/** A row's id: under the interface's name for it, or the usual `id`. */
export function ownId(row: Row, name: string): string | undefined {
  return identityOf(row[name]) ?? identityOf(row.id);
}
