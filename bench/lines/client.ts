import { startSandbox, type Sandbox } from '../../sandbox';
import { UNLIMITED } from '../lib/n8n';
import { lookups, send } from '../lib/send';
import type { Order, Sent } from '../lib/sender-process';
import type { Line } from '../table';

/** Name of the baseline for a process that only sends requests. */
const AXIOS = 'axios with keep-alive';

type Sending = Pick<Order, 'atOnce' | 'warmUp' | 'until'>;

async function withSandbox<T>(use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const rates = { requestsPerMinute: UNLIMITED, requestsPerDay: UNLIMITED };
  const sandbox = await startSandbox({ keyLimits: rates });
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

/** Measures both senders, each against a freshly reset service. */
async function compare(sandbox: Sandbox, sending: Sending): Promise<[Sent, Sent]> {
  const sentBy = async (sender: Order['sender']) => {
    sandbox.reset();
    return await send({
      ...sending,
      sender,
      baseUrl: sandbox.baseUrl,
      apiKey: sandbox.keys.user,
      requestsPerMinute: UNLIMITED,
      calls: lookups(sandbox),
    });
  };
  return [await sentBy('client'), await sentBy('axios')];
}

/** At ten requests a second, nobody can feel three times the CPU time of axios. */
const MOST_CPU = 3;

/** CPU time of the sending process per request. */
export const cpu: Line = {
  name: 'cpu',
  title: 'CPU time of a request',
  measure: async ({ repeat }) =>
    await withSandbox(async (sandbox) => {
      // Use many requests, so that V8's compilation time is negligible.
      const sending = { atOnce: 20, warmUp: 1000, until: { requests: 20_000 } };
      return await repeat(async () => {
        const [ours, bare] = (await compare(sandbox, sending)).map(
          ({ cpuMs, requests }) => cpuMs / requests,
        ) as [number, number];
        return [
          {
            what: 'CPU time for each request',
            ours: `${ours.toFixed(2)} ms`,
            against: `${AXIOS}: ${bare.toFixed(2)} ms`,
            ratio: ours / bare,
            target: `≤ ${String(MOST_CPU)}`,
            met: ours <= MOST_CPU * bare,
          },
        ];
      });
    }),
};
