import { CancelledError, ServiceError } from '../errors';
import type { HttpRequest } from './transport';
import { brokenOff, isBeforeSending, noAnswer, troubleOf, type Trouble } from './trouble';

/** Abort reason of a request whose deadline passed. */
const TOO_LATE = Symbol('too late');

/**
 * Deadline of one request: aborts it when its time is up or the execution is stopped. It tracks how far
 * the request got, which determines what a failure means.
 */
export class Patience {
  private readonly stop = new AbortController();
  private readonly onCancel: () => void;
  private deadline: NodeJS.Timeout | undefined;
  /** Time of the deadline on the clock of `performance.now()`, and the remaining time while it is paused. */
  private endsAt = 0;
  private leftMs: number;
  private written = false;

  constructor(private readonly request: HttpRequest) {
    this.leftMs = request.timeoutMs;
    const { stop } = this;
    // The listener references only this, because a removed listener may stay in memory for a long time.
    this.onCancel = () => {
      stop.abort();
    };
    request.signal?.addEventListener('abort', this.onCancel, { once: true });
    if (request.signal?.aborted === true) this.stop.abort();
  }

  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** Starts the deadline with the remaining time of the request's timeout. */
  go(): void {
    if (this.deadline !== undefined) return;
    this.endsAt = performance.now() + this.leftMs;
    this.deadline = setTimeout(() => {
      this.stop.abort(TOO_LATE);
    }, this.leftMs);
  }

  /** Stops the deadline until {@link go}, because the client is not waiting for the service. */
  pause(): void {
    if (this.deadline === undefined) return;
    this.leftMs = Math.max(0, this.endsAt - performance.now());
    clearTimeout(this.deadline);
    this.deadline = undefined;
  }

  /** Restarts the deadline with the full timeout of the request. */
  goAnew(): void {
    this.pause();
    this.leftMs = this.request.timeoutMs;
    this.go();
  }

  /** Milliseconds waited since {@link goAnew}; valid only while the deadline is paused. */
  get waitedMs(): number {
    return this.request.timeoutMs - this.leftMs;
  }

  /** Records that the connection is established: from now on, the request may be processed. */
  connected(): void {
    this.written = true;
  }

  /** Returns the error for a request that failed before its response was complete. */
  noAnswer(error: unknown): ServiceError {
    if (error instanceof ServiceError) return error;
    if (this.isCancelled) return new CancelledError();
    const encrypted = this.request.url.startsWith('https:');
    const isSent =
      this.written || (this.signal.reason !== TOO_LATE && !isBeforeSending(error, encrypted));
    return noAnswer(this.troubleOf(error), this.request.url, isSent);
  }

  /** Returns the error for a response that failed after a part of it was passed on. */
  brokenOff(error: unknown): ServiceError {
    return this.isCancelled ? new CancelledError() : brokenOff(this.troubleOf(error).reason);
  }

  /** Ends the deadline and closes the connection if it is still in use. */
  giveUp(): void {
    this.end();
    this.stop.abort();
  }

  end(): void {
    this.pause();
    this.request.signal?.removeEventListener('abort', this.onCancel);
  }

  private get isCancelled(): boolean {
    return this.request.signal?.aborted === true;
  }

  private troubleOf(error: unknown): Trouble {
    if (this.signal.reason !== TOO_LATE) return troubleOf(error);
    const seconds = String(Math.round(this.request.timeoutMs / 100) / 10);
    return {
      reason: `no ${this.written ? 'complete response' : 'connection'} within ${seconds} s`,
    };
  }
}
