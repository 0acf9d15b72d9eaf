import { constants as bufferConstants } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** A higher quality takes three times as long and saves only a few bytes. */
const QUALITY = 5;

/** Of an unpacked table: the longest possible text. */
const MAX_UNPACKED_BYTES = bufferConstants.MAX_STRING_LENGTH;

/**
 * 100,000 companies take 1 to 2 MB in n8n's database. Entries are sorted, so that similar ones are neighbors and
 * the same entries always become the same text. The compression runs in a separate thread.
 */
export async function packSnapshot(table: readonly unknown[]): Promise<string> {
  const rows = table.map((one) => JSON.stringify(one));
  const packed = await compress(`[${rows.sort().join(',')}]`, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
  });
  return packed.toString('base64');
}

/** Returns undefined for a text that {@link packSnapshot} did not return. */
export async function unpackSnapshot(packed: string): Promise<unknown[] | undefined> {
  try {
    const bytes = await decompress(Buffer.from(packed, 'base64'), {
      maxOutputLength: MAX_UNPACKED_BYTES,
    });
    const table: unknown = JSON.parse(bytes.toString());
    return Array.isArray(table) ? table : undefined;
  } catch {
    return undefined;
  }
}
