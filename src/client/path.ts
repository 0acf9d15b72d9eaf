/**
 * Tagged template for request paths: what stands in `${}` is one path segment, encoded so that it
 * can never become another path: path`/v1/companies/${identifier}`.
 *
 * @throws {TypeError} when a segment is empty, `.` or `..`, which URLs would resolve away.
 */
export function path(texts: TemplateStringsArray, ...segments: string[]): string {
  return texts.reduce((built, text, index) => {
    const segment = segments[index - 1] ?? '';
    if (segment === '' || segment === '.' || segment === '..') {
      throw new TypeError(`"${segment}" cannot stand in a request path`);
    }
    return `${built}${encodeURIComponent(segment)}${text}`;
  });
}
