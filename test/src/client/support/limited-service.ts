import { KeyLimiter, type QueuedSend } from '../../../../src/client/limiter/key-limiter';
import type { Timing } from '../../../../src/client/settings';
import { QUICK } from './timing';

/** Returns a limiter and its service. The limit is out of reach unless a test sets one. */
export function limited(requestsPerMinute = 1_000, timing: Partial<Timing> = {}) {
  const limiter = new KeyLimiter(requestsPerMinute, { ...QUICK, ...timing });
  return { limiter, service: new LimitedService(limiter) };
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_unused, index) => make(index));

/**
 * Simulates the service behind a limiter, and records when requests arrive and responses leave, on the
 * clock of `performance.now()`.
 */
export class LimitedService {
  readonly arrivals: number[] = [];
  readonly answers: number[] = [];
  /** Names of the requests, in order of arrival. */
  readonly names: string[] = [];

  constructor(private readonly limiter: KeyLimiter) {}

  /** Sends a request with these latencies (in ms) to the service and back. */
  async send(name: string, turn: Partial<QueuedSend> = {}, there = 0, back = 0): Promise<void> {
    await this.run(name, turn, there, async () => {
      await pass(back);
    });
  }

  /** Sends `count` requests at the same time. */
  async sendAll(count: number, turn: Partial<QueuedSend> = {}): Promise<void> {
    await Promise.all(times(count, async (index) => await this.send(`${index}`, turn)));
  }

  /** Sends a request whose response waits until `answer` is called. */
  hold(name: string, turn: Partial<QueuedSend> = {}): { answer: () => void; done: Promise<void> } {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    return { answer, done: this.run(name, turn, 0, async () => await answered) };
  }

  /** Keeps as many requests in flight as one run does, until the returned function is called. */
  work(run: string, latency: number): () => void {
    const stopping = new AbortController();
    for (let worker = 0; worker < 90; worker += 1) {
      void (async () => {
        while (!stopping.signal.aborted) await this.send(run, { run }, 0, latency);
      })();
    }
    return () => {
      stopping.abort();
    };
  }

  private async run(
    name: string,
    turn: Partial<QueuedSend>,
    there: number,
    answered: () => Promise<void>,
  ): Promise<void> {
    const send = async () => {
      await pass(there);
      this.names.push(name);
      this.arrivals.push(performance.now());
      await answered();
      this.answers.push(performance.now());
    };
    await this.limiter.run(send, { run: 'one', isRetry: false, ...turn });
  }
}

async function pass(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
