import { startSandbox, type Sandbox } from '../../sandbox';
import { UNLIMITED } from '../lib/n8n';
import { lookups, send } from '../lib/send';
import type { Order, Sent } from '../lib/sender-process';
import { LIMIT } from '../lib/window';
import type { Line } from '../table';

/** Name of the baseline for a process that only sends requests. */
const AXIOS = 'axios with keep-alive';

type Sending = Pick<Order, 'atOnce' | 'warmUp' | 'until'>;

async function withSandbox<T>(limited: boolean, use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const rates = { requestsPerMinute: UNLIMITED, requestsPerDay: UNLIMITED };
  const sandbox = await startSandbox(limited ? {} : { keyLimits: rates });
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

/** Measures both senders, each against a freshly reset service. */
async function compare(sandbox: Sandbox, sending: Sending, latencyMs = 0): Promise<[Sent, Sent]> {
  const sentBy = async (sender: Order['sender']) => {
    sandbox.reset();
    sandbox.setLatency(latencyMs);
    return await send({
      ...sending,
      sender,
      baseUrl: sandbox.baseUrl,
      apiKey: sandbox.keys.user,
      requestsPerMinute: latencyMs > 0 ? LIMIT : UNLIMITED,
      calls: lookups(sandbox),
    });
  };
  return [await sentBy('client'), await sentBy('axios')];
}

const MOST_CPU = 1.15;

/** CPU time of the sending process per request. */
export const cpu: Line = {
  name: 'cpu',
  title: 'CPU time of a request',
  measure: async ({ repeat }) =>
    await withSandbox(false, async (sandbox) => {
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
            reason:
              'Bottleneck and what is ours, the limiter, deadlines and the reading of answers, are a sixth of it. The rest is Node.js and axios.',
          },
        ];
      });
    }),
};

/** The first requests of a key that was unused for a while. */
export const first: Line = {
  name: 'first',
  title: 'First requests of an idle key',
  measure: async ({ repeat }) =>
    await withSandbox(
      true,
      async (sandbox) =>
        await repeat(async () => {
          const sending = { atOnce: 100, until: { requests: 100 } };
          const [ours, bare] = await compare(sandbox, sending, 50);
          return [
            {
              what: 'First 100 requests of an idle key, 50 ms latency',
              ours: `${(ours.milliseconds / 1000).toFixed(2)} s`,
              against: `${AXIOS}, all at once: ${(bare.milliseconds / 1000).toFixed(2)} s`,
              ratio: ours.milliseconds / bare.milliseconds,
              target: '≤ 2 s',
              met: ours.milliseconds <= 2000,
            },
          ];
        }),
    ),
};
