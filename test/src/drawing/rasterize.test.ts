import { inflateSync } from 'node:zlib';

import { drawNetwork } from '../../../src/drawing/draw-network';
import { rasterize } from '../../../src/drawing/rasterize';
import { network } from './support';

/** Reads the chunks of a PNG: its size in pixels and the bytes of its rows. */
function readPng(png: Uint8Array): { width: number; height: number; rows: Buffer } {
  const bytes = Buffer.from(png);
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001A\n');
  const data: Buffer[] = [];
  const kinds: string[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    kinds.push(kind);
    if (kind === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  expect([kinds[0], kinds.at(-1)]).toEqual(['IHDR', 'IEND']);
  return {
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    rows: inflateSync(Buffer.concat(data)),
  };
}

const svg = (inside: string, width = 100, height = 60): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inside}</svg>`;

describe('rasterize', () => {
  jest.setTimeout(30_000);

  it('gives a PNG of one and a half times the size', async () => {
    const { width, height, rows } = readPng(await rasterize(svg('')));
    expect([width, height]).toEqual([150, 90]);
    // Four bytes a pixel, and one before each row.
    expect(rows).toHaveLength(90 * (150 * 4 + 1));
  });

  it('keeps a huge picture within 4096 pixels', async () => {
    const { width, height } = readPng(await rasterize(svg('', 20_000, 5000)));
    expect([width, height]).toEqual([4096, 1024]);
  });

  it('has letters, regular and bold, without a font of the machine', async () => {
    const text = (content: string, weight: number) =>
      rasterize(
        svg(`<text y="30" font-family="Verdana" font-weight="${weight}">${content}</text>`),
      );
    const [nothing, word, other, bold] = await Promise.all([
      text('', 400),
      text('Acme', 400),
      text('Αγορά', 400),
      text('Acme', 700),
    ]);
    const different = new Set(
      [nothing, word, other, bold].map((png) => readPng(png).rows.toString('hex')),
    );
    expect(different.size).toBe(4);
  });

  it('draws a network of 100 companies', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `Company ${index} <&> 😀`);
    const picture = drawNetwork(
      network(
        names,
        names.map((_, index) => [1, index + 1]),
      ),
    );
    const size = /viewBox="0 0 (\d+) (\d+)"/.exec(picture)!;
    const { width, height } = readPng(await rasterize(picture));
    expect(width).toBe(Math.round(Number(size[1]) * 1.5));
    expect(height).toBe(Math.round(Number(size[2]) * 1.5));
  });

  it('says so when it is given no picture', async () => {
    await expect(rasterize('<p>no</p>')).rejects.toThrow();
    await expect(rasterize(svg(''))).resolves.toBeInstanceOf(Uint8Array);
  });
});
