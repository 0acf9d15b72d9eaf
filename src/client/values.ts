/** A JSON object; in a response, one row with every field as it arrived. */
export type Row = Record<string, unknown>;

/** Returns whether a value of unknown origin is a JSON object. */
export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Truncates a text for messages; never cuts a surrogate pair in half. */
export function truncateText(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** Replaces each lone surrogate of a text with the Unicode replacement character. */
export function replaceLoneSurrogates(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Decodes the percent-encoding of a URL part; returns undefined if it is invalid. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Converts `techKey` or `Tech key` to `tech_key`. */
export function toSnakeCase(text: string): string {
  return text
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s_.-]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();
}

/**
 * Returns whether arrays and objects are nested deeper than a number of levels. It walks no deeper than
 * that; for a page of 10,000 rows it takes 1/25 of the time of parsing it.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  return findJsonRisk(value, levels) === 'deep';
}

/** Reason why a value is unsafe to use unchanged. */
type JsonRisk = 'deep' | 'wide' | 'inexact';

/**
 * Finds out whether a value is nested deeper than `levels` or contains an object with more than `fields`
 * fields; if neither, whether it contains an integer that is not exact.
 *
 * @returns The flaw; undefined if there is none.
 */
export function findJsonRisk(
  value: unknown,
  levels: number,
  fields = Infinity,
): JsonRisk | undefined {
  if (typeof value === 'number') {
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? 'inexact' : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return 'deep';
  let risk: JsonRisk | undefined;
  if (Array.isArray(value)) {
    for (const entry of value) {
      risk = findJsonRisk(entry, levels - 1, fields) ?? risk;
      if (risk === 'deep' || risk === 'wide') return risk;
    }
    return risk;
  }
  const record = value as Row;
  let count = 0;
  // Object.values would create an array for each row.
  for (const name in record) {
    count += 1;
    risk = count > fields ? 'wide' : (findJsonRisk(record[name], levels - 1, fields) ?? risk);
    if (risk === 'deep' || risk === 'wide') return risk;
  }
  return risk;
}
