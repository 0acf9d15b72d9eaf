import { constants as bufferConstants } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

/** The saved data of each watched entity, as JSON, by its id. */
export type Snapshot = ReadonlyMap<string, unknown>;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** A higher quality takes three times as long and saves only a few bytes. */
const QUALITY = 5;

/** The maximum size of an unpacked table in bytes: the longest possible text. */
const MAX_UNPACKED_BYTES = bufferConstants.MAX_STRING_LENGTH;

/**
 * Packs a table so that 100,000 companies take 1 to 2 MB in n8n's database. Rows are sorted, so that
 * similar rows are neighbors, and the same table always becomes the same text. The compression runs in a
 * separate thread.
 */
export async function packSnapshot(table: Snapshot): Promise<string> {
  const rows = Array.from(table, ([id, thing]) => JSON.stringify([thing, id]));
  const packed = await compress(`[${rows.sort().join(',')}]`, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
  });
  return packed.toString('base64');
}

/**
 * Unpacks a text that {@link packSnapshot} returned.
 *
 * @returns the table; undefined for any other text.
 */
export async function unpackSnapshot(packed: string): Promise<Snapshot | undefined> {
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
