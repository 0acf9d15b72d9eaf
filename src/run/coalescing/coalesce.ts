import { abortable } from '../../concurrency';
import type { BatchResponse } from '../responses/batch-response';
import { CoalescedRequest, Participant, type CoalescedLookup } from './coalesced-request';

/** Queues of the waiting lookups by kind. This module is their only owner. */
const queues = new Map<string, CoalescingQueue>();

/** Returns the number of kinds with waiting or in-flight lookups. */
export function activeQueueCount(): number {
  return queues.size;
}

/**
 * Looks up a few domains in one request with other lookups of the same kind in this process; see
 * {@link CoalescingQueue} for when it is sent. If credits are short, as many participants are served as
 * the credits cover.
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
