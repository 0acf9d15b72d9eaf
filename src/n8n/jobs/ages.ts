import type { IExecuteFunctions } from 'n8n-workflow';

import { lookUpAll } from '../../api/companies';
import { lastSeenIn } from '../../input/last-seen';
import { isRow } from '../../run/answers/rows';
import type { Run } from '../../run/run';
import { distinctDomains, type DomainRow } from '../bulk/domain-rows';
import { readerOf } from '../bulk/each-item';
import type { RowResult } from '../bulk/items';

const DAY_MS = 24 * 60 * 60_000;

/** The option that says for each item when its data were last seen. */
const LAST_SEEN_AT = 'lastSeenAt';

/** What comes out for companies of which nothing is started: seen lately, or nobody knows when. */
export type LeftAlone = ReadonlyMap<string, RowResult>;

/** Reads when an item says that its company was last seen; see {@link lastSeenIn}. */
export function lastSeenReader(
  context: IExecuteFunctions,
): (domain: string, itemIndex: number) => number | undefined {
  const { options } = context.getNode().parameters;
  const isGiven = isRow(options) && LAST_SEEN_AT in options;
  const read = isGiven ? readerOf(context, `options.${LAST_SEEN_AT}`) : () => undefined;
  return (_domain, itemIndex) => lastSeenIn(read(itemIndex));
}

/**
 * Tells which companies were seen within this many days. What the items do not say is read from the
 * service: 1 credit for each tracked company that was not read in the last 30 days.
 *
 * @param rows each with what it says of its company.
 * @param days 0 where any age will do.
 */
export async function leftAlone(
  run: Run,
  rows: ReadonlyArray<DomainRow<number | undefined>>,
  days: number,
): Promise<LeftAlone> {
  if (days === 0) return new Map();
  const known = new Map<string, number>();
  for (const row of rows) {
    if (row.kind !== 'domain' || row.more === undefined) continue;
    const { found, more: time } = row;
    known.set(found.domain, Math.max(time, known.get(found.domain) ?? time));
  }
  const alone = new Map<string, RowResult>();
  const unknown = distinctDomains(rows).filter((domain) => !known.has(domain));
  for (const [domain, outcome] of await lookUpAll(run, unknown, ['technologies'])) {
    if (outcome.kind === 'failed') {
      alone.set(domain, { kind: 'failure', failure: outcome.error, domain });
    }
    const time = outcome.kind === 'row' ? lastSeenIn(outcome.row.technologies) : undefined;
    if (time !== undefined) known.set(domain, time);
  }
  const youngest = Date.now() - days * DAY_MS;
  for (const [domain, time] of known) {
    if (time <= youngest) continue;
    const last_seen_at = new Date(time).toISOString();
    alone.set(domain, { kind: 'result', result: { domain, status: 'fresh', last_seen_at } });
  }
  return alone;
}
