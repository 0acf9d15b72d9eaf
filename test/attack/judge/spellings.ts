/** Returns the spellings of a secret that responses may not bring into n8n, by name. */
export function spellingsOf(secret: string): Map<string, string> {
  const encoded = encodeURIComponent(secret);
  return new Map([
    ['plain', secret],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['URL', encoded],
    ['url', encoded.replace(/%../g, (code) => code.toLowerCase())],
  ]);
}
