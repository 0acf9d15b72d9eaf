import { isRecord } from './is-record';

/** Values that are looked through. */
const MAX_PLACES = 100;

/** Fields that repeat the request or number the answer. */
const SAYS_NOTHING = /^(path|url|uri|instance|type|status|statuscode|timestamp|method|.*id)$/i;

/** What routers, gateways and proxies speak of when they do not know an address. */
const OF_AN_ADDRESS =
  /\b(endpoint|route|routes|router|url|uri|path|page|handler|method|cannot (get|post|put|patch|delete))\b/i;

/** What is said of anything that is not found. */
const OF_ANYTHING =
  /\b(not|found|404|http|error|errors|resource|object|item|entity|the|that|this|a|an|requested|request|what|you|asked|for|could|can|be|is|was|does|exist|exists|no|such|sorry|unknown|code|title|detail|nil|none|match|matches|given|query)\b|[\W_\d]/gi;

/**
 * Whether a 404 without a known code is the service's own answer about what was asked for. One from
 * a wrong address is a page, is empty, speaks of an address, or says no more than "not found".
 *
 * @param text the body as it arrived.
 */
export function isAboutWhatWasAsked(text: string): boolean {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return false;
  }
  const said = textsIn(body)
    .join(' ')
    .replace(/([a-z])_/g, '$1 ');
  return !OF_AN_ADDRESS.test(said) && said.replace(OF_ANYTHING, '') !== '';
}

function textsIn(body: unknown): string[] {
  const places = [body];
  // Grows while it is gone through.
  for (const place of places) {
    const inner = Array.isArray(place)
      ? (place as unknown[])
      : Object.entries(isRecord(place) ? place : {})
          .filter(([name]) => !SAYS_NOTHING.test(name))
          .map(([, value]) => value);
    places.push(...inner.slice(0, MAX_PLACES - places.length));
  }
  return places.filter((place) => typeof place === 'string');
}
