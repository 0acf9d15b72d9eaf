import { readFileSync } from 'node:fs';

import { Resvg } from '@resvg/resvg-wasm';

import { toPng } from '../../../src/graph/png';
import { toBundledFont, toPlainText, shorten, measureWidth, wrap } from '../../../src/graph/text';

const font = { size: 12, bold: false };

function bundledFont(weight: number): Uint8Array {
  const file = `dejavu-sans-latin-${weight}-normal.woff2`;
  return readFileSync(require.resolve(`@fontsource/dejavu-sans/files/${file}`));
}

describe('measureWidth', () => {
  const typical = [
    ...['Eastvale Insurance', 'WWW MMM', 'iiiiiillll', 'AT&T (Ltd.) – 100 % "x" @ #1'],
    ...['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz', 'Übergrößenträger Żółć'],
    ...['Ελληνική Εταιρεία', 'Общество с ограниченной', 'שלום חברה בעמ', 'شركة الشرق الأوسط'],
    'Internation…',
  ];

  // Starts the WebAssembly module.
  beforeAll(async () => {
    await toPng('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
  });

  it.each([
    ['normal', 400],
    ['bold', 700],
  ])('returns 1 to 1.6 times the width in the bundled font: %s', (name, weight) => {
    const font = { fontBuffers: [bundledFont(weight)] };
    for (const text of typical) {
      const escaped = text.replaceAll('&', '&amp;');
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="200"><text y="120" font-size="100" font-family="DejaVu Sans" font-weight="${weight}">${escaped}</text></svg>`;
      const real = new Resvg(svg, { font }).innerBBox()!.width;
      const share = measureWidth(text, { size: 100, bold: name === 'bold' }) / real;
      expect([text, share >= 1, share < 1.6]).toEqual([text, true, true]);
    }
  });

  it('measures several code points that form one character once', () => {
    expect(measureWidth('👨‍👩‍👧‍👦', font)).toBe(measureWidth('😀', font));
    expect(measureWidth('e\u0301', font)).toBe(measureWidth('é', font));
  });
});

it.each([
  ['  a \n\t b\u00A0c ', 'a b c'],
  ['a\u0000\u0007b', 'a b'],
  ['\u202Eevil\u202C', 'evil'],
  ['zero\u200Bwidth\uFEFF', 'zerowidth'],
  ['👨‍👩‍👧', '👨‍👩‍👧'],
  ['\uD83D', ''],
  ['a\u0301\u0302\u0303\u0304', 'a\u0301\u0302'],
])('converts %j to the plain text %j', (text, plain) => {
  expect(toPlainText(text)).toBe(plain);
});

it.each([
  ['Żółć & Co. – Ελλάς, Москва, שלום, مرحبا', 'Żółć & Co. – Ελλάς, Москва, שלום, مرحبا'],
  ['Rocket 🚀 ✨ Ltd', 'Rocket Ltd'],
  ['❤️', ''],
  ['日本語 Ltd', ''],
  ['한국 회사', ''],
  ['ไทย', ''],
])('reduces "%s" to the bundled font: "%s"', (text, shown) => {
  expect(toBundledFont(text)).toBe(shown);
});

it('cuts a name between characters, never within one', () => {
  const cut = shorten('👨‍👩‍👧'.repeat(9), 100, font);
  expect(cut).toMatch(/^(👨‍👩‍👧)+…$/u);
  expect(measureWidth(cut, font)).toBeLessThanOrEqual(100);
});

it('breaks a long name into two lines of about equal length within the width', () => {
  expect(wrap('Fox Quill', 112, font)).toEqual(['Fox Quill']);
  expect(wrap('Eastvale Insurance', 112, font)).toEqual(['Eastvale', 'Insurance']);
  expect(wrap('The Old Book Shop Ltd', 112, font)).toEqual(['The Old Book', 'Shop Ltd']);
  const lines = wrap('Internationalization Consulting Partnership Holding GmbH', 112, font);
  expect([lines.length, lines.join().includes('…')]).toEqual([2, true]);
  for (const line of lines) expect(measureWidth(line, font)).toBeLessThanOrEqual(112);
});
