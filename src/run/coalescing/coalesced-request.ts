import type { CallOptions } from '../../client/client';
import { CancelledError, ServiceError } from '../../client/errors';
import type { BatchResponse } from '../responses/batch-response';
import { copyAfterFirst, type Row } from '../responses/rows';

/** Send options of a request that several runs share. `signal` fires when the last of them has been stopped. */
export interface CoalescedSendOptions extends Required<CallOptions> {
  /** Receives warnings for the users; the runs continue. */
  readonly warn: (message: string) => void;
}

/** A lookup of a few domains by one run, which can share a request with other runs. */
export interface CoalescedLookup {
  readonly domains: readonly string[];
  /** Cancels the lookup. */
  readonly signal: AbortSignal | undefined;
  /** Returns the currently known maximum of domains per request. */
  readonly capacity: () => number;
  /** Called before each attempt; throws if the run must not send anything any more. */
  readonly assertMaySend: () => void;
  /** Called for each attempt with this run's fraction of the request; negative if nothing was sent after all. */
  readonly sent: (part: number) => void;
  readonly warn: (message: string) => void;
  /**
   * Sends one request.
   *
   * @param domains Filled immediately before each attempt, so that it includes all lookups that joined
   * until then.
   */
  readonly send: (
    domains: readonly string[],
    terms: CoalescedSendOptions,
  ) => Promise<BatchResponse>;
  /** Stores that `size` domains are accepted in one request after a larger one was rejected. */
  readonly learn: (size: number, refusal: ServiceError) => void;
}

/** One participant of shared requests: a lookup that waits for its response. */
export class Participant {
  /** True if an earlier request for this participant may have been charged. */
  earlierAttemptUnconfirmed = false;
  /** The last request that it joined. */
  request: CoalescedRequest | undefined;

  constructor(
    readonly lookup: CoalescedLookup,
    readonly resolve: (answer: BatchResponse) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  get size(): number {
    return this.lookup.domains.length;
  }

  fails(error: unknown): void {
    const { earlierAttemptUnconfirmed } = this;
    this.reject(
      earlierAttemptUnconfirmed && error instanceof ServiceError
        ? error.copyWith({ earlierAttemptUnconfirmed })
        : error,
    );
  }
}

/** A request and its participants. */
export class CoalescedRequest {
  /** Participants in the order of arrival; after {@link send}, those that still have no outcome. */
  readonly participants = new Set<Participant>();
  /** Domains sent, each once. */
  readonly domains: string[] = [];
  /** Number of participants when it was sent; with a single one, a failure is its own. */
  sentFor = 0;
  /** Error of {@link send}; undefined if it succeeded. */
  failure: unknown;
  private readonly stop = new AbortController();

  /**
   * @param closes Called when no further participant can join.
   * @param isPatient True to use the full timeout and all retries although several runs share the request.
   */
  constructor(
    private readonly closes: (request: CoalescedRequest) => void = () => undefined,
    private readonly isPatient = false,
  ) {}

  /** Number of domains; a domain that several participants look up counts for each. */
  get size(): number {
    return Array.from(this.participants, ({ size }) => size).reduce((sum, size) => sum + size, 0);
  }

  readonly add = (participant: Participant): void => {
    this.participants.add(participant);
    participant.request = this;
  };

  /** Removes a participant. Before sending, its domains are dropped. Without participants, the request is aborted. */
  leave(participant: Participant): void {
    this.participants.delete(participant);
    if (this.participants.size > 0) return;
    this.closes(this);
    this.stop.abort();
  }

  /** Sends the request and settles each participant with its part of the response. Never rejects. */
  async send(): Promise<void> {
    let parts: ReadonlyArray<CoalescedSendOptions['sent']> = [];
    const terms: CoalescedSendOptions = {
      signal: this.stop.signal,
      beforeSend: () => {
        this.closes(this);
        parts = this.fixParticipants();
      },
      sent: (times) => {
        for (const part of parts) part(times);
      },
      isBrief: () => this.sentFor > 1 && !this.isPatient,
      warn: (message) => {
        for (const { lookup } of this.participants) lookup.warn(message);
      },
    };
    try {
      const [first] = this.participants;
      if (first === undefined) throw new CancelledError();
      this.distribute(await first.lookup.send(this.domains, terms));
    } catch (error) {
      // If it failed before it was sent, it was still open. Close it, because later participants would get no outcome.
      this.closes(this);
      this.failure = error;
    }
  }

  /**
   * Fixes the participants and domains of the request. Participants whose runs have ended in the meantime
   * are rejected.
   *
   * @returns Functions that report each participant's fraction, even to those that leave later.
   */
  private fixParticipants(): Array<CoalescedSendOptions['sent']> {
    for (const participant of this.participants) {
      try {
        participant.lookup.assertMaySend();
      } catch (error) {
        this.participants.delete(participant);
        participant.fails(error);
      }
    }
    const { participants, size } = this;
    if (size === 0) throw new CancelledError();
    this.sentFor = participants.size;
    this.domains.splice(0, Infinity, ...new Set(this.getDomainLists(participants).flat()));
    return Array.from(participants, (participant) => (times) => {
      participant.lookup.sent((times * participant.size) / size);
    });
  }

  private distribute(answer: BatchResponse): void {
    const alone = this.sentFor === 1;
    const served = [...this.participants].filter(
      ({ lookup }) => alone || mentionsAll(answer, lookup.domains),
    );
    const shares = alone ? [answer] : splitResponse(answer, this.getDomainLists(served));
    for (const [index, share] of shares.entries()) {
      const participant = served[index];
      if (participant === undefined) return;
      this.participants.delete(participant);
      participant.resolve(share);
    }
  }

  private getDomainLists(participants: Iterable<Participant>): Array<readonly string[]> {
    return Array.from(participants, ({ lookup }) => lookup.domains);
  }
}

// --- Splitting a shared response -----------------------------------------------------------------

/** Returns a copy of a failure for one participant, so that changes by one execution are not visible to another. */
export function copyError(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  return error.copyWith({ details: structuredClone(error.details) });
}

/** Returns whether a response mentions all of the domains. */
function mentionsAll({ rows, rejected }: BatchResponse, domains: readonly string[]): boolean {
  return domains.every((domain) => rows.has(domain) || rejected.has(domain));
}

/**
 * Splits a shared response into one per participant: its rows, its rejected domains, and the type
 * mismatches of its rows.
 *
 * @param participants Domains of each participant.
 * @returns One response per participant; no two share an object.
 */
function splitResponse(
  answer: BatchResponse,
  participants: ReadonlyArray<readonly string[]>,
): BatchResponse[] {
  const own = copyAfterFirst();
  const domainCount = participants.reduce((sum, { length }) => sum + length, 0);
  return participants.map((domains, index) => {
    const found = domains.flatMap((domain) => {
      const row = answer.rows.get(domain);
      return row === undefined ? [] : [[domain, row] as const];
    });
    return {
      rows: new Map(found.map(([domain, row]) => [domain, own(row)])),
      rejected: new Set(domains.filter((domain) => answer.rejected.has(domain))),
      schemaMismatches: findMismatches(
        answer,
        found.map(([, row]) => row),
      ),
      share: domains.length / domainCount,
      // Rows for unrequested domains are counted once, for the first participant.
      unrequestedRows: index === 0 ? (answer.unrequestedRows ?? []) : [],
    };
  });
}

function findMismatches({ schemaMismatches, inspect }: BatchResponse, rows: readonly Row[]) {
  return schemaMismatches.length === 0 || inspect === undefined ? schemaMismatches : inspect(rows);
}
