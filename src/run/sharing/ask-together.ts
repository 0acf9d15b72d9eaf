import { CreditExhaustedError, ServiceError } from '../../client/errors';
import { abortable } from '../../client/sleep';
import type { BatchAnswer } from '../answers/batch-answer';
import { Asker, ownCopyOf, SharedRequest, type Question } from './shared-request';

/** So few that are in trouble together are asked one by one. */
const FEW = 4;

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
 * @param isAnswering others who were in the same request have been answered meanwhile.
 */
async function settle(request: SharedRequest, isAnswering = false): Promise<void> {
  const { failure, sentFor } = request;
  const askers = [...request.askers];
  if (failure === undefined) {
    await askEach(askers);
    return;
  }
  if (sentFor === 1 || !(failure instanceof ServiceError) || failure.matter === 'everybodys') {
    failAll(askers, failure);
    return;
  }
  if (!failure.surelyNotDone) for (const asker of askers) asker.maybeDone = true;
  if (failure instanceof CreditExhaustedError) await askTheCovered(request, failure);
  else if (askers.length <= 1) await askEach(askers);
  else await askApart(request, failure, isAnswering);
}

async function askEach(askers: readonly Asker[]): Promise<void> {
  await Promise.all(askers.map(async (asker) => await settle(await sendFor([asker]))));
}

/** What a refusal says of the balance decides who can go; the others are told at once. */
async function askTheCovered(
  { domains, askers }: SharedRequest,
  refusal: CreditExhaustedError,
): Promise<void> {
  const { requested = domains.length, shortfall = requested } = refusal;
  const priceOf = ({ size }: Asker): number => (size * requested) / domains.length;
  let left = requested - shortfall;
  const covered: Asker[] = [];
  const others: Asker[] = [];
  for (const asker of askers) {
    const isCovered = priceOf(asker) <= left;
    if (isCovered) left -= priceOf(asker);
    (isCovered ? covered : others).push(asker);
  }
  for (const asker of others) asker.fails(refusal.forPart(priceOf(asker), left));
  if (covered.length > 0) await settle(await sendFor(covered));
}

/**
 * Asks in smaller requests. A refusal comes at once, so that halves find the cause with the fewest
 * requests; trouble comes late, after what was tried again, so that it is taken apart in two steps. Where
 * nobody at all is answered it is everybody's.
 */
async function askApart(
  whole: SharedRequest,
  error: ServiceError,
  isAnswering: boolean,
): Promise<void> {
  const isTrouble = error.matter === 'perhaps-somebodys';
  const askers = [...whole.askers];
  const parts = await Promise.all(inParts(askers, isTrouble ? stepsOf(askers) : 2).map(sendFor));
  const answered = parts.filter(({ failure }) => failure === undefined);
  if (isTrouble && answered.length === 0 && !isAnswering) {
    for (const { askers: all, failure } of parts) failAll([...all], failure);
    return;
  }
  // Where nobody has left in between, with whom the cause could have gone, it was the size.
  const taken = answered.reduce((sum, { sentFor }) => sum + sentFor, 0);
  const largest = Math.max(...answered.map(({ domains }) => domains.length));
  if (taken === whole.sentFor && largest < whole.domains.length) {
    askers[0]?.question.learn(largest, error);
  }
  await Promise.all(
    parts.map(async (part) => await settle(part, isAnswering || answered.length > 0)),
  );
}

/** So many parts that as many steps find one in them; a few go one by one. */
function stepsOf({ length }: readonly Asker[]): number {
  return length <= FEW ? length : Math.ceil(Math.sqrt(length));
}

function inParts(askers: readonly Asker[], parts: number): Asker[][] {
  const size = Math.ceil(askers.length / parts);
  return Array.from({ length: Math.ceil(askers.length / size) }, (_unused, part) =>
    askers.slice(part * size, (part + 1) * size),
  );
}

async function sendFor(askers: readonly Asker[]): Promise<SharedRequest> {
  const request = new SharedRequest();
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
