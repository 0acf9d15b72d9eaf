/** Letters that Unicode does not decompose into a letter and an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h' },
};

/** Removes case and accents, except those of `ä`, `ö` and `ü`: Bösch is not Bosch. */
export function foldAccents(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/(?<![aou])\u0308|[\u0300-\u0307\u0309-\u036f]/g, '')
    .replace(/[ßæœøłđðþıħ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC');
}

export function fold(text: string): string {
  return foldAccents(text)
    .normalize('NFD')
    .replace(/\u0308/g, '')
    .normalize('NFC');
}

export function squeeze(text: string): string {
  return fold(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

/** Spells ä, ö, ü, å and ø as on keyboards without these letters. */
export function spellOut(text: string): string {
  return fold(
    text
      .toLowerCase()
      .replace(/[äöü]/g, (letter) => `${letter.normalize('NFD').charAt(0)}e`)
      .replace(/ø/g, 'oe')
      .replace(/å/g, 'aa'),
  );
}
