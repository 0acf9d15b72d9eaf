/** Half of a character that takes two: it has no form in UTF-8, which addresses are written in. */
const HALF_CHARACTER = /\p{Surrogate}/u;

/**
 * Tagged template for request paths: what is in `${}` is one path segment, encoded so that it
 * can never become another path: path`/v1/companies/${identifier}`.
 *
 * @throws {TypeError} when a segment is empty, `.` or `..`, which URLs would resolve away, or holds
 * half a character, which they cannot hold.
 */
export function path(texts: TemplateStringsArray, ...segments: string[]): string {
  return texts.reduce((built, text, index) => {
    const segment = segments[index - 1] ?? '';
    if (segment === '' || segment === '.' || segment === '..') {
      throw new TypeError(`"${segment}" cannot be part of a request path`);
    }
    if (HALF_CHARACTER.test(segment)) {
      throw new TypeError(
        `"${wellFormed(segment).slice(0, 100)}" cannot be part of a request path: it holds half a character, shown as \uFFFD. Take it out, or read the text again with its right encoding`,
      );
    }
    return `${built}${encodeURIComponent(segment)}${text}`;
  });
}

/** The text with each half of a character replaced by the sign for "unreadable". */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
