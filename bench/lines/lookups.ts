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

const LOOKUPS = 200;
const LATENCY_MS = 200;
const ROUNDS = 3;
const TARGET = 1 / 3;

interface Round {
  readonly milliseconds: number;
  readonly connections: number;
}

/** Single lookups with n8n's HTTP Request node at its defaults, and with Company Lookup. */
export const lookups: Line = {
  name: 'lookups',
  title: '200 single lookups in n8n',
  measure: async () =>
    await withHost({ sandboxArgs: ['--rate-limits', String(UNLIMITED)] }, async (host) => {
      const rounds = await measure(host, {
        own: own('companyLookup', { identifier: '={{ $json.domain }}' }),
        http: httpRequest(host.sandboxUrl),
      });
      const ours = median(rounds.own, time).milliseconds;
      const http = median(rounds.http, time).milliseconds;
      const ratio = ours / http;
      return [
        {
          what: '200 single lookups, 200 ms latency',
          ours: shown(ours, rounds.own),
          against: `n8n's HTTP Request: ${shown(http, rounds.http)}`,
          ratio,
          target: '≤ 0.33',
          met: ratio <= TARGET,
          reason:
            'HTTP Request sends all 200 at once over 200 connections, so its time is little more than one answer takes and a third of it cannot be reached. One run of ours keeps to 90 requests at a time.',
        },
      ];
    }),
};

const time = ({ milliseconds }: Round): number => milliseconds;

/** Later rounds may find connections of earlier ones still open. */
function shown(milliseconds: number, rounds: readonly Round[]): string {
  const connections = Math.max(...rounds.map((round) => round.connections));
  return `${(milliseconds / 1000).toFixed(2)} s, ${String(connections)} connections`;
}

async function measure<Name extends string>(
  host: RealHost,
  nodes: Readonly<Record<Name, MeasuredNode>>,
): Promise<Record<Name, Round[]>> {
  const domains = await new Service(host).domains(LOOKUPS);
  const credential = await saveCredential(host);
  const rounds = {} as Record<Name, Round[]>;
  for (const name of Object.keys(nodes) as Name[]) {
    const id = await saveWorkflow(host, nodes[name], credential, domains);
    rounds[name] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await resetService(host, LATENCY_MS);
      const { milliseconds, rows } = await run(host, id);
      if (rows !== LOOKUPS) throw new Error(`${name} gave ${String(rows)} rows.`);
      const { connections } = await reportOf(host);
      rounds[name].push({ milliseconds, connections });
    }
  }
  return rounds;
}
