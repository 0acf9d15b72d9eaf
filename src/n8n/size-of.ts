/** What one value costs beside its text: a pointer, a header, a number. */
const VALUE_BYTES = 16;

/**
 * About how many bytes of memory a value takes, as far as it is plain data. Counting ends when there
 * are more than `limit`. Not recursive, so that data of any depth can be counted.
 */
export function sizeOf(value: unknown, limit: number): number {
  const open: unknown[] = [value];
  const seen = new Set<object>();
  let bytes = 0;
  while (open.length > 0 && bytes <= limit) {
    const one = open.pop();
    bytes += VALUE_BYTES;
    if (typeof one === 'string') bytes += 2 * one.length;
    if (typeof one !== 'object' || one === null || seen.has(one)) continue;
    seen.add(one);
    for (const part of partsOf(one)) open.push(part);
  }
  return bytes;
}

function* partsOf(object: object): Iterable<unknown> {
  if (Array.isArray(object) || object instanceof Set) {
    yield* object as Iterable<unknown>;
  } else if (object instanceof Map) {
    for (const [key, value] of object) {
      yield key;
      yield value;
    }
  } else {
    for (const [name, value] of Object.entries(object)) {
      yield name;
      yield value;
    }
  }
}
