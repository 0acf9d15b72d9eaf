/** Returns the spellings in which a secret can appear, by name. */
export function spellingsOf(secret: string): Map<string, string> {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const spellings = new Map([
    ['plain', secret],
    ['hex', hex],
    ['HEX', hex.toUpperCase()],
    ['URL', encodeURIComponent(secret)],
    ['url', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['form', new URLSearchParams({ '': secret }).toString().slice(1)],
    ['HTML', secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')],
  ]);
  // In base64, the spelling depends on the position of the secret: three cases, without the
  // characters shared with the text around it.
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes, Buffer.alloc(2)]).toString('base64');
    const begins = before === 0 ? 0 : before + 1;
    const sure = text.slice(begins, Math.floor(((before + bytes.length) * 8) / 6));
    spellings.set(`base64+${String(before)}`, sure);
    spellings.set(`base64url+${String(before)}`, sure.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return spellings;
}
