import { createHash } from 'node:crypto';

import type { Call, CallOptions, Download, Sending } from './call';
import { BadRequestError, CancelledError, NotFoundError, ServiceError } from './errors';
import { nothingSent, type Exchange, type HttpRequest } from './exchange/outcome';
import { BrokenStream, openStream, type StreamedAnswer } from './exchange/stream';
import { exchange } from './exchange/transport';
import { JSON_TYPE, requestOf } from './http-request';
import { judgeAnswer, judgeArrival, type Judgement } from './judge';
import { stateOfKey, type KeyState } from './keys';
import type { Reads } from './reads';
import type { Turn } from './limiter/key-limiter';
import { askedToWait, limitUsedUp } from './meaning';
import { decideRetry, type Failure } from './retry';
import { REAL_TIME, type ClientSettings, type Timing } from './settings';
import { sleep } from './sleep';
import { brokenOff, outcomeUnknown } from './unanswered';

export type { Answer, Arriving, Call, CallOptions, Download, Query } from './call';

/** Failures after which nobody knows whether the request was processed. */
const MAYBE_PROCESSED: ReadonlyArray<Failure['kind']> = ['server', 'no-answer', 'unreadable'];

/** What sending a request can come to. */
type Outcome = Exchange | StreamedAnswer;

/**
 * The one path every request takes: limiter, exchange, meaning, retry. It knows nothing of n8n.
 * Make one per run; what has to be shared between runs is shared by itself.
 */
export class Client {
  private warned = false;

  private constructor(
    private readonly settings: ClientSettings,
    private readonly timing: Timing,
    private readonly key: KeyState,
    private readonly tellUser: (warning: string) => void,
  ) {}

  /**
   * @param timing differs from {@link REAL_TIME} where a run or a test has other limits.
   * @param tellUser gets what the user should know although the run goes on; once at most.
   */
  static async open(
    settings: ClientSettings,
    timing: Timing = REAL_TIME,
    tellUser: (warning: string) => void = () => undefined,
  ): Promise<Client> {
    return new Client(settings, timing, await stateOfKey(settings, timing), tellUser);
  }

  /** Batch sizes learned for this key; see {@link KeyState}. */
  get batchCeilings(): Map<string, number> {
    return this.key.batchCeilings;
  }

  /** Companies read with this key; see {@link KeyState}. */
  get reads(): Reads {
    return this.key.reads;
  }

  /** Requests that the key may send, as the credential says. */
  get pace(): Pick<ClientSettings, 'requestsPerMinute' | 'requestsPerDay'> {
    return this.settings;
  }

  /** See {@link KeyState.id}. */
  get keyId(): string {
    return this.key.id;
  }

  /** The same for all clients whose requests one of them could send for the others. */
  get likeness(): string {
    // Hashed, because the key is in it, and whoever compares keeps it.
    return createHash('sha256')
      .update(JSON.stringify([this.settings, this.timing]))
      .digest('hex');
  }

  /** A client like this one that takes turns with it as another run does. */
  beside(tellUser: (warning: string) => void): Client {
    return new Client(this.settings, this.timing, this.key, tellUser);
  }

  /** Tells the user something, if nothing was told before. */
  warn(warning: string): void {
    if (!this.warned) this.tellUser(warning);
    this.warned = true;
  }

  /**
   * Sends a call until it succeeds, is refused, or may not be sent again.
   *
   * @throws {ServiceError} of the kind that says what happened; its texts never hold the key.
   */
  async request<T>(call: Call<T>, options: CallOptions = {}): Promise<T> {
    return await this.insist(call, options, JSON_TYPE, exchange, (outcome) =>
      judgeAnswer(call, outcome, this.settings.apiKey),
    );
  }

  /**
   * Like {@link request}, for an answer that is read as it arrives. Until its first byte it is sent
   * again after a failure like any other; after that, a body that breaks off is an error of reading
   * it. The request timeout holds between two bytes, and {@link openStream} says how fast they have to
   * come.
   *
   * @throws {ServiceError} as above.
   */
  async download<T>(call: Download<T>, options: CallOptions = {}): Promise<T> {
    return await this.insist(call, options, call.accept, openStream, (outcome) => {
      const judgement = judgeArrival(call, outcome, this.settings.apiKey, (body) =>
        this.whole(body),
      );
      if (judgement.kind === 'failure' && outcome.kind === 'stream') outcome.close();
      return judgement;
    });
  }

