import type { z } from 'zod/v4';

import { inspectRows, isRow, rowsUnder, type Oddity, type Row } from './rows';
import { ownersOf } from './whose';

/** What one batch of domains came back as. */
export interface BatchAnswer {
  /** Rows by the domain that was asked for; one row may be that of several. */
  readonly rows: Map<string, Row>;
  /** Rows of nobody who was asked for, which count all the same; none if left out. */
  readonly foreign?: readonly Row[];
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
 * @param asked the domains that were sent.
 * @throws {InvalidResponseError} when there is no row list.
 */
export function readBatchAnswer(
  json: unknown,
  key: string,
  shape: z.ZodType,
  asked: readonly string[],
): BatchAnswer {
  const all = rowsUnder(json, key);
  const list = all.filter(isRow);
  const inspect = (some: readonly Row[]): Oddity[] => {
    const oddities = inspectRows(shape, some);
    return list.length < all.length
      ? [{ field: key, problem: 'not only objects in it' }, ...oddities]
      : oddities;
  };
  return { ...ownersOf(list, asked), rejected: new Set(), oddities: inspect(list), inspect };
}
