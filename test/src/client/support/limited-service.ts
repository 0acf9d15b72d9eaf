import {
  KeyLimiter,
  type KeyLimits,
  type QueuedSend,
} from '../../../../src/client/limiter/key-limiter';
import type { Timing } from '../../../../src/client/settings';
import { QUICK } from './timing';

/** A limiter whose limits a test does not meet, where it does not change them. */
export function limited(
  pace: Partial<KeyLimits>,
  timing: Partial<Timing> = {},
  now?: () => number,
) {
  const full = { requestsPerMinute: 1_000, requestsPerDay: 100_000, ...pace };
  const limiter = new KeyLimiter(full, { ...QUICK, ...timing });
  return { limiter, service: new LimitedService(limiter, now), pace: full };
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_unused, index) => make(index));

/** Stands for the service behind a limiter: notes when requests arrive and when answers leave. */
export class LimitedService {
  /** Unix milliseconds, or those of its clock, in order of arrival. */
  readonly arrivals: number[] = [];
  readonly answers: number[] = [];
  /** Names of the requests, in order of arrival. */
  readonly names: string[] = [];

  constructor(
    private readonly limiter: KeyLimiter,
    private readonly now = (): number => Date.now(),
  ) {}

  /** Sends a request whose way there and back takes as long as the two latencies say. */
  async send(name: string, turn: Partial<QueuedSend> = {}, there = 0, back = 0): Promise<void> {
    await this.run(name, turn, there, async () => {
      await pass(back);
    });
  }

  /** Sends so many at once. */
  async sendAll(count: number, turn: Partial<QueuedSend> = {}, latency = 0): Promise<void> {
    await Promise.all(
      times(count, async (index) => {
        await this.send(`${index}`, turn, latency);
      }),
    );
  }

  /** Sends a request that is answered only when the returned function is called. */
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
    await this.limiter.run(
      async () => {
        await pass(there);
        this.names.push(name);
        this.arrivals.push(this.now());
        await answered();
        this.answers.push(this.now());
      },
      { run: 'one', isRetry: false, ...turn },
    );
  }
}

async function pass(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
