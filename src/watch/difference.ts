/** What differs between two states of the same things. */
export interface Difference<T> {
  readonly appeared: ReadonlyArray<readonly [id: string, now: T]>;
  readonly vanished: ReadonlyArray<readonly [id: string, before: T]>;
  /** Things that are in both. */
  readonly stayed: ReadonlyArray<readonly [id: string, before: T, now: T]>;
}

/** Compares two states. Pure; the order is that of `now`, and that of `before` for what vanished. */
export function difference<T>(
  before: ReadonlyMap<string, T>,
  now: ReadonlyMap<string, T>,
): Difference<T> {
  const appeared: Array<readonly [string, T]> = [];
  const stayed: Array<readonly [string, T, T]> = [];
  for (const [id, value] of now) {
    const earlier = before.get(id);
    if (earlier === undefined) appeared.push([id, value]);
    else stayed.push([id, earlier, value]);
  }
  const vanished = Array.from(before).filter(([id]) => !now.has(id));
  return { appeared, vanished, stayed };
}
