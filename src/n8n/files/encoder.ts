import type { Row } from '../../run/answers/rows';

/** Turns rows into the text of a file, piece by piece. */
export interface Encoder {
  readonly extension: string;
  readonly mimeType: string;
  /** What the file begins with. */
  readonly head: string;
  readonly encode: (rows: readonly Row[]) => string;
}

/** Newline-delimited JSON: one row a line, every field as it came. */
export const ndjson: Encoder = {
  extension: 'ndjson',
  mimeType: 'application/x-ndjson',
  head: '',
  encode: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
};
