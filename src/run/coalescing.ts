import type { CallOptions } from '../client/client';
import { CancelledError, ServiceError } from '../client/errors';
import { abortable } from '../concurrency';
import type { BatchResponse } from './responses/batch-response';
import { copyAfterFirst } from './responses/rows';

/** Send options of a request that several runs share. `signal` fires when the last of them has been stopped. */
export interface CoalescedSendOptions extends Omit<Required<CallOptions>, 'sent'> {
  readonly sent: (times: number) => void;
  /** Receives warnings for the users; the runs continue. */
  readonly warn: (message: string) => void;
}

/** A lookup of a few domains by one run, which can share a request with other runs. */
interface CoalescedLookup {
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

/** Queues of the waiting lookups by kind. This module is their only owner. */
const queues = new Map<string, CoalescingQueue>();

/** Returns the number of kinds with waiting or in-flight lookups. */
export function activeQueueCount(): number {
  return queues.size;
}

/**
 * Looks up a few domains in one request with other lookups of the same kind in this process; see
 * {@link CoalescingQueue} for when it is sent.
 *
 * @param kind Equal only for lookups that one request can carry: same key, service, settings, endpoint,
 * and requested data per domain.
 * @throws {ServiceError} of this participant; {@link CancelledError} as soon as its signal fires.
 * @throws {SharedRequestError} if the lookup has to be sent alone.
 */
export async function lookUpCoalesced(
  kind: string,
  lookup: CoalescedLookup,
): Promise<BatchResponse> {
  return await abortable(
    async (onCancel) =>
      await new Promise<BatchResponse>((resolve, reject) => {
        const participant = new Participant(lookup, resolve, reject);
        onCancel(() => {
          participant.request?.leave(participant);
        });
        const queue = queues.get(kind) ?? new CoalescingQueue(kind);
        queues.set(kind, queue);
        queue.add(participant, lookup.capacity());
      }),
    lookup.signal,
  );
}

/**
 * Maximum time that a lookup waits for others, in milliseconds. A key can send a request every 100 ms
 * (API spec: Rate limits), so a shorter wait would only use up its requests sooner.
 */
export const MAX_WAIT_MS = 90;

/**
 * Decides when shared requests are sent. Works like Nagle's algorithm: a lone lookup is sent immediately;
 * lookups that arrive while a request is in flight are collected and sent when that request ends, when
 * the next one is full, or after {@link MAX_WAIT_MS}. Lookups can still join a request that waits for
 * the limiter, until it is sent.
 */
class CoalescingQueue {
  /** Request that lookups can still join. */
  private open: CoalescedRequest | undefined;
  /** Last released request, if it has not ended. */
  private latest: CoalescedRequest | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly kind: string) {}

  /** @param room Currently known maximum size of a request. */
  add(participant: Participant, room: number): void {
    if (this.open !== undefined && this.open.size + participant.size > room) this.close(this.open);
    const request = (this.open ??= new CoalescedRequest(this.close));
    request.add(participant);
    if (request.size >= room) this.close(request);
    else if (this.latest === undefined) this.release(request);
    // The request in flight keeps the process alive, so this timer need not.
    else if (this.latest !== request)
      this.timer ??= setTimeout(() => {
        this.release(request);
      }, MAX_WAIT_MS).unref();
  }

  /** Closes a request to further participants, because it is being sent, is full, or has no participants left. */
  private readonly close = (request: CoalescedRequest): void => {
    if (this.open !== request) return;
    this.endWait();
    this.open = undefined;
    if (request.size > 0) this.release(request);
  };

  private release(request: CoalescedRequest): void {
    this.endWait();
    if (this.latest === request) return;
    this.latest = request;
    void request.send().then(() => {
      this.markDone(request);
    });
  }

  /** Records that a request has ended, so that the next one can be sent. */
  private markDone(request: CoalescedRequest): void {
    if (this.latest === request) {
      this.latest = undefined;
      if (this.open !== undefined) this.release(this.open);
    }
    // A request that hung can end long after later ones, when another queue may have replaced this one.
    const isIdle = this.open === undefined && this.latest === undefined;
    if (isIdle && queues.get(this.kind) === this) queues.delete(this.kind);
  }

  private endWait(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

/** One participant of shared requests: a lookup that waits for its response. */
class Participant {
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
class CoalescedRequest {
  /** Participants in the order of arrival, except those that have been stopped. */
  readonly participants = new Set<Participant>();
  /** Domains sent, each once. */
  private readonly domains: string[] = [];
  /** Number of participants when it was sent. With a single one, a failure is its own. */
  private sentFor = 0;
  private readonly stop = new AbortController();

  /** @param closes Called when no further participant can join. */
  constructor(private readonly closes: (request: CoalescedRequest) => void) {}

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
      isBrief: () => this.sentFor > 1,
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
      this.settleFailed(error);
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
    this.sentFor = participants.size;
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

  /** Rejects the participants, after a failure that may be about another one as {@link SharedRequestError}. */
  private settleFailed(error: unknown): void {
    for (const { reject } of this.participants) {
      if (!(error instanceof ServiceError)) reject(error);
      else if (this.sentFor > 1 && !error.affectsAnyRequest) reject(new SharedRequestError(error));
      // A copy, so that changes by one execution are not visible to another.
      else reject(error.copyWith({ details: structuredClone(error.details) }));
    }
  }
}
