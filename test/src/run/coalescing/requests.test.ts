/**
 * Tests which requests several runs share, in order, and what each run gets. Each row of the tables
 * is one service and the simultaneous lookups of some runs.
 */
import {
  answerFor,
  createFaultyReply,
  domainsOf,
  formatRequests,
  ones,
  tally,
  type BatchFaults,
  type serverError,
} from '../support/batch-service';
import { SharedService, turns } from './support';

interface Given extends BatchFaults {
  /** Number of domains of each run. */
  readonly runs: readonly number[];
  /** Maximum number of domains per request. */
  readonly capacity?: number;
  /** Indexes of domains that the response omits if several runs share the request. */
  readonly omitted?: readonly number[];
  /** Indexes of runs that stop when the first request has arrived. */
  readonly stopped?: readonly number[];
}

/**
 * Returns the requests, with `b` for a short timeout, and what the runs got. Also returns the
 * learned sizes, and whether a failed run is warned that an earlier request may have been charged.
 * Each request counts fully for each of its runs.
 */
async function share(given: Given): Promise<string> {
  const { runs, capacity = 100, omitted = [], stopped = [] } = given;
  const all = domainsOf(runs.reduce((sum, size) => sum + size, 0));
  const reply = createFaultyReply(all, given);
  const stop = new AbortController();
  const sent: string[] = [];
  const learned: number[] = [];
  let counted = 0;
  const answer = (batch: readonly string[]) => {
    const { rows } = reply(batch);
    const isOmitted = (domain: string) => batch.length > 1 && omitted.includes(all.indexOf(domain));
    return answerFor([...rows.keys()].filter((domain) => !isOmitted(domain)));
  };
  const service = new SharedService(answer);
  let at = 0;
  const outcomes = await Promise.all(
    runs.map(async (size, index) => {
      const domains = all.slice(at, (at += size));
      try {
        const { rows, rejected: refused } = await service.lookUp(domains, {
          signal: stopped.includes(index) ? stop.signal : undefined,
          capacity: () => capacity,
          sent: (part) => (counted += part),
          learn: (most) => learned.push(most),
          send: async (batch, { beforeSend, sent: count, isBrief }) => {
            await turns(1);
            beforeSend();
            count(1);
            const request = [...batch];
            sent.push(`${request.length}${isBrief() ? 'b' : ''}`);
            await turns(3);
            stop.abort();
            return answer(request);
          },
        });
        expect([...rows.keys(), ...refused].every((domain) => domains.includes(domain))).toBe(true);
        return { kind: 'answered' };
      } catch (error) {
        const { code, earlierAttemptUnconfirmed } = error as ReturnType<typeof serverError>;
        return { kind: earlierAttemptUnconfirmed ? `${code}(unconfirmed)` : code };
      }
    }),
  );
  // The learned size is stored after the runs have their rows.
  await turns(5);
  expect(counted).toBeCloseTo(sent.length);
  const ends = tally(new Map(outcomes.map((one, index) => [String(index), one])));
  const sizes = learned.length === 0 ? '' : `, learned ${learned.join(' ')}`;
  return `${formatRequests(sent, ends)}${sizes}`;
}

