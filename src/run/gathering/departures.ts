/**
 * The longest that a lead waits for company, in milliseconds. A key may send a request each 100 ms
 * (interface: Rate limits), so that a shorter wait would only use its requests up sooner.
 */
export const LONGEST_WAIT_MS = 90;

/** What takes up room in a load. */
interface Party {
  readonly size: number;
}

/** What leaves as one request. */
interface Boarding<P> {
  /** What is aboard takes up so much room. */
  readonly size: number;
  readonly board: (party: P) => void;
}

/**
 * When requests leave that may be shared. The rule is Nagle's: who is alone goes at once; while a
 * request is under way, those who come are gathered, and leave when it is answered, when they are a
 * full load, or after {@link LONGEST_WAIT_MS}. Who left but waits for the limiter can still be joined,
 * until the request is sent.
 *
 * It knows nothing of requests: it is told what happens.
 */
export class Departures<P extends Party, L extends Boarding<P>> {
  /** Can still be boarded. */
  private open: L | undefined;
  /** Left last, and is not over. */
  private latest: L | undefined;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param newLoad makes an empty one.
   * @param leaves is called once for each load, when it has to go.
   */
  constructor(
    private readonly newLoad: () => L,
    private readonly leaves: (load: L) => void,
  ) {}

  /** Nobody waits, and nothing is under way. */
  get idle(): boolean {
    return this.open === undefined && this.latest === undefined;
  }

  /** @param room of a load, as it is known now. */
  arrive(party: P, room: number): void {
    if (this.open !== undefined && this.open.size + party.size > room) this.close(this.open);
    const load = (this.open ??= this.newLoad());
    load.board(party);
    if (load.size >= room) this.close(load);
    else if (this.latest === undefined) this.leave(load);
    else if (this.latest !== load) this.timer ??= this.departAfterTheLongestWait();
  }

  /** Nobody can join it any more, because it is sent now, is full, or has nobody aboard. */
  close(load: L): void {
    if (this.open !== load) return;
    if (load.size > 0) this.leave(load);
    this.endWait();
    this.open = undefined;
  }

  /** Its request was answered, or has failed. */
  over(load: L): void {
    if (this.open === load) this.open = undefined;
    if (this.latest !== load) return;
    this.latest = undefined;
    if (this.open !== undefined) this.leave(this.open);
  }

  private leave(load: L): void {
    this.endWait();
    if (this.latest === load) return;
    this.latest = load;
    this.leaves(load);
  }

  /** What is under way meanwhile keeps the process alive. */
  private departAfterTheLongestWait(): NodeJS.Timeout {
    return setTimeout(() => {
      this.timer = undefined;
      if (this.open !== undefined) this.leave(this.open);
    }, LONGEST_WAIT_MS).unref();
  }

  private endWait(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
