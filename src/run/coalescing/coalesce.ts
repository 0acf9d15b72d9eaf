import { ServiceError } from '../../client/errors';
import { abortable } from '../../client/sleep';
import {
  afterFailure,
  splitAndRetry,
  type CoveredSlices,
  type SplitProgress,
} from '../after-failure';
import type { BatchResponse } from '../responses/batch-response';
import {
  Participant,
  copyError,
  CoalescedRequest,
  type CoalescedLookup,
} from './coalesced-request';

/** Queues of the waiting lookups by kind. This module is their only owner. */
const queues = new Map<string, CoalescingQueue<Participant, CoalescedRequest>>();

/** Returns the number of kinds with waiting or in-flight lookups. */
export function activeQueueCount(): number {
  return queues.size;
}

/**
 * Looks up a few domains in one request with other lookups of the same kind in this process; see
 * {@link CoalescingQueue} for when it is sent. Each participant gets the result that it would have got alone: if a
 * request may have failed because of one participant, it is split until the failure belongs to a single
 * one; if credits are short, as many participants are served as the credits cover.
 *
 * @param kind Equal only for lookups that one request can carry: same key, service, settings, endpoint,
 * and requested data per domain.
 * @throws {ServiceError} of this participant; {@link CancelledError} as soon as its signal fires.
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
        getQueue(kind).add(participant, lookup.capacity());
      }),
    lookup.signal,
  );
}

function getQueue(kind: string): CoalescingQueue<Participant, CoalescedRequest> {
  const known = queues.get(kind);
  if (known !== undefined) return known;
  const queue = new CoalescingQueue<Participant, CoalescedRequest>(
    () =>
      new CoalescedRequest((request) => {
        queue.close(request);
      }),
    (request) => void carry(request),
  );
  const carry = async (request: CoalescedRequest): Promise<void> => {
    await request.send();
    queue.markDone(request);
    // A request that hung can end long after later ones, when another queue may have replaced this one.
    if (queue.idle && queues.get(kind) === queue) queues.delete(kind);
    await settleParticipants(request);
  };
  queues.set(kind, queue);
  return queue;
}

/**
 * Settles the participants that have no outcome yet.
 *
 * @param progress Progress of the request that this one is a part of; undefined for the original request.
 */
async function settleParticipants(
  request: CoalescedRequest,
  progress?: SplitProgress,
): Promise<void> {
  const { failure, sentFor } = request;
  const participants = [...request.participants];
  if (failure === undefined) {
    await sendIndividually(participants);
    return;
  }
  if (sentFor === 1 || !(failure instanceof ServiceError)) {
    rejectAll(participants, failure);
    return;
  }
  const next = afterFailure(
    failure,
    participants.map(({ size }) => size),
    { taken: 0, leastPrice: 0, isPart: progress !== undefined },
  );
  // The other participants of the request have been stopped.
  const isLone = participants.length === 1 && failure.failureScope !== 'any-request';
  if (next.is === 'fail' && !isLone) {
    rejectAll(participants, failure);
    return;
  }
  if (!failure.hadNoEffect)
    for (const participant of participants) participant.earlierAttemptUnconfirmed = true;
  if (isLone || next.is === 'fail') await sendIndividually(participants);
  else if (next.is === 'covered' && participants.length < sentFor) {
    // The credits may cover all that are left.
    await settleParticipants(await sendForParticipants(participants));
  } else if (next.is === 'covered') await sendAffordable(participants, next);
  else await sendInParts(request, { error: failure, size: next.size }, progress);
}

async function sendIndividually(participants: readonly Participant[]): Promise<void> {
  await Promise.all(
    participants.map(
      async (participant) => await settleParticipants(await sendForParticipants([participant])),
    ),
  );
}

/** Serves the participants that the remaining credits cover, and rejects the others immediately. */
async function sendAffordable(
  participants: readonly Participant[],
  { refusal, covered, prices, remaining }: CoveredSlices,
): Promise<void> {
  participants.forEach((participant, index) => {
    if (!covered.includes(index))
      participant.fails(refusal.forShare(prices[index] ?? 1, remaining));
  });
  const others = participants.filter((_participant, index) => covered.includes(index));
  if (others.length > 0) await settleParticipants(await sendForParticipants(others));
}

