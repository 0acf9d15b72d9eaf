import { readFile } from 'node:fs/promises';

import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Small labels stay sharp when the picture is enlarged. */
const pixelsPerUnit = 1.5;
/** Of the longest side; a larger picture gets a lower resolution instead. */
const maxPixels = 4096;

const family = 'DejaVu Sans';

let loaded: Promise<Uint8Array[]> | undefined;

/**
 * On a white background. All text uses the one bundled font in its two weights; fonts of the machine are neither
 * needed nor used. WebAssembly and font are read once per process.
 */
export async function toPng(svg: string): Promise<Uint8Array> {
  loaded ??= load();
  const fontBuffers = await loaded;
  const measured = new Resvg(svg);
  const { width, height } = measured;
  measured.free();
  const zoom = Math.min(pixelsPerUnit, maxPixels / Math.max(width, height));
  const drawing = new Resvg(svg, {
    font: { fontBuffers, defaultFontFamily: family, sansSerifFamily: family },
    fitTo: { mode: 'zoom', value: zoom },
    background: '#ffffff',
  });
  // WebAssembly memory is not garbage-collected, so objects must be freed.
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
 * After a failure, the next picture tries again. The build copies files that `require.resolve` names by a literal
 * (scripts/lib/bundle.mjs).
 */
async function load(): Promise<Uint8Array[]> {
  try {
    const fonts = await Promise.all([
      readFile(require.resolve('@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff2')),
      readFile(require.resolve('@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff2')),
    ]);
    // This step comes last, because it can run only once.
    await initWasm(await readFile(require.resolve('@resvg/resvg-wasm/index_bg.wasm')));
    return fonts;
  } catch (error) {
    loaded = undefined;
    throw error;
  }
}
