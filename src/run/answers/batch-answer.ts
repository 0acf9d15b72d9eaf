import type { z } from 'zod/v4';

import { domainKey } from '../../domains/domain-key';
import { inspectRows, isRow, rowsUnder, type Oddity, type Row } from './rows';

/** What one batch of domains came back as. */
export interface BatchAnswer {
  /** Rows by {@link domainKey}; the service drops and merges entries, so position means nothing. */
  readonly rows: Map<string, Row>;
  /** Domains the service called malformed, by {@link domainKey}. */
  readonly rejected: Set<string>;
  readonly oddities: readonly Oddity[];
}

/**
 * Reads the rows of a batch answer.
 *
 * @param key the name of the row list.
 * @param shape what the interface says a row looks like.
 * @throws {InvalidResponseError} when there is no row list.
 */
export function readBatchAnswer(json: unknown, key: string, shape: z.ZodType): BatchAnswer {
  const all = rowsUnder(json, key);
  const list = all.filter(isRow);
  const rows = new Map<string, Row>();
  for (const row of list) {
    if (typeof row.domain === 'string') rows.set(domainKey(row.domain), row);
  }
  const oddities = inspectRows(shape, list);
  if (list.length < all.length) oddities.unshift({ field: key, problem: 'not only objects in it' });
  return { rows, rejected: new Set(), oddities };
}
