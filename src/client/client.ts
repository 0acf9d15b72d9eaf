import { readErrorBody } from './error-body';
import { CancelledError, InvalidResponseError, NotFoundError, type ServiceError } from './errors';
import { stateOfKey, type KeyState } from './keys';
import { errorOfAnswer, limitUsedUp, type Words } from './meaning';
import { redact } from './redact';
import { decideRetry, type Failure } from './retry';
import {
  readRetryAfter,
  readThrottleAdvice,
  type Headers,
  type ThrottleAdvice,
} from './retry-after';
import { REAL_TIME, type ClientSettings, type Timing } from './settings';
import { sleep } from './sleep';
import { BrokenStream, openStream } from './stream';
import { exchange, type Exchange, type HttpRequest } from './transport';
import { brokenOff, noAnswer, outcomeUnknown, tooLarge } from './unanswered';

/** A successful answer, before its meaning is read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined when the body is empty, or the call takes any text. */
  readonly json: unknown;
  /** The body as it arrived. */
  readonly text: string;
}

type QueryValue = string | number | boolean;

/** What is sent, and what may become of it. */
interface Sending<T> {
  readonly method: HttpRequest['method'];
  /** Built with the `path` template, beginning with `/v1/`. */
  readonly path: string;
  /** Parameters that are undefined are left out; those of several values are repeated. */
  readonly query?: Readonly<Record<string, QueryValue | readonly string[] | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** See {@link Standing.repeatable}. */
  readonly repeatable: boolean;
  /** What a 404 means where the interface states no code for it. */
  readonly notFound?: Words;
  /**
   * For calls that remove something and may be repeated: the result of a 404 after an attempt that
   * may have been processed. What was to be removed is gone, so the call did not fail.
   */
  readonly whenGone?: () => T;
  /** True for the endpoints that need no key (interface: Authentication, rule 4). */
  readonly withoutKey?: boolean;
}

/** One call of the interface. */
export interface Call<T> extends Sending<T> {
  /** True when the answer need not be JSON. */
  readonly anyText?: boolean;
  /** Reads the answer; throws {@link InvalidResponseError} when it is not what was promised. */
  readonly read: (answer: Answer) => T;
}

/** A successful answer whose body is still arriving. */
export interface Arriving {
  readonly headers: Headers;
  /** The first bytes of the body; empty when it has none. */
  readonly start: Uint8Array;
  /**
   * The whole body, its first bytes included. Read once.
   *
   * @throws {ConnectionError | InvalidResponseError | CancelledError} when it does not come whole.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** A call whose answer is too large to be held in memory. */
export interface Download<T> extends Sending<T> {
  /** The media type that is wanted. */
  readonly accept: string;
  /** Reads the head of the answer; throws {@link InvalidResponseError} as for a {@link Call}. */
  readonly read: (answer: Arriving) => T;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Runs at the last moment before each sending; throwing means it is not sent. */
  readonly beforeSend?: (() => void) | undefined;
}

/** Failures after which nobody knows whether the request was processed. */
const MAYBE_PROCESSED: ReadonlyArray<Failure['kind']> = ['server', 'no-answer', 'unreadable'];

const JSON_TYPE = 'application/json';
const USER_AGENT = 'n8n-nodes-company-intelligence';

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

  /**
   * Sends a call until it succeeds, is refused, or may not be sent again.
   *
   * @throws {ServiceError} of the kind that says what happened; its texts never hold the key.
   */
  async request<T>(call: Call<T>, options: CallOptions = {}): Promise<T> {
    return await this.insist(call, options, JSON_TYPE, exchange, (outcome) =>
      isSuccess(outcome)
        ? judgeReading(() => call.read(answerOf(outcome, call.anyText)))
        : this.judgeFailure(call, outcome),
    );
  }

  /**
   * Like {@link request}, for an answer that is read as it arrives. Until its first byte it is sent
   * again after a failure like any other; after that, a body that breaks off is an error of reading
   * it. The request timeout holds between two bytes.
   *
   * @throws {ServiceError} as above.
   */
  async download<T>(call: Download<T>, options: CallOptions = {}): Promise<T> {
    return await this.insist(call, options, call.accept, openStream, (outcome) => {
      if (outcome.kind !== 'stream') return this.judgeFailure(call, outcome);
      const { headers, start, body, close } = outcome;
      const reading = judgeReading(() => call.read({ headers, start, body: this.whole(body) }));
      if (reading.kind === 'failure') close();
      return reading;
    });
  }

