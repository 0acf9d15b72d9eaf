import { LIST_SEPARATOR, joinNames } from '../service/flat-company';
import { toText } from '../input/quote';
import { isRow, type Row } from '../run/responses/rows';
import type { DealOutcome, Feature } from './fit';

const OUTCOMES: ReadonlyArray<readonly [DealOutcome, RegExp]> = [
  ['won', /^(?:closed\W*)?won$|^(?:yes|true|1)$/i],
  ['lost', /^(?:closed\W*)?lost$|^(?:no|false|0)$/i],
];

/**
 * Parses the outcome of a row: `won`, `Closed Lost`, `closedwon`, `true`, `no`.
 *
 * @param given the value in the row.
 * @returns the outcome; undefined for any other value, which means that the deal is open.
 */
export function parseDealOutcome(given: unknown): DealOutcome | undefined {
  return OUTCOMES.find(([, pattern]) => pattern.test(toText(given)))?.[0];
}

/**
 * Returns the values of a row in some fields. A field is searched by its name in the row and in objects
 * inside it, and then by the end of a name: `industry` is found in `enrichment.industry` and in
 * `enriched_industry`. Each entry of a list, or of a text that joins a list, is a value.
 */
export function extractFeatures(row: Row, fields: readonly string[]): Feature[] {
  const within = Object.values(row).filter(isRow);
  const entries = [row, ...within].flatMap((one) => Object.entries(one));
  return fields.flatMap((field) => {
    const [, value] =
      entries.find(([name]) => name === field) ??
      entries.find(([name]) => name.endsWith(`_${field}`)) ??
      [];
    return splitValues(value).map((one) => ({ field, value: one }));
  });
}

function splitValues(value: unknown): string[] {
  if (isRow(value)) return [];
  const text = Array.isArray(value) ? joinNames(value) : toText(value);
  return text
    .split(LIST_SEPARATOR)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
