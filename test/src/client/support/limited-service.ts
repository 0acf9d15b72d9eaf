import { KeyLimiter, type QueuedSend } from '../../../../src/client/limiter/key-limiter';
import type { Timing } from '../../../../src/client/settings';
import { QUICK } from './timing';

/** Returns a limiter and its service. The limit is out of reach unless a test sets one. */
export function limited(requestsPerMinute = 1_000, timing: Partial<Timing> = {}) {
  const limiter = new KeyLimiter(requestsPerMinute, { ...QUICK, ...timing });
  return { limiter, service: new LimitedService(limiter) };
}

/** Lets jest control the clock and all timers; returns a function that lets time pass. */
export function controlTime(): (ms: number) => Promise<void> {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  return async (ms) => {
    await jest.advanceTimersByTimeAsync(ms);
  };
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_unused, index) => make(index));

export class LimitedService {
  /** Times on the clock of `performance.now()`. */
  readonly arrivals: number[] = [];
  readonly names: string[] = [];

  constructor(private readonly limiter: KeyLimiter) {}

  /** Sends a request whose response takes this long, or until this promise resolves. */
  async send(
    name: string,
    turn: Partial<QueuedSend> = {},
    answered: number | Promise<void> = 0,
  ): Promise<void> {
    const send = async () => {
      this.names.push(name);
      this.arrivals.push(performance.now());
      if (answered instanceof Promise) await answered;
      else if (answered > 0) await new Promise((resolve) => setTimeout(resolve, answered));
    };
    await this.limiter.run(send, { run: 'one', isRetry: false, ...turn });
  }

  hold(name: string, turn: Partial<QueuedSend> = {}): { answer: () => void; done: Promise<void> } {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    return { answer, done: this.send(name, turn, answered) };
  }

  /** Keeps as many requests in flight as one run does, as long as jest controls the time. */
  work(run: string, latency: number): void {
    const repeat = async () => {
      for (;;) await this.send(run, { run }, latency);
    };
    void Promise.all(times(90, repeat));
  }
}
