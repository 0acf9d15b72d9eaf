import { PNG } from 'pngjs';

import { toPng } from '../../../src/graph/png';

/** Reads a picture; throws if it is not a PNG. */
function readPng(png: Uint8Array) {
  const { width, height, data: pixels } = PNG.sync.read(Buffer.from(png));
  return { width, height, pixels };
}

const svg = (inside: string, width = 100, height = 60): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inside}</svg>`;

it('returns a PNG of 1.5 times the size of the SVG, or of up to 4,096 pixels', async () => {
  const { width, height, pixels } = readPng(await toPng(svg('')));
  expect([width, height]).toEqual([150, 90]);
  expect(pixels.every((byte) => byte === 255)).toBe(true);
  const huge = await toPng(svg('', 20_000, 5000));
  expect(readPng(huge)).toMatchObject({ width: 4096, height: 1024 });
});

it('draws Latin, Greek and bold text when the SVG names a font that is not bundled', async () => {
  const pixelsOf = async (content: string, weight: number) => {
    const text = `<text y="30" font-family="Verdana" font-weight="${weight}">${content}</text>`;
    return readPng(await toPng(svg(text))).pixels.toString('hex');
  };
  const normal = ['', 'Acme', 'Αγορά'].map(async (content) => await pixelsOf(content, 400));
  const pictures = await Promise.all([...normal, pixelsOf('Acme', 700)]);
  expect(new Set(pictures).size).toBe(4);
});

it('throws when the input is not an SVG, and converts the next one', async () => {
  await expect(toPng('<p>no</p>')).rejects.toThrow();
  await expect(toPng(svg(''))).resolves.toBeInstanceOf(Uint8Array);
});
