import type { HttpRequest } from '../call';

/** One request that ends when its time is up or the execution is stopped, and how far it got. */
export class Attempt {
  /** Whether the connection was established: from then on, the request may be processed. */
  isConnected = false;
  /** Whether a proxy refused to open a connection to the service. */
  isRefusedByProxy = false;
  /** Whether a part of a streamed response was passed on. */
  isPassedOn = false;
  /** Whether the time was up. */
  isLate = false;
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  // Bound to only the controller, because a removed listener may stay in memory for a long time.
  private readonly onCancel = this.controller.abort.bind(this.controller, undefined);
  private timer: NodeJS.Timeout | undefined;
  timeoutMs: number;

  constructor(readonly request: HttpRequest) {
    this.timeoutMs = request.timeoutMs;
    request.signal?.addEventListener('abort', this.onCancel, { once: true });
    if (request.signal?.aborted === true) this.onCancel();
    this.start();
  }

  /** Starts the deadline with the full timeout. */
  start(): void {
    this.timer = setTimeout(() => {
      this.isLate = true;
      this.controller.abort();
    }, this.timeoutMs);
  }

  /** Stops the deadline until {@link start}, because the client is not waiting for the service. */
  pause(): void {
    clearTimeout(this.timer);
  }

  /** Ends the deadline and closes the connection if it is still in use. */
  readonly abort = (): void => {
    this.end();
    this.controller.abort();
  };

  end(): void {
    this.pause();
    this.request.signal?.removeEventListener('abort', this.onCancel);
  }
}
