import { constants as bufferConstants } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

/** What a watch remembers of each thing that it saw, as JSON, by what tells it from others. */
export type Table = ReadonlyMap<string, unknown>;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Beyond it the compressor takes three times as long for a few bytes less. */
const QUALITY = 5;

/** What a packed table is unpacked to at most: as much as a text can hold. */
const MAX_UNPACKED_BYTES = bufferConstants.MAX_STRING_LENGTH;

/**
 * Packs a table so that 100,000 companies take 1 to 2 MB in n8n's database. Rows are sorted, so that
 * similar ones are neighbors; the same table always gives the same text. Compressed in a thread of its
 * own.
 */
export async function packTable(table: Table): Promise<string> {
  const rows = Array.from(table, ([id, thing]) => JSON.stringify([thing, id]));
  const packed = await compress(`[${rows.sort().join(',')}]`, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
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
    const rows = JSON.parse(bytes.toString()) as Array<[thing: unknown, id: string]>;
    return new Map(rows.map(([thing, id]) => [id, thing]));
  } catch {
    return undefined;
  }
}