/** Splits a failed request into smaller ones; see {@link splitAndRetry}. */
async function sendInParts(
  whole: CoalescedRequest,
  failed: { readonly error: ServiceError; readonly size: number },
  progress: SplitProgress = { answered: false, refusedAlone: 0 },
): Promise<void> {
  const participants = [...whole.participants];
  await splitAndRetry(participants, failed, progress, {
    send: async (part) => await sendForParticipants(part),
    settle: async (part) => {
      await settleParticipants(part, progress);
    },
    // If no participant has left in the meantime, who could have been the cause, the cause was the size.
    allSucceeded: (parts) => {
      const sentFor = parts.reduce((sum, part) => sum + part.sentFor, 0);
      const largest = Math.max(...parts.map(({ domains }) => domains.length));
      if (sentFor === whole.sentFor && largest < whole.domains.length) {
        participants[0]?.lookup.learn(largest, failed.error);
      }
    },
    allFailed: sendWithFullTimeout,
    giveUp: (part) => {
      rejectAll(part, failed.error);
    },
  });
}

/**
 * Retries all participants in a single request with the full timeout and retries, as each would have got
 * alone. All of them failed in requests with a short timeout: they may need more time, or the failure may
 * be transient.
 */
async function sendWithFullTimeout(parts: readonly CoalescedRequest[]): Promise<void> {
  if (parts.every(({ sentFor }) => sentFor === 1)) {
    for (const { participants, failure } of parts) rejectAll([...participants], failure);
    return;
  }
  const request = await sendForParticipants(
    parts.flatMap(({ participants }) => [...participants]),
    true,
  );
  if (request.failure === undefined) await sendIndividually([...request.participants]);
  else rejectAll([...request.participants], request.failure);
}

async function sendForParticipants(
  participants: readonly Participant[],
  isPatient = false,
): Promise<CoalescedRequest> {
  const request = new CoalescedRequest(undefined, isPatient);
  participants.filter(({ lookup }) => lookup.signal?.aborted !== true).forEach(request.add);
  await request.send();
  return request;
}

/** Rejects all participants with the same failure, each with its own copy. */
function rejectAll(participants: readonly Participant[], error: unknown): void {
  for (const participant of participants)
    participant.fails(participants.length === 1 ? error : copyError(error));
}

// --- Queueing ------------------------------------------------------------------------------------

/**
 * Maximum time that a lookup waits for others, in milliseconds. A key can send a request every 100 ms
 * (API spec: Rate limits), so a shorter wait would only use up its requests sooner.
 */
export const MAX_WAIT_MS = 90;

/** A request that several participants can share. */
interface JoinableRequest<A> {
  /** Total size of its participants. */
  readonly size: number;
  readonly add: (participant: A) => void;
}

/**
 * Decides when shared requests are sent. Works like Nagle's algorithm: a lone lookup is sent immediately;
 * lookups that arrive while a request is in flight are collected and sent when that request ends, when
 * the next one is full, or after {@link MAX_WAIT_MS}. Lookups can still join a request that waits for
 * the limiter, until it is sent.
 *
 * The class is independent of HTTP requests: its callers report what happens.
 */
export class CoalescingQueue<A extends { readonly size: number }, R extends JoinableRequest<A>> {
  /** Request that lookups can still join. */
  private open: R | undefined;
  /** Last released request, if it has not ended. */
  private latest: R | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @param leaves Called once for each request when it is due. */
  constructor(
    private readonly newRequest: () => R,
    private readonly leaves: (request: R) => void,
  ) {}

  /** True if nothing waits and nothing is in flight. */
  get idle(): boolean {
    return this.open === undefined && this.latest === undefined;
  }

  /** @param room Currently known maximum size of a request. */
  add(participant: A, room: number): void {
    if (this.open !== undefined && this.open.size + participant.size > room) this.close(this.open);
    const request = (this.open ??= this.newRequest());
    request.add(participant);
    if (request.size >= room) this.close(request);
    else if (this.latest === undefined) this.leave(request);
    // The request in flight keeps the process alive, so this timer need not.
    else if (this.latest !== request)
      this.timer ??= setTimeout(this.lateTimer, MAX_WAIT_MS).unref();
  }

  /** Closes a request to further participants, because it is being sent, is full, or has no participants left. */
  close(request: R): void {
    if (this.open !== request) return;
    if (request.size > 0) this.leave(request);
    this.endWait();
    this.open = undefined;
  }

  /** Records that a request has succeeded or failed. */
  markDone(request: R): void {
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

  private readonly lateTimer = (): void => {
    if (this.open !== undefined) this.leave(this.open);
  };

  private endWait(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
