import { ServiceError } from '../../client/errors';
import { abortable } from '../../client/sleep';
import { afterFailure, askApart, type Covered, type Progress } from '../after-failure';
import type { BatchAnswer } from '../answers/batch-answer';
import { Asker, ownCopyOf, SharedRequest, type Question } from './shared-request';

/** Those who wait just now, by the kind of what they ask; the only owner. */
const kinds = new Map<string, Nagle<Asker, SharedRequest>>();

/** Kinds of questions that are waited for just now. */
export function kindsUnderWay(): number {
  return kinds.size;
}

/**
 * Asks about a few domains, in one request with others of this process that ask the same kind at the
 * same time; see {@link Nagle} for when it leaves. Each gets what it would have got alone: of a
 * request that failed for what somebody may have asked for, smaller ones are made until the failure is
 * that of one asker alone; where credits are short, as many go as they cover.
 *
 * @param kind the same only for what one request can carry: key, service, settings, endpoint, and what
 * is wanted of each domain.
 * @throws {ServiceError} the asker's own; {@link CancelledError} as soon as its signal fires.
 */
export async function askTogether(kind: string, question: Question): Promise<BatchAnswer> {
  return await abortable(
    async (onCancel) =>
      await new Promise<BatchAnswer>((resolve, reject) => {
        const asker = new Asker(question, resolve, reject);
        onCancel(() => {
          asker.stop();
        });
        nagleFor(kind).add(asker, question.room());
      }),
    question.signal,
  );
}

function nagleFor(kind: string): Nagle<Asker, SharedRequest> {
  const known = kinds.get(kind);
  if (known !== undefined) return known;
  const nagle = new Nagle<Asker, SharedRequest>(
    () =>
      new SharedRequest((request) => {
        nagle.close(request);
      }),
    (request) => void carry(request),
  );
  const carry = async (request: SharedRequest): Promise<void> => {
    await request.send();
    nagle.over(request);
    // A request that hung on may be over long after those who came later.
    if (nagle.idle && kinds.get(kind) === nagle) kinds.delete(kind);
    await settle(request);
  };
  kinds.set(kind, nagle);
  return nagle;
}

/**
 * Gives those whom a request left without an outcome what is their own.
 *
 * @param progress what has come of the request that it is a part of.
 */
async function settle(request: SharedRequest, progress?: Progress): Promise<void> {
  const { failure, sentFor } = request;
  const askers = [...request.askers];
  if (failure === undefined) {
    await askEach(askers);
    return;
  }
  if (sentFor === 1 || !(failure instanceof ServiceError)) {
    failAll(askers, failure);
    return;
  }
  const next = afterFailure(
    failure,
    askers.map(({ size }) => size),
    { taken: 0, leastPrice: 0, isPart: progress !== undefined },
  );
  // The others that it was sent for have been stopped.
  const isLone = askers.length === 1 && failure.matter !== 'everybodys';
  if (next.is === 'fail' && !isLone) {
    failAll(askers, failure);
    return;
  }
  if (!failure.surelyNotDone) for (const asker of askers) asker.maybeDone = true;
  if (isLone || next.is === 'fail') await askEach(askers);
  else if (next.is === 'covered') await askTheCovered(askers, next);
  else await askInParts(request, { error: failure, size: next.size }, progress);
}

async function askEach(askers: readonly Asker[]): Promise<void> {
  await Promise.all(askers.map(async (asker) => await settle(await sendFor([asker]))));
}

/** What a refusal says of the balance decides who can go; the others are told at once. */
async function askTheCovered(
  askers: readonly Asker[],
  { refusal, covered, prices, left }: Covered,
): Promise<void> {
  askers.forEach((asker, index) => {
    if (!covered.includes(index)) asker.fails(refusal.forPart(prices[index] ?? 1, left));
  });
  const others = askers.filter((_asker, index) => covered.includes(index));
  if (others.length > 0) await settle(await sendFor(others));
}

/** Asks in smaller requests; see {@link askApart}. */
async function askInParts(
  whole: SharedRequest,
  failed: { readonly error: ServiceError; readonly size: number },
  progress: Progress = { answered: false, refusedAlone: 0 },
): Promise<void> {
  const askers = [...whole.askers];
  await askApart(askers, failed, progress, {
    send: async (part) => await sendFor(part),
    settle: async (part) => {
      await settle(part, progress);
    },
    // Where nobody has left in between, with whom the cause could have gone, it was the size.
    allAnswered: (parts) => {
      const sentFor = parts.reduce((sum, part) => sum + part.sentFor, 0);
      const largest = Math.max(...parts.map(({ domains }) => domains.length));
      if (sentFor === whole.sentFor && largest < whole.domains.length) {
        askers[0]?.question.learn(largest, failed.error);
      }
    },
    allTroubled: askPatiently,
    giveUp: (part) => {
      failAll(part, failed.error);
    },
  });
}

/**
 * All have met trouble, each in a request with little time. They may need more, or the trouble may be
 * about to pass: they get what each would have got alone, in a single request.
 */
async function askPatiently(parts: readonly SharedRequest[]): Promise<void> {
  if (parts.every(({ sentFor }) => sentFor === 1)) {
    for (const { askers, failure } of parts) failAll([...askers], failure);
    return;
  }
  const request = await sendFor(
    parts.flatMap(({ askers }) => [...askers]),
    true,
  );
  if (request.failure === undefined) await askEach([...request.askers]);
  else failAll([...request.askers], request.failure);
}

async function sendFor(askers: readonly Asker[], isPatient = false): Promise<SharedRequest> {
  const request = new SharedRequest(undefined, isPatient);
  askers.filter(({ question }) => question.signal?.aborted !== true).forEach(request.add);
  await request.send();
  return request;
}

/** Gives everybody the same failure, each a copy of its own. */
function failAll(askers: readonly Asker[], error: unknown): void {
  for (const asker of askers) asker.fails(askers.length === 1 ? error : ownCopyOf(error));
}

// --- When requests leave -------------------------------------------------------------------------

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
