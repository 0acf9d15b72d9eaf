/** How many columns of the width table a font size of 1 has. */
const unitsPerEm = 100;

/** Advance widths of U+0020 to U+007E in DejaVu Sans, in hundredths of the font size, rounded up. */
const asciiWidths = [
  32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
  64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
  61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
  64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
];
/** Other letters of the font's scripts are 0.55 to 0.69 wide on average. */
const letterWidth = 78;
/** Han, Kana, Hangul, emoji and whatever else is unknown. */
const wideWidth = 125;
/** Bold is 12 % wider on average, and for few letters 26 %. */
const boldFactor = 1.2;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A name as one line of plain text: no control characters, no characters that turn the direction of
 * what follows, no half surrogate pairs, no piles of accents, single spaces.
 */
export function plainText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replace(/(?![\u200C\u200D])\p{Cf}|\p{Cs}|[\uFFFE\uFFFF]/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
}

/**
 * The text as far as the font that comes with this package can show it (see rasterize). Signs that it
 * lacks are dropped; where a letter is lacking there is nothing worth showing: ''.
 */
export function inBundledFont(text: string): string {
  if (
    /(?!\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}|\p{Script=Armenian}|\p{Script=Georgian}|\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Common})\p{L}/u.test(
      text,
    )
  ) {
    return '';
  }
  return plainText(
    text.replace(/(?![\p{L}\p{M}\p{N}\u2010-\u203A\u20A0-\u20B9])[^\u0020-\u00FF]/gu, ''),
  );
}

/** Width of a line in the units of `size`, rather too large than too small. */
export function widthOf(text: string, size: number, bold = false): number {
  let units = 0;
  for (const { segment } of graphemes.segment(text)) units += graphemeWidth(segment);
  return ((units * size) / unitsPerEm) * (bold ? boldFactor : 1);
}

/** The text, or as much of it as fits with … behind it. */
export function shorten(text: string, width: number, size: number, bold = false): string {
  if (widthOf(text, size, bold) <= width) return text;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    if (widthOf(`${kept}${segment}…`, size, bold) > width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * A name on one line if it is short, else on two of about the same length, none wider than `width`:
 * what does not fit is shortened.
 */
export function wrap(text: string, width: number, size: number, bold = false): string[] {
  const measure = (line: string): number => widthOf(line, size, bold);
  const words = text.split(' ');
  if (words.length === 1 || measure(text) <= width * 0.6) return [shorten(text, width, size, bold)];
  const splits = words.slice(1).map((_, index) => {
    return [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')] as const;
  });
  const fitting = splits.filter(([first]) => measure(first) <= width);
  const balanced = (fitting.length > 0 ? fitting : splits.slice(0, 1)).reduce((best, split) =>
    Math.max(...split.map(measure)) < Math.max(...best.map(measure)) ? split : best,
  );
  return balanced.map((line) => shorten(line, width, size, bold));
}

function graphemeWidth(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0;
  if (code === 0x2026) return unitsPerEm;
  const base = /^[\u00C0-\u024F]/.test(grapheme) ? grapheme.normalize('NFD').charCodeAt(0) : code;
  const ascii = asciiWidths[base - 0x20];
  if (ascii !== undefined) return ascii;
  return code < 0x700 || (code >= 0x10a0 && code < 0x1100) ? letterWidth : wideWidth;
}
