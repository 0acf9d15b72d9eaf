import type { CallOptions } from '../../client/client';
import { CancelledError, ServiceError } from '../../client/errors';
import type { BatchAnswer } from '../answers/batch-answer';
import { mentionsAll, ownCopyOf, sharesOf } from './shares';

/** Before a request of several is taken apart: what keeps happening to all may be the matter of one. */
const ATTEMPTS_OF_SEVERAL = 2;

/** What holds for a request that several runs share. */
export interface Terms {
  /** Fires when the last of them has been stopped. */
  readonly signal: AbortSignal;
  /** To be called at the last moment before each sending; throwing means that it is not sent. */
  readonly beforeSend: () => void;
  /** To be called after each sending. */
  readonly sent: () => void;
  /** See {@link CallOptions.attempts}. */
  readonly attempts: NonNullable<CallOptions['attempts']>;
  /** Gets what the users should know although the runs go on. */
  readonly tell: (message: string) => void;
}

/** A run that asks about a few domains, and may share a request for them. */
export interface Asker {
  readonly domains: readonly string[];
  /** Stops it. */
  readonly signal: AbortSignal | undefined;
  /** Domains that a request may hold, as it is known now. */
  readonly room: () => number;
  /** Called before each sending; throws why the run wants nothing sent any more. */
  readonly mayGo: () => void;
  /** Called after each sending with the part of it that was this run's. */
  readonly sent: (part: number) => void;
  readonly tell: (message: string) => void;
  /**
   * Sends one request.
   *
   * @param domains is filled at the last moment before each sending, so that whoever comes until then
   * is in it.
   */
  readonly send: (domains: readonly string[], terms: Terms) => Promise<BatchAnswer>;
  /** Learns that so many domains are taken at once, where more of the same were refused. */
  readonly learn: (size: number, refusal: ServiceError) => void;
}

/** An asker that waits for its answer. */
export class Passenger {
  private load: Load | undefined;
  private stopped = false;
  private maybeDone = false;

  /** @param settle gives it what became of its question. */
  constructor(
    readonly asker: Asker,
    private readonly settle: {
      readonly resolve: (answer: BatchAnswer) => void;
      readonly reject: (error: unknown) => void;
    },
  ) {}

  get size(): number {
    return this.asker.domains.length;
  }

  /** It waits no longer. */
  get gone(): boolean {
    return this.stopped;
  }

  boards(load: Load): void {
    this.load = load;
  }

  /** It was stopped. */
  stop(): void {
    this.stopped = true;
    this.load?.leave(this);
  }

  gets(answer: BatchAnswer): void {
    this.settle.resolve(answer);
  }

  /** It is asked for again after a request that may have been charged. */
  maybeCharged(): void {
    this.maybeDone = true;
  }

  fails(error: unknown): void {
    const { maybeDone } = this;
    this.settle.reject(
      maybeDone && error instanceof ServiceError ? error.retold({ maybeDone }) : error,
    );
  }
}

/** What became of a load. */
export type Arrival =
  | {
      readonly kind: 'answered';
      /** Askers and domains that it was sent for. */
      readonly sentFor: number;
      readonly domains: number;
      /** Those of several that the answer says nothing of. */
      readonly overlooked: readonly Passenger[];
    }
  | {
      readonly kind: 'failed';
      readonly error: unknown;
      /** Askers that it was sent for; of one alone, the failure is its own. */
      readonly sentFor: number;
      readonly domains: number;
      /** Those of them that have not been stopped since. */
      readonly aboard: readonly Passenger[];
    };

/** Those who share a request. */
export class Load {
  private readonly aboard = new Set<Passenger>();
  private readonly stop = new AbortController();

  /** @param closes is called when nobody may board it any more, before each sending. */
  constructor(private readonly closes: (load: Load) => void = () => undefined) {}

  /** Domains, with those that several ask about counted for each. */
  get size(): number {
    let size = 0;
    for (const passenger of this.aboard) size += passenger.size;
    return size;
  }

  readonly board = (passenger: Passenger): void => {
    this.aboard.add(passenger);
    passenger.boards(this);
  };

  /** Whoever leaves before the request is sent is not in it. Without anybody it is given up. */
  leave(passenger: Passenger): void {
    this.aboard.delete(passenger);
    if (this.aboard.size > 0) return;
    this.closes(this);
    this.stop.abort();
  }

  /** Sends the request and gives those aboard what the answer has for each. */
  async send(): Promise<Arrival> {
    const domains: string[] = [];
    let sentFor = 0;
    let shares: ReadonlyArray<() => void> = [];
    try {
      const [first] = this.aboard;
      if (first === undefined) throw new CancelledError();
      const answer = await first.asker.send(domains, {
        signal: this.stop.signal,
        beforeSend: () => {
          this.closes(this);
          this.checkIn();
          domains.splice(0, domains.length, ...new Set(this.questions.flat()));
          sentFor = this.aboard.size;
          shares = this.sharesOfSending();
        },
        sent: () => {
          for (const share of shares) share();
        },
        attempts: () => (sentFor > 1 ? ATTEMPTS_OF_SEVERAL : Infinity),
        tell: (message) => {
          for (const { asker } of this.aboard) asker.tell(message);
        },
      });
      const overlooked = this.handOut(answer, sentFor === 1);
      return { kind: 'answered', sentFor, domains: domains.length, overlooked };
    } catch (error) {
      // What fails before it is sent could be boarded until now, and nobody after this would be told.
      this.closes(this);
      return {
        kind: 'failed',
        error,
        sentFor,
        domains: domains.length,
        aboard: [...this.aboard],
      };
    }
  }

  private get questions(): Array<readonly string[]> {
    return [...this.aboard].map(({ asker }) => asker.domains);
  }

  /** Who leaves later has had its part of the request all the same. */
  private sharesOfSending(): Array<() => void> {
    const { size } = this;
    return Array.from(this.aboard, (one) => () => {
      one.asker.sent(one.size / size);
    });
  }

  /** Those whose runs have come to their end in the meantime stay behind. */
  private checkIn(): void {
    for (const passenger of this.aboard) {
      try {
        passenger.asker.mayGo();
      } catch (error) {
        this.aboard.delete(passenger);
        passenger.fails(error);
      }
    }
    if (this.aboard.size === 0) throw new CancelledError();
  }

  private handOut(answer: BatchAnswer, alone: boolean): Passenger[] {
    const [first] = this.aboard;
    if (alone) {
      first?.gets(answer);
      return [];
    }
    const overlooked = [...this.aboard].filter(({ asker }) => !mentionsAll(answer, asker.domains));
    for (const passenger of overlooked) this.aboard.delete(passenger);
    const shares = sharesOf(answer, this.questions);
    for (const [index, passenger] of [...this.aboard].entries()) {
      const share = shares[index];
      if (share !== undefined) passenger.gets(share);
    }
    return overlooked;
  }
}

/** Gives everybody the same failure, each a copy of its own. */
export function failAll(passengers: readonly Passenger[], error: unknown): void {
  for (const passenger of passengers) {
    passenger.fails(passengers.length === 1 ? error : ownCopyOf(error));
  }
}
