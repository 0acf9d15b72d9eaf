import { readFileSync } from 'node:fs';

function font(weight: number): Uint8Array {
  const file = `@fontsource/dejavu-sans/files/dejavu-sans-latin-${weight}-normal.woff2`;
  return readFileSync(require.resolve(file));
}

/** The fonts that pictures are set in, by weight. */
export const bundledFonts = { 400: font(400), 700: font(700) };
