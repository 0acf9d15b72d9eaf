import { CancelledError, ServiceError } from '../errors';
import type { HttpRequest } from './transport';
import { brokenOff, isBeforeSending, noAnswer, troubleOf, type Trouble } from './trouble';

/** Why a request was given up. */
const TOO_LATE = Symbol('too late');

/**
 * How long a request is waited for: until its deadline, or until the run is stopped. It knows how far
 * the request came, and so what its failure means.
 */
export class Patience {
  private readonly stop = new AbortController();
  private readonly onCancel: () => void;
  private deadline: NodeJS.Timeout | undefined;
  /** When the deadline is, as `performance.now()` counts, and what is left of it when it is stopped. */
  private endsAt = 0;
  private leftMs: number;
  private written = false;

  constructor(private readonly request: HttpRequest) {
    this.leftMs = request.timeoutMs;
    const { stop } = this;
    // It knows no more than this, because a listener that was removed may stay in memory for long.
    this.onCancel = () => {
      stop.abort();
    };
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

  /** From now on it is waited for, as long as the request's whole timeout. */
  goAnew(): void {
    this.pause();
    this.leftMs = this.request.timeoutMs;
    this.go();
  }

  /** Milliseconds that were waited since {@link goAnew}; to be asked in a pause. */
  get waitedMs(): number {
    return this.request.timeoutMs - this.leftMs;
  }

  /** The connection is made: from now on the request may be processed. */
  connected(): void {
    this.written = true;
  }

  /** Why there is no answer, when waiting for it has thrown. */
  noAnswer(error: unknown): ServiceError {
    if (error instanceof ServiceError) return error;
    if (this.isCancelled) return new CancelledError();
    const encrypted = this.request.url.startsWith('https:');
    const isSent =
      this.written || (this.signal.reason !== TOO_LATE && !isBeforeSending(error, encrypted));
    return noAnswer(this.troubleOf(error), isSent);
  }

  /** The same, when some of the answer was handed on already. */
  brokenOff(error: unknown): ServiceError {
    return this.isCancelled ? new CancelledError() : brokenOff(this.troubleOf(error).reason);
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

  private get isCancelled(): boolean {
    return this.request.signal?.aborted === true;
  }

  private troubleOf(error: unknown): Trouble {
    if (this.signal.reason !== TOO_LATE) return troubleOf(error);
    const seconds = String(Math.round(this.request.timeoutMs / 100) / 10);
    return { reason: `no ${this.written ? 'complete answer' : 'connection'} within ${seconds} s` };
  }
}
