import type { BodyBytes } from '../exchange/body-bytes';
import type { ListPlace } from './longest-list';

/** An entry of a list of objects. */
type Entry = Record<string, unknown>;

/**
 * A list of an answer that is kept as the bytes it arrived as. Its entries are made anew each time
 * they are gone through, a few at a time.
 */
export class PackedList implements Iterable<Entry> {
  /** @param parse makes values of the text of a list, or throws. */
  constructor(
    private readonly body: BodyBytes,
    private readonly place: ListPlace,
    private readonly parse: (list: string) => unknown,
  ) {}

  get length(): number {
    return this.place.length;
  }

  /** @throws {InvalidResponseError} when an entry is no JSON, or nested too deeply. */
  *[Symbol.iterator](): Generator<Entry, void, undefined> {
    const { groups } = this.place;
    for (let at = 0; at < groups.length; at += 2) {
      yield* this.parse(`[${this.body.text(groups[at] ?? 0, groups[at + 1] ?? 0)}]`) as Entry[];
    }
  }

  /** The list is not read any more. */
  release(): void {
    this.body.release();
  }
}
