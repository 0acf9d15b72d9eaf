import type { BatchResponse } from '../../../../src/run/responses/batch-response';
import { lookUpCoalesced } from '../../../../src/run/coalescing/coalesce';
import type { CoalescedLookup } from '../../../../src/run/coalescing/coalesced-request';

/** Returns the response to some domains. */
export type Reply = (domains: readonly string[]) => BatchResponse | Error;

/** Waits for turns of the event loop, so that tests need no real time. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

/**
 * Simulates a service for coalesced lookups: records the requests, and responds some turns later.
 */
export class SharedService {
  readonly requests: Array<readonly string[]> = [];

  constructor(
    private readonly reply: Reply,
    private readonly turnsOf: (request: number) => number = () => 3,
  ) {}

  /** Returns the outcome of each domain, which a run of its own looks up. */
  async lookUpEach(domains: readonly string[], change: Partial<CoalescedLookup> = {}) {
    return await Promise.all(
      domains.map(async (domain) => await outcomeOf(this.lookUp([domain], change))),
    );
  }

  /** Looks up some domains for one of several runs. */
  async lookUp(
    domains: readonly string[],
    change: Partial<CoalescedLookup> = {},
  ): Promise<BatchResponse> {
    return await lookUpCoalesced('test', {
      domains,
      signal: undefined,
      capacity: () => 100,
      assertMaySend: () => undefined,
      sent: () => undefined,
      warn: () => undefined,
      learn: () => undefined,
      send: async (all, { signal, beforeSend, sent }) => {
        // The limiter takes at least this long.
        await turns(1);
        beforeSend();
        const request = [...all];
        this.requests.push(request);
        await turns(this.turnsOf(this.requests.length));
        sent(1);
        signal.throwIfAborted();
        const outcome = this.reply(request);
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      ...change,
    });
  }
}

/** Returns the outcome of a lookup in a form that tests can compare. */
export async function outcomeOf(answer: Promise<BatchResponse>) {
  try {
    const { rows, rejected } = await answer;
    return { rows: Object.fromEntries(rows), rejected: [...rejected] };
  } catch (error) {
    return { error: (error as { code?: string }).code ?? String(error) };
  }
}
