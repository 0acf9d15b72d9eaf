/** Undefined ones are omitted. Numbers have up to two decimals, which is finer than a screen can show. */
type Attributes = Record<string, string | number | undefined>;

/** Escapes attribute values, but not children, which are markup: pass text through `escapeXml`. */
export function createElement(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeXml(toAttributeText(value))}"`)
    .join('');
  const inside = children.join('');
  return inside === '' ? `<${name}${written}/>` : `<${name}${written}>${inside}</${name}>`;
}

export function escapeXml(text: string): string {
  return text
    .replace(forbidden, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** XML 1.0 forbids them even if escaped. */
const forbidden = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]/gu;

function toAttributeText(value: string | number | undefined): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : (value ?? '');
}
