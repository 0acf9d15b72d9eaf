/**
 * The attributes of an element; undefined ones are omitted. Numbers are written with up to two decimals,
 * which is finer than a screen can show and makes the same text for the same input.
 */
export type Attributes = Record<string, string | number | undefined>;

/**
 * Returns an XML element as text. The function escapes attribute values, but not children, which are
 * markup: pass text through `escapeXml`.
 */
export function createElement(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeXml(toAttributeText(value))}"`)
    .join('');
  const inside = children.join('');
  return inside === '' ? `<${name}${written}/>` : `<${name}${written}>${inside}</${name}>`;
}

/**
 * Escapes text for an XML element or a double-quoted attribute, so that no parser reads it as
 * markup.
 */
export function escapeXml(text: string): string {
  return text
    .replace(forbidden, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/**
 * Characters that XML 1.0 forbids even if escaped: most control characters, unpaired surrogates,
 * U+FFFE, U+FFFF.
 */
const forbidden = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]/gu;

function toAttributeText(value: string | number | undefined): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : (value ?? '');
}
