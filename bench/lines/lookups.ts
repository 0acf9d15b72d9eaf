import { RUN_CONCURRENT } from '../../src/client/limiter/key-limiter';
import type { RealHost } from '../../test/host/harness';
import { Service } from '../../test/host/service';
import {
  httpRequest,
  own,
  reportOf,
  resetService,
  run,
  saveCredential,
  saveWorkflow,
  UNLIMITED,
  withHost,
  type MeasuredNode,
} from '../lib/n8n';
import { median, type Line } from '../table';

const LOOKUPS = 1_000;
const LATENCY_MS = 200;
const ROUNDS = 3;
const TARGET_TIME = 1;
const TARGET_CPU = 0.5;

interface Round {
  readonly milliseconds: number;
  readonly connections: number;
  /** Of all of n8n. */
  readonly cpuMs: number;
}

/**
 * Single lookups with n8n's HTTP Request node and with Company Lookup: the time where both have as many
 * connections, and the CPU time where HTTP Request is at its defaults and sends all at once.
 */
export const lookups: Line = {
  name: 'lookups',
  title: '1,000 single lookups in n8n',
  measure: async () =>
    await withHost({ sandboxArgs: ['--rate-limits', String(UNLIMITED)] }, async (host) => {
      // A batch is sent when the one before it should have been answered.
      const batching = { batch: { batchSize: RUN_CONCURRENT, batchInterval: LATENCY_MS } };
      const rounds = await measure(host, {
        own: own('companyLookup', { identifier: '={{ $json.domain }}' }),
        batched: httpRequest(host.sandboxUrl, { batching }),
        http: httpRequest(host.sandboxUrl),
      });
      const ours = median(rounds.own, time);
      const batched = median(rounds.batched, time);
      const cpu = median(rounds.own, cpuTime).cpuMs;
      const cpuOfHttp = median(rounds.http, cpuTime).cpuMs;
      return [
        {
          what: `1,000 single lookups, 200 ms latency, ${String(RUN_CONCURRENT)} at a time`,
          ours: shown(ours, rounds.own),
          against: `n8n's HTTP Request with batching: ${shown(batched, rounds.batched)}`,
          ratio: ours.milliseconds / batched.milliseconds,
          target: '≤ 1',
          met: ours.milliseconds <= TARGET_TIME * batched.milliseconds,
        },
        {
          what: '1,000 single lookups: CPU time of all of n8n',
          ours: `${(cpu / 1000).toFixed(2)} s`,
          against: `n8n's HTTP Request: ${(cpuOfHttp / 1000).toFixed(2)} s`,
          ratio: cpu / cpuOfHttp,
          target: '≤ 0.5',
          met: cpu <= TARGET_CPU * cpuOfHttp,
          reason:
            'It counts what n8n itself does for each row of either node: reading the file, passing items on, storing the execution.',
        },
      ];
    }),
};

const time = ({ milliseconds }: Round): number => milliseconds;
const cpuTime = ({ cpuMs }: Round): number => cpuMs;

/** Later rounds may find connections of earlier ones still open. */
function shown({ milliseconds }: Round, rounds: readonly Round[]): string {
  const connections = Math.max(...rounds.map((round) => round.connections));
  return `${(milliseconds / 1000).toFixed(2)} s, ${String(connections)} connections`;
}

/** The nodes in turn, after one round of each that loads and compiles what it needs. */
async function measure<Name extends string>(
  host: RealHost,
  nodes: Readonly<Record<Name, MeasuredNode>>,
): Promise<Record<Name, Round[]>> {
  const { memoryOf } = await import('../../scripts/lib/n8n-process.mjs');
  const { cpuMs } = memoryOf(host.userFolder);
  const domains = await new Service(host).domains(LOOKUPS);
  const credential = await saveCredential(host);
  const names = Object.keys(nodes) as Name[];
  const workflows = {} as Record<Name, string>;
  const rounds = {} as Record<Name, Round[]>;
  for (const name of names) {
    workflows[name] = await saveWorkflow(host, nodes[name], credential, domains);
    rounds[name] = [];
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of names) {
      await resetService(host, LATENCY_MS);
      const before = cpuMs();
      const { milliseconds, rows } = await run(host, workflows[name]);
      if (rows !== LOOKUPS) throw new Error(`${name} gave ${String(rows)} rows.`);
      const { connections } = await reportOf(host);
      if (round > 0) rounds[name].push({ milliseconds, connections, cpuMs: cpuMs() - before });
    }
  }
  return rounds;
}
