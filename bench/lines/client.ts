import { startSandbox, type Sandbox } from '../../sandbox';
import { lookups, send } from '../lib/send';
import type { Order, Sent } from '../lib/sender-process';
import { median, type Line } from '../table';

/** What a process that sends by itself is compared with. */
const AXIOS = 'axios with keep-alive';

const ROUNDS = 3;
const UNLIMITED = 1_000_000_000;

type Measured = Sent & { readonly connections: number };

/** Both senders in turn, each against a service that was put back to its start. */
async function compare(
  sandbox: Sandbox,
  rounds: number,
  order: Omit<Order, 'sender' | 'baseUrl' | 'apiKey' | 'calls' | 'requestsPerMinute'>,
  latencyMs = 0,
): Promise<Record<'client' | 'axios', Measured[]>> {
  const measured = { client: [] as Measured[], axios: [] as Measured[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const sender of ['client', 'axios'] as const) {
      sandbox.reset();
      sandbox.setLatency(latencyMs);
      const sent = await send({
        ...order,
        sender,
        baseUrl: sandbox.baseUrl,
        apiKey: sandbox.keys.user,
        requestsPerMinute: latencyMs > 0 ? 600 : UNLIMITED,
        calls: lookups(sandbox),
      });
      measured[sender].push({ ...sent, connections: sandbox.report().connections });
    }
  }
  return measured;
}

async function withSandbox<T>(limited: boolean, use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const rates = { requestsPerMinute: UNLIMITED, requestsPerDay: UNLIMITED };
  const sandbox = await startSandbox(limited ? {} : { keyLimits: rates });
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

/** CPU time of the sending process for each request. */
export const cpu: Line = {
  name: 'cpu',
  title: 'CPU time of a request',
  measure: async () => {
    const rounds = await withSandbox(
      false,
      async (sandbox) =>
        await compare(sandbox, ROUNDS, { atOnce: 20, warmUp: 1000, until: { requests: 3000 } }),
    );
    const each = ({ cpuMs, requests }: Measured): number => cpuMs / requests;
    const ours = each(median(rounds.client, each));
    const bare = each(median(rounds.axios, each));
    return [
      {
        what: 'CPU time for each request',
        ours: `${ours.toFixed(2)} ms`,
        against: `${AXIOS}: ${bare.toFixed(2)} ms`,
        ratio: ours / bare,
        target: '≤ 1.5',
        met: ours <= 1.5 * bare,
        reason:
          'Each request is a job of Bottleneck, the queue of the limiter, which waits for three timers in a row for each job: about 3 ms, and more than half of the CPU time. Without the limiter a request takes less than axios alone.',
      },
    ];
  },
};

/** The first requests of a key that nobody has used for a while. */
export const first: Line = {
  name: 'first',
  title: 'First requests of an idle key',
  measure: async () => {
    const rounds = await withSandbox(
      true,
      async (sandbox) => await compare(sandbox, 3, { atOnce: 100, until: { requests: 100 } }, 50),
    );
    const ours = median(rounds.client, time).milliseconds;
    const bare = median(rounds.axios, time).milliseconds;
    return [
      {
        what: 'First 100 requests of an idle key, 50 ms latency',
        ours: `${(ours / 1000).toFixed(2)} s`,
        against: `${AXIOS}, all at once: ${(bare / 1000).toFixed(2)} s`,
        ratio: ours / bare,
        target: '≤ 2 s',
        met: ours <= 2000,
      },
    ];
  },
};

const time = ({ milliseconds }: Measured): number => milliseconds;
