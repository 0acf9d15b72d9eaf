/**
 * Attributes of an element; undefined ones are left out. Numbers are written with at most two
 * decimals, which is finer than a screen shows and keeps the same input the same text.
 */
export type Attributes = Record<string, string | number | undefined>;

/**
 * One XML element as text. Attribute values are escaped here; children are markup already: pass text
 * through `escapeXml`.
 */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeXml(attributeText(value))}"`)
    .join('');
  const inside = children.join('');
  return inside === '' ? `<${name}${written}/>` : `<${name}${written}>${inside}</${name}>`;
}

/** Text that XML can hold in an element or in a double-quoted attribute, and no parser reads as markup. */
export function escapeXml(text: string): string {
  return text
    .replace(forbidden, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** What XML 1.0 cannot hold even when escaped: most control characters, half surrogate pairs, U+FFFE and U+FFFF. */
const forbidden = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]/gu;

function attributeText(value: string | number | undefined): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : (value ?? '');
}
