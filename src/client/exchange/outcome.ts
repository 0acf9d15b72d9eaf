import type { Headers } from '../retry-after';
import { isBeforeSending, troubleOf } from './trouble';

/** One HTTP request, ready to be sent. */
export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** From connecting to the last byte of the answer; of a streamed one, between two bytes. */
  readonly timeoutMs: number;
  /** A fresh connection rules out that a stale one swallows the request. */
  readonly freshConnection: boolean;
  readonly signal: AbortSignal | undefined;
}

/** What came of it. An exchange never throws: every way it can end is one of these. */
export type Exchange =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Headers;
      readonly body: string;
    }
  | Unanswered;

/** Why there is no answer. */
export type Unanswered = NoAnswer | { readonly kind: 'too-large' } | { readonly kind: 'cancelled' };

export interface NoAnswer extends Trouble {
  readonly kind: 'no-answer';
  /** False when the connection was never made, so that nothing can have been processed. */
  readonly maybeProcessed: boolean;
}

/** What went wrong on the way, without a word of the libraries that noticed it. */
export interface Trouble {
  /** In words; n8n replaces messages that hold the names of system errors. */
  readonly reason: string;
  /** What helps against it, where that is known. */
  readonly cure?: string;
  /** An answer came that nobody can read, and would come again. */
  readonly isUnreadable?: boolean;
}

/** Whether it is certain that nothing of the request has left this machine. */
export function nothingSent(outcome: { readonly kind: string }): boolean {
  return 'maybeProcessed' in outcome && outcome.maybeProcessed === false;
}

/** Why a request was given up. */
const TOO_LATE = Symbol('too late');

/**
 * How long a request is waited for: until its deadline, or until the run is stopped. It knows how far
 * the request came, and so what its failure means.
 */
export class Patience {
  private readonly stop = new AbortController();
  private readonly onCancel = (): void => {
    this.stop.abort();
  };
  private deadline: NodeJS.Timeout | undefined;
  /** When the deadline is, as `performance.now()` counts, and what is left of it when it is stopped. */
  private endsAt = 0;
  private leftMs: number;
  private written = false;

  constructor(private readonly request: HttpRequest) {
    this.leftMs = request.timeoutMs;
    request.signal?.addEventListener('abort', this.onCancel, { once: true });
    if (request.signal?.aborted === true) this.stop.abort();
  }

  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** From now on it is waited for, as long as is left of the request's timeout. */
  go(): void {
    if (this.deadline !== undefined) return;
    this.endsAt = performance.now() + this.leftMs;
    this.deadline = setTimeout(() => {
      this.stop.abort(TOO_LATE);
    }, this.leftMs);
  }

  /** Time does not count until {@link go}: it is not the service that is waited for. */
  pause(): void {
    if (this.deadline === undefined) return;
    this.leftMs = Math.max(0, this.endsAt - performance.now());
    clearTimeout(this.deadline);
    this.deadline = undefined;
  }

  /** Waits for one thing, as long as the request's whole timeout. */
  async wait<T>(begin: () => Promise<T>): Promise<T> {
    this.pause();
    this.leftMs = this.request.timeoutMs;
    this.go();
    try {
      return await begin();
    } finally {
      this.pause();
    }
  }

  /** The connection is made: from now on the request may be processed. */
  connected(): void {
    this.written = true;
  }

  /** Why there is no answer, when waiting for it has thrown. */
  reasonFor(error: unknown): Unanswered {
    if (this.request.signal?.aborted === true) return { kind: 'cancelled' };
    if (this.signal.reason === TOO_LATE) {
      const seconds = String(Math.round(this.request.timeoutMs / 100) / 10);
      const what = this.written ? 'complete answer' : 'connection';
      const reason = `no ${what} within ${seconds} s`;
      return { kind: 'no-answer', maybeProcessed: this.written, reason };
    }
    const encrypted = this.request.url.startsWith('https:');
    const sent = this.written || !isBeforeSending(error, encrypted);
    return { kind: 'no-answer', maybeProcessed: sent, ...troubleOf(error) };
  }

  /** Closes the connection if it is still in use. */
  giveUp(): void {
    this.end();
    this.stop.abort();
  }

  end(): void {
    this.pause();
    this.request.signal?.removeEventListener('abort', this.onCancel);
  }
}
