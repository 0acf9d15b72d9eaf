import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** What answers may be packed with. */
export const ACCEPTED_PACKING = 'gzip, deflate, br';

/** So often an answer may be packed; more is an attack, or a mistake. */
const MAX_LAYERS = 5;

/** An answer is packed in a way that was not asked for. */
export class UnknownPacking extends Error {
  override readonly name = 'UnknownPacking';

  constructor(readonly packing: string) {
    super('The answer is packed in a way that was not asked for');
  }
}

/**
 * The body of an answer, unpacked. Unlike axios' own unpacking this fails when a packed body was cut
 * off, and does not hand on what is packed in a way that nobody knows.
 *
 * @param encoding the header `Content-Encoding`; it may name several, the last one the outermost.
 * @returns once the first bytes are there, because they tell two kinds of `deflate` apart and because
 * an empty body is never packed.
 * @throws {UnknownPacking}
 */
export async function unpacked(source: Readable, encoding: string): Promise<Readable> {
  const names = encoding.toLowerCase().split(',');
  const layers = names.map((name) => name.trim()).filter((name) => !/^(?:identity)?$/.test(name));
  let body = source;
  for (const layer of layers.reverse()) {
    const first = await peek(body);
    if (first === undefined) return Readable.from([]);
    const unpacker = layers.length > MAX_LAYERS ? undefined : unpackerFor(layer, first);
    if (unpacker === undefined) {
      source.destroy();
      throw new UnknownPacking(encoding.trim());
    }
    // Whatever fails comes out of the unpacker.
    body = pipeline(body, unpacker, () => undefined);
  }
  return body;
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

function unpackerFor(packing: string, first: Uint8Array): Transform | undefined {
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
      return undefined;
  }
}