const CASES: Record<string, ReadonlyArray<[given: Given, outcome: string]>> = {
  'Lookups that share a request': [
    [{ runs: [1] }, '1 → answered 1'],
    [{ runs: [1, 1, 1] }, '3b → answered 3'],
    [{ runs: [40, 50, 20] }, '90b 20 → answered 3'],
    [{ runs: [3, 3, 3], capacity: 6 }, '6b 3 → answered 3'],
    [{ runs: ones(12), capacity: 5 }, '2×5b 2b → answered 12'],
    // If the response omits a run's domains, that run sends its own request.
    [{ runs: ones(4), omitted: [1, 2] }, '4b 2×1 → answered 4'],
  ],
  'A service with a smaller maximum batch': [
    [{ runs: [40, 40], largest: 50 }, '80b 2×40 → answered 2, learned 40'],
    [{ runs: ones(8), largest: 4 }, '8b 2×4b → answered 8, learned 4'],
    [
      { runs: ones(8), largest: 1 },
      '8b 4b 2b 2×1 2b 2×1 4b 2×2b 4×1 → answered 8, learned 1 1 1 1',
    ],
    [{ runs: [60], largest: 50 }, '60 → batch_too_large 1'],
    [{ runs: [60, 1], largest: 50 }, '61b 60 1 → answered 1 batch_too_large 1'],
    [
      { runs: ones(100), largest: 0, refusal: '422' },
      '100b 50b 25b 12b 6b 3b 3×1 3b 3×1 6b 3b 3×1 3b 1 → http_422 100',
    ],
    [
      { runs: ones(20), largest: 0 },
      '20b 10b 5b 2b 2×1 2b 3×1 5b 2b 2×1 2b 3×1 → batch_too_large 20',
    ],
  ],
  'A domain that the service rejects': [
    [{ runs: [1], rejected: [0] }, '1 → http_422 1'],
    [{ runs: [4], rejected: [2] }, '4 → http_422 1'],
    [{ runs: ones(8), rejected: [3] }, '8b 4b 2×2b 2×1 4b → answered 7 http_422 1'],
    [{ runs: [3, 1, 4], rejected: [5] }, '8b 3 1 4 → answered 2 http_422 1'],
    [{ runs: [1, 1], rejected: [0, 1] }, '2b 2×1 → http_422 2'],
    // The run with the rejected domain stops in the meantime.
    [{ runs: ones(2), rejected: [0], stopped: [0] }, '2b 1 → answered 1 cancelled 1'],
    [{ runs: ones(8), rejected: [3], stopped: [3] }, '8b 2×3b 1 → answered 7 cancelled 1'],
  ],
  'A domain on which the service fails': [
    [{ runs: [1], broken: [0] }, '1 → http_500 1'],
    [{ runs: ones(2), broken: [0] }, '2b 2×1 → answered 1 http_500(unconfirmed) 1'],
    [{ runs: ones(8), broken: [3] }, '8b 2×3b 2b 3×1 → answered 7 http_500(unconfirmed) 1'],
    [{ runs: ones(30), broken: [3] }, '30b 6×5b 5×1 → answered 29 http_500(unconfirmed) 1'],
    [{ runs: [3, 1, 4], broken: [5] }, '8b 3 1 4 → answered 2 http_500(unconfirmed) 1'],
    [{ runs: ones(2), broken: [0], stopped: [0] }, '2b 1 → answered 1 cancelled 1'],
    [{ runs: ones(2), broken: [0], stopped: [1] }, '2b 1 → cancelled 1 http_500(unconfirmed) 1'],
  ],
  'A service that fails for some requests': [
    [{ runs: [1], outage: 1 }, '1 → http_500 1'],
    [{ runs: ones(8), outage: 1 }, '8b 2×3b 2b → answered 8, learned 3'],
    [{ runs: ones(2), outage: 3 }, '2b 2×1 → http_500(unconfirmed) 2'],
    [{ runs: ones(8), outage: 4 }, '8b 2×3b 2b 8 → answered 8'],
    [{ runs: ones(8), outage: 30 }, '8b 2×3b 2b 8 → http_500(unconfirmed) 8'],
    [{ runs: ones(2), outage: 30 }, '2b 2×1 → http_500(unconfirmed) 2'],
  ],
  'Credits that run out': [
    [{ runs: ones(8), balance: 0 }, '8b → credit_exhausted 8'],
    [{ runs: ones(8), balance: 3 }, '8b 3b → answered 3 credit_exhausted 5'],
    [{ runs: [4, 4, 2], balance: 6 }, '10b 6b → answered 2 credit_exhausted 1'],
    [{ runs: [4, 4, 4], balance: 3 }, '12b → credit_exhausted 3'],
    [{ runs: [8], balance: 3 }, '8 → credit_exhausted 1'],
    // Without the stopped run, the credits cover the others.
    [{ runs: ones(3), balance: 2, stopped: [2] }, '3b 2b → answered 2 cancelled 1'],
  ],
};

describe.each(Object.entries(CASES))('%s', (_what, cases) => {
  it.each(cases)('sends the expected requests for %j', async (given, outcome) => {
    expect(await share(given)).toBe(outcome);
  });
});
