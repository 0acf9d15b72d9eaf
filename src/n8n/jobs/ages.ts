import type { IExecuteFunctions } from 'n8n-workflow';

import { lookUpAll } from '../../api/companies';
import { lastSeenIn } from '../../input/last-seen';
import { isRow } from '../../run/answers/rows';
import type { Run } from '../../run/run';
import { distinctDomains, type DomainRow } from '../bulk/domain-rows';
import { readerOf } from '../bulk/each-item';
import { asError } from '../failures';

const DAY_MS = 24 * 60 * 60_000;

/** The option that says for each item when its data were last seen. */
const LAST_SEEN_AT = 'lastSeenAt';

/** What is known of the age of companies' data, by domain. */
export interface Ages {
  /** Companies that need no fresh crawl, with the time at which they were last seen. */
  readonly fresh: ReadonlyMap<string, number>;
  /** Companies of which nobody knows, because the service did not tell. */
  readonly failures: ReadonlyMap<string, Error>;
}

/** Where any age will do. */
export const NO_AGES: Ages = { fresh: new Map(), failures: new Map() };

/** Rows, and when the data of their companies were last seen as far as the items say. */
interface Given {
  readonly rows: DomainRow[];
  readonly lastSeen: ReadonlyMap<string, number>;
}

/** Reads what the items say; a row of which it cannot be read has failed. */
export function givenAges(context: IExecuteFunctions, rows: readonly DomainRow[]): Given {
  const { options } = context.getNode().parameters;
  const isGiven = isRow(options) && LAST_SEEN_AT in options;
  const read = isGiven ? readerOf(context, `options.${LAST_SEEN_AT}`) : () => undefined;
  const lastSeen = new Map<string, number>();
  const read_ = rows.map((row, itemIndex): DomainRow => {
    if (row.kind !== 'domain') return row;
    const { domain } = row.found;
    try {
      const time = lastSeenIn(read(itemIndex));
      if (time !== undefined) lastSeen.set(domain, Math.max(time, lastSeen.get(domain) ?? time));
      return row;
    } catch (error) {
      return { kind: 'failed', failure: asError(error) };
    }
  });
  return { rows: read_, lastSeen };
}

/**
 * Tells which companies were seen within so many days. What the items do not say is read from the
 * service: 1 credit for each tracked company that was not read in the last 30 days.
 */
export async function agesOf(run: Run, { rows, lastSeen }: Given, days: number): Promise<Ages> {
  const known = new Map(lastSeen);
  const failures = new Map<string, Error>();
  const unknown = distinctDomains(rows).filter((domain) => !known.has(domain));
  for (const [domain, outcome] of await lookUpAll(run, unknown, ['technologies'])) {
    if (outcome.kind === 'failed') failures.set(domain, outcome.error);
    const time = outcome.kind === 'row' ? lastSeenIn(outcome.row.technologies) : undefined;
    if (time !== undefined) known.set(domain, time);
  }
  const youngest = Date.now() - days * DAY_MS;
  return { failures, fresh: new Map([...known].filter(([, time]) => time > youngest)) };
}
