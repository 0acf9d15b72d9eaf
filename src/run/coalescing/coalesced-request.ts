import type { CallOptions } from '../../client/client';
import { CancelledError, CreditExhaustedError, ServiceError } from '../../client/errors';
import { findRemedy, readRemainder } from '../after-failure';
import type { BatchResponse } from '../responses/batch-response';
import { copyAfterFirst } from '../responses/rows';

/** Send options of a request that several runs share. `signal` fires when the last of them has been stopped. */
export interface CoalescedSendOptions extends Omit<Required<CallOptions>, 'sent'> {
  readonly sent: (times: number) => void;
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
}

/** A shared request failed, possibly because of what another run looks up; each has to be sent alone. */
export class SharedRequestError extends Error {
  constructor(override readonly cause: ServiceError) {
    super(cause.message);
  }
}

/** One participant of shared requests: a lookup that waits for its response. */
export class Participant {
  /** The last request that it joined. */
  request: CoalescedRequest | undefined;

  constructor(
    readonly lookup: CoalescedLookup,
    readonly resolve: (response: BatchResponse) => void,
    readonly reject: (error: unknown) => void,
  ) {}

  get size(): number {
    return this.lookup.domains.length;
  }
}

/** A request and its participants. */
export class CoalescedRequest {
  /** Participants in the order of arrival, except those that have been stopped. */
  readonly participants = new Set<Participant>();
  /** Domains sent, each once. */
  private readonly domains: string[] = [];
  /** Number of participants, and their size, when it was sent. With a single one, a failure is its own. */
  private sentFor = { participants: 0, size: 0 };
  private readonly stop = new AbortController();

  /** @param closes Called when no further participant can join. */
  constructor(private readonly closes: (request: CoalescedRequest) => void = () => undefined) {}

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

  /** Sends the request and settles each participant. Never rejects. */
  async send(): Promise<void> {
    let parts: ReadonlyArray<(times: number) => void> = [];
    const terms: CoalescedSendOptions = {
      signal: this.stop.signal,
      beforeSend: () => {
        this.closes(this);
        parts = this.fixParticipants();
      },
      sent: (times) => {
        for (const part of parts) part(times);
      },
      isBrief: () => this.sentFor.participants > 1,
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
      await this.settleFailed(error);
    }
  }

  /**
   * Fixes the participants and domains of the request. Participants whose runs have ended in the meantime
   * are rejected.
   *
   * @returns Functions that report each participant's fraction, even to those that leave later.
   */
  private fixParticipants(): Array<(times: number) => void> {
    for (const participant of this.participants) {
      try {
        participant.lookup.assertMaySend();
      } catch (error) {
        this.participants.delete(participant);
        participant.reject(error);
      }
    }
    const { participants, size } = this;
    if (size === 0) throw new CancelledError();
    this.sentFor = { participants: participants.size, size };
    const all = Array.from(participants, ({ lookup }) => lookup.domains).flat();
    this.domains.splice(0, Infinity, ...new Set(all));
    return Array.from(participants, (participant) => (times) => {
      participant.lookup.sent((times * participant.size) / size);
    });
  }

  /** Resolves each participant with its part of the response; no two share an object. */
  private distribute(response: BatchResponse): void {
    const own = copyAfterFirst();
    let { unrequestedRows = [] } = response;
    for (const { lookup, resolve } of this.participants) {
      const found = lookup.domains.flatMap((domain) => {
        const row = response.rows.get(domain);
        return row === undefined ? [] : [[domain, own(row)] as const];
      });
      resolve({
        rows: new Map(found),
        rejected: new Set(lookup.domains.filter((domain) => response.rejected.has(domain))),
        unrequestedRows,
        mismatches: response.mismatches ?? [],
      });
      // Rows for unrequested domains are counted once, for the first participant.
      unrequestedRows = [];
    }
  }

  /**
   * Rejects the participants after a failure that each would have met alone. After a 402, those that the
   * credits cover share another request. Otherwise each is told to send its own.
   */
  private async settleFailed(error: unknown): Promise<void> {
    const isOwn = this.sentFor.participants <= 1 || findRemedy(error) === 'none';
    if (isOwn || !(error instanceof ServiceError)) {
      for (const { reject } of this.participants) reject(isOwn ? copyError(error) : error);
    } else if (error instanceof CreditExhaustedError) {
      await this.sendAffordable(error);
    } else {
      for (const { reject } of this.participants) reject(new SharedRequestError(error));
    }
  }

  /** Serves as many participants as the remaining credits cover, and rejects the others. */
  private async sendAffordable(refusal: CreditExhaustedError): Promise<void> {
    const { participants, size } = this.sentFor;
    const remainder = readRemainder(refusal, size, 0);
    let left = remainder.credits;
    const affordable = new CoalescedRequest();
    const others: Participant[] = [];
    for (const participant of this.participants) {
      const needed = participant.size * remainder.price;
      // The figure can be so large that subtracting 1 has no effect, so never send all again.
      if (needed <= left && affordable.participants.size < participants - 1) {
        affordable.add(participant);
        left -= needed;
      } else others.push(participant);
    }
    for (const { size: domains, reject } of others)
      reject(refusal.forShare(domains * remainder.price || 1, left));
    if (affordable.participants.size > 0) await affordable.send();
  }
}

/** Returns a copy of a failure for one participant, so that changes by one execution are not visible to another. */
function copyError(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  return error.copyWith({ details: structuredClone(error.details) });
}
