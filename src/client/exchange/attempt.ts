import type { HttpRequest } from '../call';

export class Attempt {
  /** From then on, the request may be processed. */
  isConnected = false;
  isRefusedByProxy = false;
  /** A part of a streamed response was passed on. */
  isPassedOn = false;
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

  start(): void {
    this.timer = setTimeout(() => {
      this.isLate = true;
      this.controller.abort();
    }, this.timeoutMs);
  }

  /** While the client is not waiting for the service. */
  pause(): void {
    clearTimeout(this.timer);
  }

  readonly abort = (): void => {
    this.end();
    this.controller.abort();
  };

  end(): void {
    this.pause();
    this.request.signal?.removeEventListener('abort', this.onCancel);
  }
}
