import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

/** What a watch remembers of what it saw: for each thing its fields, by what tells it from others. */
export type Table = ReadonlyMap<string, readonly string[]>;

/** A value of an answer as a field of a table; halves of characters cannot be stored. */
export function fieldOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  return String(value).replace(/\p{Surrogate}/gu, '\ufffd');
}

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Beyond it the compressor takes seconds for a few bytes less. */
const QUALITY = 7;

/** What a packed table is unpacked to at most: far more than any list that can be read. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

/**
 * Packs a table so that 100,000 companies take about a megabyte in n8n's database. Rows are sorted, so
 * that alike ones are neighbours; the same table always gives the same text. Compressed in a thread of
 * its own.
 */
export async function packTable(table: Table): Promise<string> {
  const bytes = Buffer.from(linesOf(table).join('\n'));
  const packed = await compress(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  return packed.toString('base64');
}

/**
 * Unpacks what {@link packTable} gave.
 *
 * @returns undefined for anything else.
 */
export async function unpackTable(packed: string): Promise<Table | undefined> {
  try {
    const bytes = await decompress(Buffer.from(packed, 'base64'), {
      maxOutputLength: MAX_UNPACKED_BYTES,
    });
    const text = bytes.toString();
    if (text === '') return new Map();
    return new Map(text.split('\n').map(rowIn));
  } catch {
    return undefined;
  }
}

/** Whether two tables hold the same. */
export function sameTable(one: Table, other: Table): boolean {
  if (one.size !== other.size) return false;
  for (const [id, fields] of one) {
    const others = other.get(id);
    if (others?.length !== fields.length) return false;
    if (fields.some((field, index) => field !== others[index])) return false;
  }
  return true;
}

function linesOf(table: Table): string[] {
  return (
    Array.from(table, ([id, fields]) => [...fields, id].map(escaped).join('\t'))
      // By code unit, which is quick and everywhere the same.
      .sort((a, b) => (a < b ? -1 : 1))
  );
}

function rowIn(line: string): [string, string[]] {
  const fields = line.split('\t').map(unescaped);
  return [fields.pop() ?? '', fields];
}

const ESCAPES = new Map([
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
]);
const ESCAPED = new Map(Array.from(ESCAPES, ([plain, escape]) => [escape, plain]));

function escaped(field: string): string {
  return field.replace(/[\\\t\n]/g, (plain) => ESCAPES.get(plain) ?? plain);
}

function unescaped(field: string): string {
  return field.replace(/\\[\\tn]/g, (escape) => ESCAPED.get(escape) ?? escape);
}
