/**
 * The longest that a lead waits for company, in milliseconds. A key may send a request each 100 ms
 * (interface: Rate limits), so that a shorter wait would only use its requests up sooner.
 */
export const LONGEST_WAIT_MS = 90;

/** A request that several may share. */
interface Shared<A> {
  /** Of all that are in it. */
  readonly size: number;
  readonly add: (asker: A) => void;
}

/**
 * When requests leave that may be shared. The rule is Nagle's: who is alone goes at once; while a
 * request is under way, those who come are gathered, and leave when it is answered, when no more fit
 * in, or after {@link LONGEST_WAIT_MS}. What left but waits for the limiter can still be joined, until
 * it is sent.
 *
 * It knows nothing of requests: it is told what happens.
 */
export class Nagle<A extends { readonly size: number }, R extends Shared<A>> {
  /** Can still be joined. */
  private open: R | undefined;
  /** Left last, and is not over. */
  private latest: R | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @param leaves is called once for each request, when it has to go. */
  constructor(
    private readonly newRequest: () => R,
    private readonly leaves: (request: R) => void,
  ) {}

  /** Nobody waits, and nothing is under way. */
  get idle(): boolean {
    return this.open === undefined && this.latest === undefined;
  }

  /** @param room the most that fits into a request, as it is known now. */
  add(asker: A, room: number): void {
    if (this.open !== undefined && this.open.size + asker.size > room) this.close(this.open);
    const request = (this.open ??= this.newRequest());
    request.add(asker);
    if (request.size >= room) this.close(request);
    else if (this.latest === undefined) this.leave(request);
    // What is under way meanwhile keeps the process alive.
    else if (this.latest !== request) this.timer ??= setTimeout(this.late, LONGEST_WAIT_MS).unref();
  }

  /** Nobody can join it any more, because it is sent now, is full, or nobody is left in it. */
  close(request: R): void {
    if (this.open !== request) return;
    if (request.size > 0) this.leave(request);
    this.endWait();
    this.open = undefined;
  }

  /** It was answered, or has failed. */
  over(request: R): void {
    if (this.open === request) this.open = undefined;
    if (this.latest !== request) return;
    this.latest = undefined;
    if (this.open !== undefined) this.leave(this.open);
  }

  private leave(request: R): void {
    this.endWait();
    if (this.latest === request) return;
    this.latest = request;
    this.leaves(request);
  }

  private readonly late = (): void => {
    if (this.open !== undefined) this.leave(this.open);
  };

  private endWait(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
