import type { CallOptions } from '../client/client';
import { CancelledError, ServiceError } from '../client/errors';
import { abortable } from '../concurrency';
import type { BatchResponse } from './responses/batch-response';
import { copyAfterFirst } from './responses/rows';

/** Send options of a request that several runs share. `signal` fires when the last of them has been stopped. */
export interface CoalescedSendOptions extends Omit<Required<CallOptions>, 'sent'> {
  readonly sent: (times: number) => void;
  readonly warn: (message: string) => void;
}

/** A lookup of a few domains by one run, which can share a request with other runs. */
interface CoalescedLookup {
  readonly domains: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly capacity: () => number;
  /** Called before each attempt; throws if the run must not send anything any more. */
  readonly assertMaySend: () => void;
  /** Called for each attempt with this run's fraction of the request; negative if nothing was sent after all. */
  readonly sent: (part: number) => void;
  readonly warn: (message: string) => void;
  /** @param domains Filled immediately before each attempt, with all lookups that joined until then. */
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

const queues = new Map<string, CoalescingQueue>();

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
        const queue = queues.get(kind) ?? new CoalescingQueue(kind);
        queues.set(kind, queue);
        onCancel(queue.add({ ...lookup, resolve, reject }, lookup.capacity()));
      }),
    lookup.signal,
  );
}

interface Participant extends CoalescedLookup {
  readonly resolve: (response: BatchResponse) => void;
  readonly reject: (error: unknown) => void;
}

interface SharedRequest {
  /** In the order of arrival, except those that have been stopped. */
  readonly participants: Set<Participant>;
  /** Number of participants when it was sent. With a single one, a failure is its own. */
  sentFor: number;
  readonly stop: AbortController;
}

/**
 * Maximum time that a lookup waits for others, in milliseconds. A key can send a request every 100 ms
 * (API spec: Rate limits), so a shorter wait would only use up its requests sooner.
 */
export const MAX_WAIT_MS = 90;

/**
 * Sends shared requests. Works like Nagle's algorithm: a lone lookup is sent immediately; lookups that
 * arrive while a request is in flight are collected and sent when that request ends, when the next one is
 * full, or after {@link MAX_WAIT_MS}. Lookups can still join a request that waits for the limiter, until it
 * is sent.
 */
class CoalescingQueue {
  private open: SharedRequest | undefined;
  /** Last released request, if it has not ended. */
  private latest: SharedRequest | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly kind: string) {}

  /**
   * @param room Currently known maximum size of a request.
   * @returns Removes the participant. Before sending, its domains are dropped.
   */
  add(participant: Participant, room: number): () => void {
    if (this.open !== undefined && getSize(this.open) + participant.domains.length > room)
      this.close(this.open);
    const request = (this.open ??= {
      participants: new Set(),
      sentFor: 0,
      stop: new AbortController(),
    });
    request.participants.add(participant);
    if (getSize(request) >= room) this.close(request);
    else if (this.latest === undefined) this.release(request);
    // The request in flight keeps the process alive, so this timer need not.
    else if (this.latest !== request)
      this.timer ??= setTimeout(() => {
        this.release(request);
      }, MAX_WAIT_MS).unref();
    return () => {
      request.participants.delete(participant);
      if (request.participants.size > 0) return;
      this.close(request);
      request.stop.abort();
    };
  }

  private close(request: SharedRequest): void {
    if (this.open !== request) return;
    this.endWait();
    this.open = undefined;
    if (request.participants.size > 0) this.release(request);
  }

  private release(request: SharedRequest): void {
    this.endWait();
    if (this.latest === request) return;
    this.latest = request;
    void this.send(request).then(() => {
      this.markDone(request);
    });
  }

  /** Never rejects. */
  private async send(request: SharedRequest): Promise<void> {
    const { participants, stop } = request;
    const domains: string[] = [];
    let parts: ReadonlyArray<(times: number) => void> = [];
    const terms: CoalescedSendOptions = {
      signal: stop.signal,
      beforeSend: (isUnconfirmed = false) => {
        this.close(request);
        parts = fixParticipants(request, domains, isUnconfirmed);
      },
      sent: (times) => {
        for (const part of parts) part(times);
      },
      isBrief: () => request.sentFor > 1,
      warn: (message) => {
        for (const { warn } of participants) warn(message);
      },
    };
    try {
      const [first] = participants;
      if (first === undefined) throw new CancelledError();
      distribute(participants, await first.send(domains, terms));
    } catch (error) {
      // Before it was sent, it was still open, and later participants would get no outcome.
      this.close(request);
      rejectAll(request, error);
    }
  }

  private markDone(request: SharedRequest): void {
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

function getSize({ participants }: SharedRequest): number {
  let size = 0;
  for (const { domains } of participants) size += domains.length;
  return size;
}

/**
 * Rejects participants whose runs have ended in the meantime, and fills `domains` with those of the others.
 *
 * @param isUnconfirmed Whether an earlier attempt of this request may have been charged.
 * @returns Functions that report each participant's fraction, even to those that leave later.
 */
function fixParticipants(
  request: SharedRequest,
  domains: string[],
  isUnconfirmed: boolean,
): Array<(times: number) => void> {
  const { participants } = request;
  for (const participant of participants) {
    try {
      participant.assertMaySend();
    } catch (error) {
      participants.delete(participant);
      const isMarked = isUnconfirmed && error instanceof ServiceError;
      participant.reject(isMarked ? error.copyWith({ earlierAttemptUnconfirmed: true }) : error);
    }
  }
  const size = getSize(request);
  if (size === 0) throw new CancelledError();
  request.sentFor = participants.size;
  const all = Array.from(participants, (one) => one.domains).flat();
  domains.splice(0, Infinity, ...new Set(all));
  return Array.from(participants, ({ sent, domains: { length } }) => (times) => {
    sent((times * length) / size);
  });
}

function distribute(participants: ReadonlySet<Participant>, response: BatchResponse): void {
  const own = copyAfterFirst();
  let { unrequestedRows = [] } = response;
  for (const { domains, resolve } of participants) {
    const found = domains.flatMap((domain) => {
      const row = response.rows.get(domain);
      return row === undefined ? [] : [[domain, own(row)] as const];
    });
    resolve({
      rows: new Map(found),
      rejected: new Set(domains.filter((domain) => response.rejected.has(domain))),
      unrequestedRows,
    });
    // Rows for unrequested domains are counted once, for the first participant.
    unrequestedRows = [];
  }
}

/** Rejects the participants, after a failure that may be about another one as {@link SharedRequestError}. */
function rejectAll({ participants, sentFor }: SharedRequest, error: unknown): void {
  for (const { reject } of participants) {
    if (!(error instanceof ServiceError)) reject(error);
    else if (sentFor > 1 && !error.affectsAnyRequest) reject(new SharedRequestError(error));
    // A copy, so that changes by one execution are not visible to another.
    else reject(error.copyWith({ details: structuredClone(error.details) }));
  }
}
