import { CancelledError, ServiceError } from '../errors';
import type { HttpRequest } from './transport';
import {
  createTruncatedResponseError,
  isBeforeSending,
  createNoResponseError,
  toTransportFault,
  type TransportFault,
} from './transport-fault';

/** Abort reason of a request whose deadline passed. */
const DEADLINE_PASSED = Symbol('too late');

/**
 * Deadline of one request: aborts it when its time is up or the execution is stopped. It tracks how far
 * the request got, which determines what a failure means.
 */
export class RequestDeadline {
  private readonly stop = new AbortController();
  private readonly onCancel: () => void;
  private deadline: NodeJS.Timeout | undefined;
  /** Time of the deadline on the clock of `performance.now()`, and the remaining time while it is paused. */
  private endsAt = 0;
  private leftMs: number;
  private isConnected = false;

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
  start(): void {
    if (this.deadline !== undefined) return;
    this.endsAt = performance.now() + this.leftMs;
    this.deadline = setTimeout(() => {
      this.stop.abort(DEADLINE_PASSED);
    }, this.leftMs);
  }

  /** Stops the deadline until {@link start}, because the client is not waiting for the service. */
  pause(): void {
    if (this.deadline === undefined) return;
    this.leftMs = Math.max(0, this.endsAt - performance.now());
    clearTimeout(this.deadline);
    this.deadline = undefined;
  }

  /** Restarts the deadline with the full timeout of the request. */
  restart(): void {
    this.pause();
    this.leftMs = this.request.timeoutMs;
    this.start();
  }

  /** Milliseconds waited since {@link restart}; valid only while the deadline is paused. */
  get elapsedMs(): number {
    return this.request.timeoutMs - this.leftMs;
  }

  /** Records that the connection is established: from now on, the request may be processed. */
  markConnected(): void {
    this.isConnected = true;
  }

  /** Returns the error for a request that failed before its response was complete. */
  toNoResponseError(error: unknown): ServiceError {
    if (error instanceof ServiceError) return error;
    if (this.isCancelled) return new CancelledError();
    const encrypted = this.request.url.startsWith('https:');
    const isSent =
      this.isConnected ||
      (this.signal.reason !== DEADLINE_PASSED && !isBeforeSending(error, encrypted));
    return createNoResponseError(this.toFault(error), this.request.url, isSent);
  }

  /** Returns the error for a response that failed after a part of it was passed on. */
  toTruncatedError(error: unknown): ServiceError {
    return this.isCancelled
      ? new CancelledError()
      : createTruncatedResponseError(this.toFault(error).reason);
  }

  /** Ends the deadline and closes the connection if it is still in use. */
  abort(): void {
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

  private toFault(error: unknown): TransportFault {
    if (this.signal.reason !== DEADLINE_PASSED) return toTransportFault(error);
    const seconds = String(Math.round(this.request.timeoutMs / 100) / 10);
    return {
      reason: `no ${this.isConnected ? 'complete response' : 'connection'} within ${seconds} s`,
    };
  }
}
