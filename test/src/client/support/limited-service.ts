import type { KeyLimiter, Turn } from '../../../../src/client/limiter/key-limiter';

/** Stands for the service behind a limiter: notes when requests arrive and when answers leave. */
export class LimitedService {
  /** Unix milliseconds, in order of arrival. */
  readonly arrivals: number[] = [];
  readonly answers: number[] = [];
  /** Names of the requests, in order of arrival. */
  readonly names: string[] = [];

  constructor(private readonly limiter: KeyLimiter) {}

  /** Sends a request whose way there and back takes as long as the two latencies say. */
  async send(name: string, turn: Partial<Turn> = {}, there = 0, back = 0): Promise<void> {
    await this.limiter.run(
      async () => {
        await pass(there);
        this.names.push(name);
        this.arrivals.push(Date.now());
        await pass(back);
        this.answers.push(Date.now());
      },
      { run: 'one', again: false, ...turn },
    );
  }

  /** Sends a request that is answered only when the returned function is called. */
  hold(name: string, turn: Partial<Turn> = {}): { answer: () => void; done: Promise<void> } {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const done = this.limiter.run(
      async () => {
        this.names.push(name);
        this.arrivals.push(Date.now());
        await answered;
        this.answers.push(Date.now());
      },
      { run: 'one', again: false, ...turn },
    );
    return { answer, done };
  }
}

async function pass(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
