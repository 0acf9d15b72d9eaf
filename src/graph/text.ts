/** The units of the width table per font size. */
const unitsPerEm = 100;

/** U+0020 to U+007E in DejaVu Sans, rounded up. */
const asciiWidths = [
  32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
  64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
  61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
  64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
];
/** Other letters of the font's scripts are 0.55 to 0.69 wide on average. */
const letterWidth = 78;
/** Han, Kana, Hangul, emoji and all other unknown characters. */
const wideWidth = 125;
/** Bold is 12% wider on average, and 26% for a few letters. */
const boldFactor = 1.2;
/** UTF-16 units that are drawn, measured or compared. No label shows more. */
const maxLength = 500;

/** Roughly: DejaVu Sans has no glyphs for other scripts, emoji and rare symbols. */
const missing =
  /(?![\u0300-\u036F]|[\u064B-\u0655])[^\u0020-\u00FF\u2010-\u203A\u20A0-\u20B9\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Arabic}]/gu;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * One line of its first 500 characters, without control characters, characters that change the text direction,
 * unpaired surrogates and stacked accents.
 */
export function toPlainText(text: string): string {
  return text
    .slice(0, maxLength)
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replace(/(?![\u200C\u200D])\p{Cf}|\p{Cs}|[\uFFFE\uFFFF]/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
}

/**
 * Symbols that the bundled font (see `toPng`) lacks are dropped. If it lacks a letter, the rest is not worth
 * showing and the result is empty.
 */
export function toBundledFont(text: string): string {
  const shown = text.replace(missing, '');
  return /\p{L}/u.test(text.match(missing)?.join('') ?? '') ? '' : toPlainText(shown);
}

export interface Font {
  readonly size: number;
  readonly bold: boolean;
}

/** In the units of the font size; too large rather than too small. */
export function measureWidth(text: string, font: Font): number {
  return splitGraphemes(text).reduce((sum, sign) => sum + getGraphemeWidth(sign, font), 0);
}

export function shorten(text: string, width: number, font: Font): string {
  const signs = splitGraphemes(text);
  let used = 0;
  let kept = 0;
  for (const sign of signs) {
    used += getGraphemeWidth(sign, font);
    if (used + getGraphemeWidth('…', font) <= width) kept += 1;
  }
  return used <= width ? text : `${signs.slice(0, kept).join('').trimEnd()}…`;
}

/** On one line or, if longer, on two of about the same length. Lines wider than `width` are shortened. */
export function wrap(text: string, width: number, font: Font): string[] {
  const words = text.split(' ');
  if (words.length === 1 || measureWidth(text, font) <= width * 0.6)
    return [shorten(text, width, font)];
  const splits = words.slice(1).map((_, index) => {
    const lines = [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')];
    const [first = 0, second = 0] = lines.map((line) => measureWidth(line, font));
    // The first line is complete if possible.
    return { lines, waste: first > width ? first * 1000 : Math.max(first, second) };
  });
  const best = splits.reduce((a, b) => (b.waste < a.waste ? b : a));
  return best.lines.map((line) => shorten(line, width, font));
}

/**
 * Visible characters: a letter with its accents, an emoji made of several. Reads no more than is visible,
 * because splitting a long text takes gigabytes of memory.
 */
function splitGraphemes(given: string): string[] {
  const text = given.slice(0, maxLength);
  if (/^[\u0020-\u007E]*$/.test(text)) return Array.from(text);
  return [...graphemes.segment(text)].map(({ segment }) => segment);
}

function getGraphemeWidth(sign: string, { size, bold }: Font): number {
  return (getGraphemeAdvance(sign) / unitsPerEm) * size * (bold ? boldFactor : 1);
}

function getGraphemeAdvance(sign: string): number {
  const code = sign.codePointAt(0) ?? 0;
  const base = code >= 0xc0 && code < 0x250 ? sign.normalize('NFD').charCodeAt(0) : code;
  const ascii = asciiWidths[base - 0x20];
  if (ascii !== undefined) return ascii;
  if (code === 0x2026) return unitsPerEm;
  return code < 0x700 || (code >= 0x10a0 && code < 0x1100) ? letterWidth : wideWidth;
}
