import { readFile } from 'node:fs/promises';

import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Pixels per unit of the SVG: small labels stay sharp when the picture is enlarged. */
const pixelsPerUnit = 1.5;
/** The longest side of a picture; beyond it the picture gets coarser instead of larger. */
const mostPixels = 4096;

const family = 'DejaVu Sans';

let loaded: Promise<Uint8Array[]> | undefined;

/**
 * Turns an SVG picture into a PNG of one and a half times its size (of at most 4096 pixels a side), on a white
 * ground. All text is set in the one font that comes with the package, in its two weights: no font of
 * the machine is needed or used. WebAssembly and font are read once per process. The work is done on
 * the calling thread.
 *
 * @throws {Error} when the text is not an SVG picture.
 */
export async function toPng(svg: string): Promise<Uint8Array> {
  loaded ??= load();
  const fontBuffers = await loaded;
  const measured = new Resvg(svg);
  const { width, height } = measured;
  measured.free();
  const zoom = Math.min(pixelsPerUnit, mostPixels / Math.max(width, height));
  const drawing = new Resvg(svg, {
    font: { fontBuffers, defaultFontFamily: family, sansSerifFamily: family },
    fitTo: { mode: 'zoom', value: zoom },
    background: '#ffffff',
  });
  // Memory of WebAssembly is not collected: what is not freed stays.
  try {
    const image = drawing.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    drawing.free();
  }
}

/**
 * Reads the fonts and starts the WebAssembly; a failure is not remembered. What `require.resolve` is
 * asked for by a literal, packing copies (scripts/lib/bundle.mjs).
 */
async function load(): Promise<Uint8Array[]> {
  try {
    const fonts = await Promise.all([
      readFile(require.resolve('@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff2')),
      readFile(require.resolve('@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff2')),
    ]);
    // Last, for it can be done only once.
    await initWasm(await readFile(require.resolve('@resvg/resvg-wasm/index_bg.wasm')));
    return fonts;
  } catch (error) {
    loaded = undefined;
    throw error;
  }
}