  private async insist<T, O extends Outcome>(
    call: Sending<T>,
    options: CallOptions,
    accept: string,
    exchangeOne: (request: HttpRequest) => Promise<O>,
    judge: (outcome: O) => Judgement<T>,
  ): Promise<T> {
    const standing = { repeatable: call.repeatable, failures: 0, throttles: 0, throttledMs: 0 };
    let maybeDone = false;
    try {
      for (;;) {
        const result = judge(
          await this.send(call, options, standing, accept, async (request) => exchangeOne(request)),
        );
        if (result.kind === 'success') return result.value;
        const { failure, error } = result;
        if (maybeDone && call.whenGone !== undefined && error instanceof NotFoundError) {
          return call.whenGone();
        }
        maybeDone ||= MAYBE_PROCESSED.includes(failure.kind);
        if (failure.kind === 'throttled') standing.throttles += 1;
        else standing.failures += 1;
        const attempts = options.attempts?.() ?? Infinity;
        const verdict = decideRetry(failure, { ...standing, attempts }, this.timing, Math.random());
        switch (verdict.action) {
          case 'fail':
            throw error;
          case 'outcome-unknown':
            throw outcomeUnknown(error, call);
          case 'wait-too-long':
            throw failure.kind === 'throttled'
              ? limitUsedUp(verdict.delayMs, error, result.advice?.daily)
              : askedToWait(verdict.delayMs, error);
          case 'pause':
            standing.throttledMs += verdict.delayMs;
            await (
              await this.keyOf(call)
            ).limiter.throttle(verdict.delayMs, result.advice?.limitPerMinute);
            break;
          case 'retry':
            await sleep(verdict.delayMs, options.signal);
            break;
        }
      }
    } catch (error) {
      // The last attempt alone does not tell what the earlier ones did.
      throw maybeDone && error instanceof ServiceError ? error.retold({ maybeDone }) : error;
    }
  }

  private async send<T, O extends Outcome>(
    call: Sending<T>,
    options: CallOptions,
    standing: { readonly failures: number; readonly throttles: number },
    accept: string,
    exchangeOne: (request: HttpRequest) => Promise<O>,
  ): Promise<O> {
    let body: string | undefined;
    const request = (): HttpRequest => ({
      ...requestOf(this.settings, call, accept),
      body,
      timeoutMs: this.timing.requestTimeoutMs,
      signal: options.signal,
    });
    const { limiter } = await this.keyOf(call);
    const turn: Turn = {
      run: this,
      signal: options.signal,
      again: standing.failures + standing.throttles > 0,
      beforeSend: () => {
        options.beforeSend?.();
        // Not before: what is shared with others may be joined until then.
        body = bodyOf(call);
      },
      maxPauseMs: this.timing.maxRateLimitWaitMs,
      warn: (warning) => {
        this.warn(warning);
      },
    };
    const outcome = await limiter.run(
      async () => await exchangeOne(request()),
      turn,
      (one) => !nothingSent(one),
    );
    if (!nothingSent(outcome)) options.sent?.();
    return outcome;
  }

  /** What is sent without a key is limited by itself, so that it never slows the key down. */
  private async keyOf<T>(call: Sending<T>): Promise<KeyState> {
    if (call.withoutKey !== true) return this.key;
    // Such requests are counted by address, and each worker may have its own.
    return await stateOfKey({ ...this.settings, apiKey: '', redis: undefined }, this.timing);
  }

  /** The body of a download, its failures in this client's own errors. */
  private async *whole(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
    try {
      yield* body;
    } catch (error) {
      if (!(error instanceof BrokenStream)) throw error;
      if (error.exchange.kind === 'cancelled') throw new CancelledError();
      throw brokenOff(error.exchange);
    }
  }
}

function bodyOf<T>({ body }: Sending<T>): string | undefined {
  try {
    return body === undefined ? undefined : JSON.stringify(body);
  } catch {
    throw new BadRequestError({
      code: 'invalid_request',
      message: 'What is to be sent cannot be written as JSON: it is nested too deeply',
      hint: 'Nothing was sent. Check the body in the parameters of this node.',
    });
  }
}
