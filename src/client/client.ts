import { createHash } from 'node:crypto';

import { classifyResponse } from './response';
import { serializeBody, toHttpRequest, type Call, type CallOptions } from './call';
import { createWaitError } from './error-mapping';
import { ConnectionError, NotFoundError, createUnknownOutcomeError, ServiceError } from './errors';
import { exchange, type ExchangeResult } from './exchange/transport';
import { getKeyState, type KeyState } from './keys';
import type { QueuedSend } from './limiter/key-limiter';
import { decideRetry } from './retry';
import { REAL_TIME, type ClientSettings, type Timing } from './settings';
import { sleep } from '../concurrency';

export type { ApiResponse, Call, CallOptions, Query } from './call';

interface Attempt {
  readonly isRetry: boolean;
  readonly freshConnection: boolean;
  readonly maybeDone: boolean;
}

/** HTTP client of the service, independent of n8n. Create one per run; runs share limiters and caches. */
export class Client {
  private hasWarned = false;

  private constructor(
    private readonly settings: ClientSettings,
    private readonly timing: Timing,
    readonly key: KeyState,
    private readonly showWarning: (warning: string) => void,
  ) {}

  static open(
    settings: ClientSettings,
    timing: Timing = REAL_TIME,
    warn: (warning: string) => void = () => undefined,
  ): Client {
    return new Client(settings, timing, getKeyState(settings, timing), warn);
  }

  get baseUrl(): string {
    return this.settings.baseUrl;
  }

  /** Equal for clients with equal settings, each of which can send requests for the others. */
  get coalescingKey(): string {
    // Hashed, because the text contains the key and callers keep the identifier.
    return createHash('sha256')
      .update(JSON.stringify([this.settings, this.timing]))
      .digest('hex');
  }

  forkForSharedRequest(warn: (warning: string) => void): Client {
    return new Client(this.settings, this.timing, this.key, warn);
  }

  warn(warning: string): void {
    if (!this.hasWarned) this.showWarning(warning);
    this.hasWarned = true;
  }

  /** Sends a call, with retries. Throws the {@link ServiceError} that says what happened. */
  async request<T>(call: Call<T>, options: CallOptions = {}): Promise<T> {
    const { throttledWarning } = this.settings;
    const state = { repeatable: call.repeatable, failures: 0, throttles: 0, throttledMs: 0 };
    let freshConnection = !call.repeatable;
    let maybeDone = false;
    try {
      for (;;) {
        const isRetry = state.failures + state.throttles > 0;
        const attempt: Attempt = { isRetry, freshConnection, maybeDone };
        const outcome = await this.sendOnce(call, options, attempt);
        // Several kept connections may be dead, and each would use up an attempt.
        freshConnection ||= outcome instanceof ConnectionError;
        const result = classifyResponse(call, outcome, this.settings.apiKey);
        if ('value' in result) return result.value;
        const { failure, error } = result;
        if (maybeDone && call.whenMissing !== undefined && error instanceof NotFoundError) {
          return call.whenMissing();
        }
        // A read whose response is a web page had no effect; behind a page, a deletion can have happened.
        const hadNoEffect = error.lastAttemptHadNoEffect && call.whenMissing === undefined;
        maybeDone ||= failure.kind === 'maybe-done' && !hadNoEffect;
        if (failure.kind === 'throttled') {
          state.throttles += 1;
          if (throttledWarning !== undefined) this.warn(throttledWarning);
        } else state.failures += 1;
        const attempts = options.isBrief?.() === true ? 1 : Infinity;
        const decision = decideRetry(failure, { ...state, attempts }, this.timing, Math.random());
        switch (decision.action) {
          case 'fail':
            throw error;
          case 'outcome-unknown':
            throw createUnknownOutcomeError(error, call);
          case 'wait-too-long': {
            const wait = { waitMs: decision.delayMs, timeZone: this.timing.timeZone };
            throw createWaitError(wait, error, failure.kind === 'throttled' && failure.daily);
          }
          case 'pause': {
            state.throttledMs += decision.delayMs;
            const { limiter } = this.getCallKeyState(call);
            limiter.throttle(decision.delayMs, decision.limitPerMinute);
            break;
          }
          case 'retry':
            await sleep(decision.delayMs, options.signal);
            break;
        }
      }
    } catch (error) {
      // The last error alone does not show whether an earlier attempt had an effect.
      throw maybeDone && error instanceof ServiceError
        ? error.copyWith({ earlierAttemptUnconfirmed: maybeDone })
        : error;
    }
  }

  private async sendOnce<T>(
    call: Call<T>,
    options: CallOptions,
    { isRetry, freshConnection, maybeDone }: Attempt,
  ): Promise<ExchangeResult> {
    let body: string | undefined;
    const { limiter } = this.getCallKeyState(call);
    const turn: QueuedSend = {
      run: this,
      signal: options.signal,
      isRetry,
      beforeSend: () => {
        options.beforeSend?.(maybeDone);
        // Serialized only now, because lookups can join a shared request until this moment.
        body = serializeBody(call);
        // Counted now, because the caller may stop waiting before the response arrives.
        options.sent?.(1);
      },
      maxPauseMs: this.timing.maxRateLimitWaitMs,
      timeZone: this.timing.timeZone,
      warn: (warning) => {
        this.warn(warning);
      },
    };
    const { requestTimeoutMs, slowTimeoutMs, briefTimeoutMs } = this.timing;
    const usualMs = call.isSlow === true ? slowTimeoutMs : requestTimeoutMs;
    const exchangeOnce = async () =>
      await exchange({
        ...toHttpRequest(this.settings, call),
        body,
        freshConnection,
        timeoutMs: options.isBrief?.() === true ? Math.min(usualMs, briefTimeoutMs) : usualMs,
        signal: options.signal,
      });
    const outcome = await limiter.run(exchangeOnce, turn, wasSent);
    if (!wasSent(outcome)) options.sent?.(-1);
    return outcome;
  }

  /** Calls without a key have a separate limiter, so that they never delay the key's requests. */
  private getCallKeyState<T>(call: Call<T>): KeyState {
    if (call.withoutKey !== true) return this.key;
    // The service counts such requests by client address, and each worker may have its own address.
    return getKeyState({ ...this.settings, apiKey: '', redis: undefined }, this.timing);
  }
}

function wasSent(outcome: unknown): boolean {
  return !(outcome instanceof ConnectionError && outcome.neverConnected);
}

/** Sends a call once and immediately, for a user who is waiting: without the limiter and without a retry. */
export async function sendWithoutLimiter<T>(
  settings: Pick<ClientSettings, 'baseUrl' | 'apiKey'>,
  call: Omit<Call<T>, 'body'>,
  timeoutMs: number,
): Promise<T> {
  const outcome = await exchange({
    ...toHttpRequest(settings, call),
    body: undefined,
    timeoutMs,
    // A kept-alive connection may be stale, and this call is not retried.
    freshConnection: true,
    signal: undefined,
  });
  const result = classifyResponse(call, outcome, settings.apiKey);
  if ('error' in result) throw result.error;
  return result.value;
}
