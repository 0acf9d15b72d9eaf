import { KeyLimiter, type QueuedSend } from '../../../../src/client/limiter/key-limiter';
import type { Timing } from '../../../../src/client/settings';
import { QUICK } from './timing';

/** Returns a limiter and its service. Limits are out of reach unless a test sets them. */
export function limited(
  { requestsPerMinute = 1_000 }: { readonly requestsPerMinute?: number },
  timing: Partial<Timing> = {},
  now?: () => number,
) {
  const limiter = new KeyLimiter(requestsPerMinute, { ...QUICK, ...timing });
  return { limiter, service: new LimitedService(limiter, now) };
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_unused, index) => make(index));

/** Simulates the service behind a limiter, and records when requests arrive and responses leave. */
export class LimitedService {
  /** In order of arrival: Unix milliseconds, or the time of the clock that was passed. */
  readonly arrivals: number[] = [];
  readonly answers: number[] = [];
  /** Names of the requests, in order of arrival. */
  readonly names: string[] = [];

  constructor(
    private readonly limiter: KeyLimiter,
    private readonly now = (): number => Date.now(),
  ) {}

  /** Sends a request with these latencies (in ms) to the service and back. */
  async send(name: string, turn: Partial<QueuedSend> = {}, there = 0, back = 0): Promise<void> {
    await this.run(name, turn, there, async () => {
      await pass(back);
    });
  }

  /** Sends `count` requests at the same time. */
  async sendAll(count: number, turn: Partial<QueuedSend> = {}, latency = 0): Promise<void> {
    const requests = times(count, async (index) => {
      await this.send(`${index}`, turn, latency);
    });
    await Promise.all(requests);
  }

  /** Sends a request whose response waits until `answer` is called. */
  hold(name: string, turn: Partial<QueuedSend> = {}): { answer: () => void; done: Promise<void> } {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    return { answer, done: this.run(name, turn, 0, async () => await answered) };
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
      this.arrivals.push(this.now());
      await answered();
      this.answers.push(this.now());
    };
    await this.limiter.run(send, { run: 'one', isRetry: false, ...turn });
  }
}

async function pass(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
