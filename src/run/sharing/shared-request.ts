import type { CallOptions } from '../../client/client';
import { CancelledError, ServiceError } from '../../client/errors';
import type { BatchAnswer } from '../answers/batch-answer';
import { eachItsOwn, type Row } from '../answers/rows';

/** What holds for a request that several runs share. */
export interface Terms {
  /** Fires when the last of them has been stopped. */
  readonly signal: AbortSignal;
  /** To be called at the last moment before each sending; throwing means that it is not sent. */
  readonly beforeSend: () => void;
  /** See {@link CallOptions.sent}. */
  readonly sent: NonNullable<CallOptions['sent']>;
  /** See {@link CallOptions.isBrief}. */
  readonly isBrief: NonNullable<CallOptions['isBrief']>;
  /** Gets what the users should know although the runs go on. */
  readonly tell: (message: string) => void;
}

/** A run that asks about a few domains, and may share a request for them. */
export interface Question {
  readonly domains: readonly string[];
  /** Stops it. */
  readonly signal: AbortSignal | undefined;
  /** Domains that a request may hold, as it is known now. */
  readonly room: () => number;
  /** Called before each sending; throws why the run wants nothing sent any more. */
  readonly mayGo: () => void;
  /** Called with each sending, with the part of it that was this run's; negative when taken back. */
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

/** Who waits for the answer to a question. */
export class Asker {
  /** It is asked for again after a request that may have been charged. */
  maybeDone = false;
  private request: SharedRequest | undefined;

  constructor(
    readonly question: Question,
    readonly resolve: (answer: BatchAnswer) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  get size(): number {
    return this.question.domains.length;
  }

  joins(request: SharedRequest): void {
    this.request = request;
  }

  stop(): void {
    this.request?.leave(this);
  }

  fails(error: unknown): void {
    const { maybeDone } = this;
    this.reject(maybeDone && error instanceof ServiceError ? error.retold({ maybeDone }) : error);
  }
}

/** A request, and who shares it. */
export class SharedRequest {
  /** In the order in which they came; after {@link send} those for whom nothing has come of it. */
  readonly askers = new Set<Asker>();
  /** What was sent; each domain once. */
  readonly domains: string[] = [];
  /** Askers that it was sent for; of one alone, a failure is its own. */
  sentFor = 0;
  /** What {@link send} has failed with. */
  failure: unknown;
  private readonly stop = new AbortController();

  /**
   * @param closes is called when nobody may join any more.
   * @param isPatient it gets all the time there is, although it is for several.
   */
  constructor(
    private readonly closes: (request: SharedRequest) => void = () => undefined,
    private readonly isPatient = false,
  ) {}

  /** Domains, with those that several ask about counted for each. */
  get size(): number {
    return Array.from(this.askers, ({ size }) => size).reduce((sum, size) => sum + size, 0);
  }

  readonly add = (asker: Asker): void => {
    this.askers.add(asker);
    asker.joins(this);
  };

  /** Whoever leaves before it is sent is not in it. Without anybody it is given up. */
  leave(asker: Asker): void {
    this.askers.delete(asker);
    if (this.askers.size > 0) return;
    this.closes(this);
    this.stop.abort();
  }

  /** Sends it and gives the askers what the answer has for each. Never rejects. */
  async send(): Promise<void> {
    let parts: ReadonlyArray<Terms['sent']> = [];
    const terms: Terms = {
      signal: this.stop.signal,
      beforeSend: () => {
        this.closes(this);
        parts = this.checkIn();
      },
      sent: (times) => {
        for (const part of parts) part(times);
      },
      isBrief: () => this.sentFor > 1 && !this.isPatient,
      tell: (message) => {
        for (const { question } of this.askers) question.tell(message);
      },
    };
    try {
      const [first] = this.askers;
      if (first === undefined) throw new CancelledError();
      this.handOut(await first.question.send(this.domains, terms));
    } catch (error) {
      // What fails before it is sent could be joined until now, and nobody after this would be told.
      this.closes(this);
      this.failure = error;
    }
  }

  /**
   * Fixes for whom it is sent. Those whose runs have come to their end in the meantime stay behind.
   *
   * @returns what tells each of its part: who leaves later has had it all the same.
   */
  private checkIn(): Array<Terms['sent']> {
    for (const asker of this.askers) {
      try {
        asker.question.mayGo();
      } catch (error) {
        this.askers.delete(asker);
        asker.fails(error);
      }
    }
    const { askers, size } = this;
    if (size === 0) throw new CancelledError();
    this.sentFor = askers.size;
    this.domains.splice(0, Infinity, ...new Set(this.wanted(askers).flat()));
    return Array.from(askers, (asker) => (times) => {
      asker.question.sent((times * asker.size) / size);
    });
  }

  private handOut(answer: BatchAnswer): void {
    const alone = this.sentFor === 1;
    const served = [...this.askers].filter(
      ({ question }) => alone || mentionsAll(answer, question.domains),
    );
    const shares = alone ? [answer] : sharesOf(answer, this.wanted(served));
    for (const [index, share] of shares.entries()) {
      const asker = served[index];
      if (asker === undefined) return;
      this.askers.delete(asker);
      asker.resolve(share);
    }
  }

  private wanted(askers: Iterable<Asker>): Array<readonly string[]> {
    return Array.from(askers, ({ question }) => question.domains);
  }
}

// --- What of an answer is whose ------------------------------------------------------------------

/** A failure for one of several: what one execution does to it, another must not see. */
export function ownCopyOf(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  return error.retold({ details: structuredClone(error.details) });
}

/** Whether an answer says something about each of the domains. */
function mentionsAll({ rows, rejected }: BatchAnswer, domains: readonly string[]): boolean {
  return domains.every((domain) => rows.has(domain) || rejected.has(domain));
}

/**
 * Takes each asker's own answer out of a shared one: its rows, what was rejected of its domains, and
 * what is odd about its rows.
 *
 * @param askers the domains of each.
 * @returns one answer for each; no two have an object in common.
 */
function sharesOf(answer: BatchAnswer, askers: ReadonlyArray<readonly string[]>): BatchAnswer[] {
  const own = eachItsOwn();
  const asked = askers.reduce((sum, { length }) => sum + length, 0);
  return askers.map((domains, index) => {
    const found = domains.flatMap((domain) => {
      const row = answer.rows.get(domain);
      return row === undefined ? [] : [[domain, row] as const];
    });
    return {
      rows: new Map(found.map(([domain, row]) => [domain, own(row)])),
      rejected: new Set(domains.filter((domain) => answer.rejected.has(domain))),
      oddities: odditiesOf(
        answer,
        found.map(([, row]) => row),
      ),
      share: domains.length / asked,
      // What belongs to nobody is counted once.
      foreign: index === 0 ? (answer.foreign ?? []) : [],
    };
  });
}

function odditiesOf({ oddities, inspect }: BatchAnswer, rows: readonly Row[]) {
  return oddities.length === 0 || inspect === undefined ? oddities : inspect(rows);
}
