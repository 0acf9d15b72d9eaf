import { readFileSync } from 'node:fs';
import { join } from 'node:path';

function font(weight: number): Uint8Array {
  const file = `dejavu-sans-latin-${weight}-normal.woff2`;
  return readFileSync(join(__dirname, '../../../src/drawing/fonts', file));
}

/** The fonts that pictures are set in, by weight. */
export const bundledFonts = { 400: font(400), 700: font(700) };
