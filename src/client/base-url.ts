import { cut } from './cut';

/*
 * Which addresses of the service can be used: http(s), or a host with a dot and no scheme; host, port,
 * path, and a query that is dropped. Stricter than URLs are, whose parser mends tabs, backslashes and
 * dots, so that what is sent goes where one reads that it goes.
 */
const NAME = String.raw`[^\s\x00-\x1f/?#@:\\[\]%]+`;
const HOST = String.raw`(?:https?:\/\/(?:${NAME}|\[[\da-f:.]+\])|${NAME}\.${NAME})`;
/** Without `.` and `..`, and without what a parser would cut off at the end. */
const PATH = String.raw`(?:\/(?!(?:\.|%2e){1,2}(?:[/?#]|$))[^\s\x00-\x1f/?#\\]*)*`;
const IS_ADDRESS = new RegExp(String.raw`^(?=.{1,2000}$)${HOST}(?::\d*)?${PATH}(?:[?#].*)?$`, 'i');

/** What of an address that cannot be used is shown. */
const SHOWN = 60;

/**
 * Brings a base URL as people paste it into the form the client needs: `https://` where there is no
 * scheme, no spaces, no trailing slash, no `/v1` (paths carry it), no query.
 *
 * @throws {TypeError} when the text is no http(s) URL, or holds a user name or password.
 */
export function normalizeBaseUrl(text: string): string {
  const pasted = text.trim();
  const isAddress = IS_ADDRESS.test(pasted);
  const url = urlOf(isAddress && !/^https?:\/\//i.test(pasted) ? `https://${pasted}` : pasted);
  if (url !== undefined && url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TypeError(
      `The Base URL must start with https:// (or http://), not ${url.protocol.slice(0, SHOWN)}//`,
    );
  }
  if (url !== undefined && (url.username !== '' || url.password !== '')) {
    throw new TypeError('The Base URL must not hold a user name or password');
  }
  if (url === undefined || !isAddress) {
    const safe = pasted.slice(0, 2 * SHOWN).replace(/[^/]*@/, '…@');
    throw new TypeError(
      `The Base URL "${cut(safe, SHOWN)}" is not a URL. It looks like https://api.example.com`,
    );
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '');
  return `${url.origin}${path}`;
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
