import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** What answers may be packed with. */
export const ACCEPTED_PACKING = 'gzip, deflate, br';

/** An answer is packed in a way that was not asked for. */
class UnknownPacking extends Error {
  readonly code = 'Z_UNKNOWN';
}

/**
 * The body of an answer, unpacked. Unlike axios' own unpacking this fails when a packed body was cut
 * off, and does not hand on what is packed in a way that nobody knows.
 *
 * @param encoding the header `Content-Encoding`.
 * @returns once the first bytes are there, because they tell two kinds of `deflate` apart and because
 * an empty body is never packed.
 */
export async function unpacked(source: Readable, encoding: string): Promise<Readable> {
  const packing = encoding.trim().toLowerCase();
  if (packing === '' || packing === 'identity') return source;
  const first = await peek(source);
  if (first === undefined) return Readable.from([]);
  // Whatever fails comes out of the unpacker.
  return pipeline(source, unpackerFor(packing, first), () => undefined);
}

/** The first bytes of a stream, which stay in it; undefined when there are none. */
async function peek(source: Readable): Promise<Uint8Array | undefined> {
  return await new Promise((resolve, reject) => {
    source.once('error', reject);
    source.once('end', () => {
      resolve(undefined);
    });
    source.once('readable', () => {
      source.off('error', reject);
      const first = source.read() as Uint8Array | null;
      // At once: a moment later the stream may have ended.
      if (first !== null) source.unshift(first);
      resolve(first ?? undefined);
    });
  });
}

function unpackerFor(packing: string, first: Uint8Array): Transform {
  switch (packing) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      // Some servers leave the header out that the name stands for.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      throw new UnknownPacking();
  }
}