  private async insist<T, Outcome>(
    call: Sending<T>,
    options: CallOptions,
    accept: string,
    exchangeOne: (request: HttpRequest) => Promise<Outcome>,
    judge: (outcome: Outcome) => Judgement<T>,
  ): Promise<T> {
    const standing = { repeatable: call.repeatable, failures: 0, throttles: 0, throttledMs: 0 };
    let maybeDone = false;
    for (;;) {
      const result = judge(
        await this.send(call, options, standing, async (request) =>
          exchangeOne({ ...request, headers: { ...request.headers, Accept: accept } }),
        ),
      );
      if (result.kind === 'success') return result.value;
      const { failure, error } = result;
      if (maybeDone && call.whenGone !== undefined && error instanceof NotFoundError) {
        return call.whenGone();
      }
      maybeDone ||= MAYBE_PROCESSED.includes(failure.kind);
      if (failure.kind === 'throttled') standing.throttles += 1;
      else standing.failures += 1;
      const verdict = decideRetry(failure, standing, this.timing, Math.random());
      switch (verdict.action) {
        case 'fail':
          throw error;
        case 'outcome-unknown':
          throw outcomeUnknown(call, error);
        case 'wait-too-long':
          throw limitUsedUp(Date.now() + verdict.delayMs, {
            code: error.code,
            status: error.status,
            details: error.details,
            daily: result.advice?.daily === true,
          });
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
  }

  private async send<T, Outcome>(
    call: Sending<T>,
    options: CallOptions,
    standing: { readonly failures: number; readonly throttles: number },
    exchangeOne: (request: HttpRequest) => Promise<Outcome>,
  ): Promise<Outcome> {
    const request: HttpRequest = {
      method: call.method,
      url: this.urlOf(call),
      headers: {
        'User-Agent': USER_AGENT,
        ...(call.withoutKey === true ? {} : { 'X-API-Key': this.settings.apiKey }),
        ...(call.body === undefined ? {} : { 'Content-Type': JSON_TYPE }),
      },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      timeoutMs: this.timing.requestTimeoutMs,
      freshConnection: !call.repeatable,
      signal: options.signal,
    };
    const { limiter } = await this.keyOf(call);
    return await limiter.run(async () => await exchangeOne(request), {
      run: this,
      signal: options.signal,
      again: standing.failures + standing.throttles > 0,
      beforeSend: options.beforeSend,
      maxPauseMs: this.timing.maxRateLimitWaitMs,
      warn: (warning) => {
        if (!this.warned) this.tellUser(warning);
        this.warned = true;
      },
    });
  }

  /** What is sent without a key is limited by itself, so that it never slows the key down. */
  private async keyOf<T>(call: Sending<T>): Promise<KeyState> {
    // Such requests are counted by address, and each worker may have its own.
    const keyless = { ...this.settings, apiKey: '', redis: undefined };
    return call.withoutKey === true ? await stateOfKey(keyless, this.timing) : this.key;
  }

  private urlOf<T>(call: Sending<T>): string {
    const url = new URL(`${this.settings.baseUrl}${call.path}`);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      const values = Array.isArray(value) ? value : [value];
      for (const one of values) {
        if (one !== undefined) url.searchParams.append(name, String(one));
      }
    }
    return url.toString();
  }

  /** The body of a download, its failures in this client's own errors. */
  private async *whole(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
    try {
      yield* body;
    } catch (error) {
      if (!(error instanceof BrokenStream)) throw error;
      if (error.exchange.kind === 'cancelled') throw new CancelledError();
      throw brokenOff(error.exchange, this.settings.apiKey);
    }
  }

  private judgeFailure<T>(call: Sending<T>, outcome: Exchange): Failed {
    switch (outcome.kind) {
      case 'cancelled':
        throw new CancelledError();
      case 'too-large':
        return {
          kind: 'failure',
          failure: call.repeatable ? { kind: 'refused' } : { kind: 'no-answer' },
          error: tooLarge(),
        };
      case 'no-answer':
        return {
          kind: 'failure',
          failure: { kind: outcome.maybeProcessed ? 'no-answer' : 'not-sent' },
          error: noAnswer(outcome.maybeProcessed, redact(outcome.reason, this.settings.apiKey)),
        };
      case 'answer':
        return this.judgeRefusal(call, outcome);
    }
  }

  private judgeRefusal<T>(call: Sending<T>, answer: Answered): Failed {
    // Before reading, because reading cuts long texts and could leave half a key; and after, because
    // JSON may have spelled the key with escapes.
    const { apiKey } = this.settings;
    const body = redact(readErrorBody(redact(answer.body, apiKey)), apiKey);
    const error = errorOfAnswer(answer.status, body, call.notFound);
    const now = Date.now();
    if (answer.status === 429) {
      const advice = readThrottleAdvice(answer.headers, body.fields, now);
      return {
        kind: 'failure',
        failure: { kind: 'throttled', waitMs: advice.waitMs },
        error,
        advice,
      };
    }
    if (answer.status >= 500 || answer.status === 408) {
      const waitMs = readRetryAfter(answer.headers['retry-after'], now);
      return { kind: 'failure', failure: { kind: 'server', waitMs }, error };
    }
    return { kind: 'failure', failure: { kind: 'refused' }, error };
  }
}

type Answered = Extract<Exchange, { kind: 'answer' }>;

interface Failed {
  readonly kind: 'failure';
  readonly failure: Failure;
  readonly error: ServiceError;
  readonly advice?: ThrottleAdvice;
}

type Judgement<T> = { readonly kind: 'success'; readonly value: T } | Failed;

function isSuccess(outcome: Exchange): outcome is Answered {
  return outcome.kind === 'answer' && outcome.status >= 200 && outcome.status < 300;
}

/** Reads a successful answer; one that is not what was promised is a failure too. */
function judgeReading<T>(read: () => T): Judgement<T> {
  try {
    return { kind: 'success', value: read() };
  } catch (error) {
    if (!(error instanceof InvalidResponseError)) throw error;
    return { kind: 'failure', failure: { kind: 'unreadable' }, error };
  }
}

function answerOf({ status, headers, body: text }: Answered, anyText = false): Answer {
  return { status, headers, json: anyText ? undefined : parseJson(text), text };
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidResponseError({
      code: 'invalid_response',
      message: text.trimStart().startsWith('<')
        ? 'The answer is an HTML page, not JSON'
        : 'The answer is not complete JSON',
      hint: 'Check the Base URL in the credential; a proxy or a login page may have answered.',
    });
  }
}
