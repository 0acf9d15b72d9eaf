import { createHash } from 'node:crypto';

import { judge, readAnswer } from './answer';
import {
  bodyOf,
  JSON_TYPE,
  requestOf,
  type Call,
  type CallOptions,
  type Download,
  type Sending,
} from './call';
import { ConnectionError, NotFoundError, outcomeUnknown, ServiceError } from './errors';
import {
  exchange,
  openStream,
  type HttpAnswer,
  type HttpRequest,
  type Outcome,
} from './exchange/transport';
import { stateOfKey, type KeyState, type Reads } from './keys';
import type { CreditCap } from './limiter/credit-budget';
import type { Turn } from './limiter/key-limiter';
import { redactData, redactStream } from './redact';
import { decideRetry } from './retry';
import { REAL_TIME, type ClientSettings, type Timing } from './settings';
import { sleep } from './sleep';
import { askedToWait, limitUsedUp } from './waits';

export type { Answer, Arriving, Call, CallOptions, Download, Query } from './call';

/** How a call is sent and its answer read. */
interface Way<T, Body> {
  /** The media type that is wanted. */
  readonly accept: string;
  readonly exchange: (request: HttpRequest) => Promise<Outcome<Body>>;
  readonly read: (answer: HttpAnswer<Body>) => T;
}

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
  static open(
    settings: ClientSettings,
    timing: Timing = REAL_TIME,
    tellUser: (warning: string) => void = () => undefined,
  ): Client {
    return new Client(settings, timing, stateOfKey(settings, timing), tellUser);
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

  /** What the credential lets the key spend. */
  get creditCap(): CreditCap {
    return this.key.limiter.credits.under(this.settings);
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
    return await this.insist(call, options, {
      accept: JSON_TYPE,
      exchange,
      read: (answer) => readAnswer(call, answer, this.settings.apiKey),
    });
  }

  /**
   * Like {@link request}, for an answer that is read as it arrives. Until its first byte it is sent
   * again after a failure like any other; after that, a body that breaks off is an error of reading
   * it. The request timeout holds between two bytes.
   *
   * @throws {ServiceError} as above.
   */
  async download<T>(call: Download<T>, options: CallOptions = {}): Promise<T> {
    return await this.insist(call, options, {
      accept: call.accept,
      exchange: openStream,
      read: ({ headers, body: { start, whole, close } }) => {
        const { apiKey } = this.settings;
        try {
          return call.read({
            headers: redactData(headers, apiKey),
            start,
            body: redactStream(whole, apiKey),
          });
        } catch (error) {
          close();
          throw error;
        }
      },
    });
  }

  private async insist<T, Body>(
    call: Sending<T>,
    options: CallOptions,
    way: Way<T, Body>,
  ): Promise<T> {
    const standing = { repeatable: call.repeatable, failures: 0, throttles: 0, throttledMs: 0 };
    let maybeDone = false;
    try {
      for (;;) {
        const isAgain = standing.failures + standing.throttles > 0;
        const outcome = await this.send(call, options, way, isAgain);
        const result = judge(call, outcome, this.settings.apiKey, way.read);
        if ('value' in result) return result.value;
        const { failure, error } = result;
        if (maybeDone && call.whenGone !== undefined && error instanceof NotFoundError) {
          return call.whenGone();
        }
        maybeDone ||= failure.kind === 'maybe-done';
        if (failure.kind === 'throttled') standing.throttles += 1;
        else standing.failures += 1;
        const attempts = options.isBrief?.() === true ? 1 : Infinity;
        const verdict = decideRetry(failure, { ...standing, attempts }, this.timing, Math.random());
        switch (verdict.action) {
          case 'fail':
            throw error;
          case 'outcome-unknown':
            throw outcomeUnknown(error, call);
          case 'wait-too-long':
            throw failure.kind === 'throttled'
              ? limitUsedUp(verdict.delayMs, error, failure.daily)
              : askedToWait(verdict.delayMs, error);
          case 'pause': {
            standing.throttledMs += verdict.delayMs;
            const { limiter } = this.keyOf(call);
            limiter.throttle(verdict.delayMs, verdict.limitPerMinute);
            break;
          }
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

  private async send<T, Body>(
    call: Sending<T>,
    options: CallOptions,
    { accept, exchange: exchangeOne }: Way<T, Body>,
    again: boolean,
  ): Promise<Outcome<Body>> {
    let body: string | undefined;
    const { limiter, paces } = this.keyOf(call);
    const turn: Turn = {
      run: this,
      signal: options.signal,
      again,
      beforeSend: () => {
        options.beforeSend?.();
        // Not before: what is shared with others may be joined until then.
        body = bodyOf(call);
        // Now, because nobody may wait for the answer.
        options.sent?.(1);
      },
      maxPauseMs: this.timing.maxRateLimitWaitMs,
      warn: (warning) => {
        this.warn(warning);
      },
    };
    const timeouts = [this.timing.requestTimeoutMs, this.timing.briefTimeoutMs] as const;
    const exchanged = async () =>
      await exchangeOne({
        ...requestOf(this.settings, call, accept),
        body,
        timeoutMs: options.isBrief?.() === true ? Math.min(...timeouts) : timeouts[0],
        signal: options.signal,
      });
    const outcome = await paces.during(
      this.settings,
      async () => await limiter.run(exchanged, turn, isSent),
    );
    if (!isSent(outcome)) options.sent?.(-1);
    return outcome;
  }

  /** What is sent without a key is limited by itself, so that it never slows the key down. */
  private keyOf<T>(call: Sending<T>): KeyState {
    if (call.withoutKey !== true) return this.key;
    // Such requests are counted by address, and each worker may have its own.
    return stateOfKey({ ...this.settings, apiKey: '', redis: undefined }, this.timing);
  }
}

function isSent(outcome: unknown): boolean {
  return !(outcome instanceof ConnectionError && outcome.reachedNobody);
}

/**
 * Sends a call a single time and at once, for somebody who waits for it: past the limiter, where runs
 * may be waiting, and never again.
 *
 * @throws {ServiceError} of the kind that says what happened; its texts never hold the key.
 */
export async function askOnce<T>(
  settings: Pick<ClientSettings, 'baseUrl' | 'apiKey'>,
  call: Omit<Call<T>, 'body'>,
  timeoutMs: number,
): Promise<T> {
  const outcome = await exchange({
    ...requestOf(settings, call),
    body: undefined,
    timeoutMs,
    // One that was kept may have gone stale, and nothing is sent again.
    freshConnection: true,
    signal: undefined,
  });
  const result = judge(call, outcome, settings.apiKey, (answer) =>
    readAnswer(call, answer, settings.apiKey),
  );
  if ('error' in result) throw result.error;
  return result.value;
}
