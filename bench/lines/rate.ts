import { startSandbox } from '../../sandbox';
import { lookups, send } from '../lib/send';
import { LIMIT, MINUTE_MS, rateRow } from '../lib/window';
import type { Line, Row } from '../table';

const MINUTES = 3;
const LATENCY_MS = 50;
const TARGET = 0.99;

/**
 * One process that sends as many requests as its limit allows for three minutes, against both kinds
 * of rate windows.
 */
export const rate: Line = {
  name: 'rate',
  title: 'Rate against the limit, three minutes',
  rows: [whatOf('fixed'), whatOf('sliding')],
  waits: true,
  once: 'Measured once: the window of the limit is a minute, and it takes three of them.',
  measure: async () => await Promise.all([measure('fixed'), measure('sliding')]),
};

function whatOf(window: string): string {
  return `Requests in 3 minutes, ${window} window`;
}

async function measure(window: 'fixed' | 'sliding'): Promise<Row> {
  const sandbox = await startSandbox({ window, latencyMs: LATENCY_MS });
  try {
    await send({
      sender: 'client',
      baseUrl: sandbox.baseUrl,
      apiKey: sandbox.keys.user,
      requestsPerMinute: LIMIT,
      calls: lookups(sandbox),
      atOnce: 90,
      until: { milliseconds: MINUTES * MINUTE_MS },
    });
    const report = sandbox.report();
    const from = report.recent[0]?.at ?? 0;
    return rateRow(whatOf(window), report, { from, minutes: MINUTES, target: TARGET });
  } finally {
    await sandbox.close();
  }
}
