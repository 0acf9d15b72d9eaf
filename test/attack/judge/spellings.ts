/** The ways in which a key can be spelled and still be read by whoever finds it. */

/** By how it is spelled; base64 in all three positions that it can have in a longer text. */
export function spellingsOf(key: string): Map<string, string> {
  const bytes = Buffer.from(key);
  const shifted = (by: number): string => {
    const encoded = Buffer.concat([Buffer.alloc(by), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters also depend on what stands around.
    return encoded.slice(Math.ceil((by * 8) / 6), -1);
  };
  return new Map([
    ['as it is', key],
    ['as in a URL', encodeURIComponent(key)],
    ['in base64', shifted(0)],
    ['in base64, one byte later', shifted(1)],
    ['in base64, two bytes later', shifted(2)],
    ['in base64 for URLs', bytes.toString('base64url')],
  ]);
}
