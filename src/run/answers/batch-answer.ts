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
  /** What is odd about some of the rows. */
  readonly inspect?: (rows: readonly Row[]) => Oddity[];
  /** The part of the request that was this asker's; 1 if left out. */
  readonly share?: number;
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
  const inspect = (some: readonly Row[]): Oddity[] => {
    const oddities = inspectRows(shape, some);
    return list.length < all.length
      ? [{ field: key, problem: 'not only objects in it' }, ...oddities]
      : oddities;
  };
  return { rows, rejected: new Set(), oddities: inspect(list), inspect };
}
