import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Report } from '../sandbox';
import { createRandom } from '../sandbox/data/random';
import { getWorld } from '../sandbox/data/world';
import { startRealHost, type RealHost } from '../test/host/harness';
import { savedUserCredential } from '../test/host/production-workflow';
import { Service } from '../test/host/service';
import { Accidents } from './accidents';
import {
  chargesLine,
  effectsLine,
  executionsLine,
  fatesOf,
  isBelieved,
  jobsLine,
  requestsLine,
  type Line,
  type RowFate,
  type Started,
} from './balance';
import { Executions } from './executions';
import { Faults } from './faults';
import { isFlat, sampleOf, type Sample } from './memory';
import { printReport } from './report';
import { settle } from './settle';
import { keepStarting, Traffic } from './traffic';
import { MARK_PREFIX, TECHNOLOGY_USERS, WORKLOADS } from './workloads';
import { deactivate, saveScheduledWorkflow, saveWebhookWorkflow } from './workflows';

export interface SoakOrder {
  readonly minutes: number;
  readonly seed: number;
  /** Folder for the files of this soak. */
  readonly folder: string;
  /** Folder in which n8n's processes write their heap statistics. */
  readonly reports: string;
}

/** This worker restarts often, so the report shows its memory but does not check it. */
const MORTAL = 'worker that is killed';

/**
 * More companies than the soak requests. Repeated companies are free, so their charges would prove
 * nothing.
 */
const COMPANIES = 100_000;
/** Number of technologies whose users the soak requests. */
const TECHNOLOGIES = 10;
/** Ten times the real limits of a key, so that half an hour has room for the requests of five hours. */
const PACE = { requestsPerMinute: 6_000, requestsPerDay: 1_000_000 };
const MINUTE_MS = 60_000;
/** Interval of the memory measurements. The first one comes after everything has been used once. */
const SAMPLE_MINUTES = 5;
/** Shorter soaks show memory but do not check it. */
const JUDGED_FROM_MINUTES = 10;
/**
 * Maximum wait for open executions. n8n needs over a minute to notice a dead worker, and waits for
 * jobs take longer.
 */
const LONGEST_DRAIN_MS = 5 * MINUTE_MS;

/** Runs the soak and prints the table. Returns whether everything balances. */
export async function soak(order: SoakOrder): Promise<boolean> {
  const { startRedis } = await import('../scripts/lib/redis.mjs');
  const { measurable } = await import('../scripts/lib/n8n-process.mjs');
  const logPath = join(order.folder, 'redis.log');
  // Use a different Redis from that of n8n's queue, because n8n does not survive the loss of its
  // queue.
  let redis = await startRedis({ logPath });
  const { port, url } = redis;
  const limiterRedis = {
    port,
    kill: async () => await redis.kill(),
    restart: async () => {
      redis = await startRedis({ logPath, port });
    },
  };
  const host = await startRealHost({
    workers: 2,
    sandboxArgs: [
      ...['--companies', String(COMPANIES), '--seed', '1', '--latency', '20'],
      ...['--report-size', '1000000'],
    ],
    env: {
      ...measurable,
      HEAP_REPORTS: order.reports,
      EXECUTIONS_DATA_PRUNE: 'false',
    },
  });
  try {
    return await soakHost(host, limiterRedis, url, order);
  } finally {
    await host.stop();
    await redis.stop();
  }
}

type LimiterRedis = ConstructorParameters<typeof Accidents>[1];

async function soakHost(
  host: RealHost,
  redis: LimiterRedis,
  redisUrl: string,
  order: SoakOrder,
): Promise<boolean> {
  const { seed, minutes } = order;
  const supply = supplyOf(getWorld(COMPANIES, 1));
  const { companies } = supply;
  const service = new Service(host);
  await service.jobsTakeSeconds(10);
  for (const key of ['user', 'colleague']) await service.control('PATCH', `keys/${key}`, PACE);
  await saveCredential(host, redisUrl);
  for (const workload of WORKLOADS) await saveWebhookWorkflow(host, workload);
  const scheduledDomain = companies[0]!.primaryDomain;
  const scheduledId = await saveScheduledWorkflow(host, scheduledDomain);

  const executions = new Executions(host);
  executions.follow();
  const traffic = new Traffic(host, executions, supply, createRandom(seed));
  const [mortal, immortal] = host.workers;
  const accidents = new Accidents(
    host,
    redis,
    createRandom(seed + 1),
    mortal!,
    Math.min(1, minutes / 10),
  );
  const faults = new Faults(host.sandboxUrl, createRandom(seed + 2));
  const memory = new Map<string, Sample[]>();
  const sample = async (minute: number): Promise<void> => {
    await traffic.pause();
    for (const [name, workerUrl] of [
      ['main', undefined],
      ['worker that lives', immortal!.url],
      [MORTAL, accidents.worker.url],
    ] as const) {
      const one = await sampleOf(host.userFolder, order.reports, minute, workerUrl);
      // The worker can be dead at the moment.
      if (one === undefined) continue;
      memory.set(name, [...(memory.get(name) ?? []), one]);
      const figures = `heap ${one.heapMb.toFixed(0)} MB, resident ${one.rssMb.toFixed(0)} MB`;
      console.log(`  minute ${minute.toFixed(1)}: ${name} ${figures}, ${traffic.summary()}`);
    }
    traffic.resume();
  };

  console.log(`Seed ${String(seed)}, ${String(minutes)} minutes`);
  const begun = Date.now();
  const end = new AbortController();
  const happening = Promise.all([
    keepStarting(traffic, end.signal),
    faults.keepHappening(end.signal),
    accidents.keepHappening(end.signal),
  ]);
  for (let minute = SAMPLE_MINUTES; minute < minutes; minute += SAMPLE_MINUTES) {
    await sleep(begun + minute * MINUTE_MS - Date.now());
    await sample(minute);
  }
  await sleep(begun + minutes * MINUTE_MS - Date.now());
  end.abort();
  await happening;

  await deactivate(host, scheduledId);
  await drained(executions);
  await sample(minutes);
  await executions.stop();

  const followed = [...executions.all.values()];
  const ran = new Set(followed.map(({ run }) => run));
  // Count runs as accepted if n8n started them although its response was lost.
  const started = traffic.started.map((one) => ({
    ...one,
    accepted: one.accepted || ran.has(one.run),
  }));
  const { fates, line: rowsLine } = fatesOf(started, followed);
  const before = await asked<Report & { violations: string[] }>(host, 'report');
  const userRequests = before.recent.filter(({ key }) => key === 'user');
  const charges = await chargesOf(host, started, fates, before.charged, scheduledDomain);
  const flags = await asked<Array<{ description?: string }>>(host, 'flags');
  const lists = (await service.ask('lists')) as { lists?: Array<{ name: string }> };
  const lines: Line[] = [
    executionsLine(started, followed, scheduledId, accidents.happened),
    rowsLine,
    requestsLine(
      userRequests,
      before.byKey['user']?.requests ?? 0,
      accidents.happened,
      before.violations,
    ),
    charges,
    effectsLine('Flags', 'flag', fates, countsOf(flags.map((one) => one.description ?? ''))),
    effectsLine('Lists', 'list', fates, countsOf(own(lists.lists?.map((one) => one.name)))),
    jobsLine(started, fates, before.created.jobs),
    ...[...memory].map(([name, samples]): Line => memoryLine(name, samples, minutes)),
  ];
  printReport({ seed, lines, faults: faults.hits, accidents: accidents.happened });
  return lines.every(({ complaints }) => complaints.length === 0);
}

/** Selects the data for rows. The technologies are the least used ones that have enough users. */
function supplyOf({ companies, technologies, detections }: ReturnType<typeof getWorld>) {
  const { byTechnology, company } = detections;
  const listed = technologies
    .map(({ key }, index) => ({ key, users: byTechnology[index]! }))
    .filter(({ users }) => users.length > TECHNOLOGY_USERS)
    .sort((a, b) => a.users.length - b.users.length)
    .slice(0, TECHNOLOGIES);
  const users = new Set(listed.flatMap((one) => [...one.users].map((at) => company[at]!)));
  return {
    companies,
    technologies: listed.map(({ key }) => key),
    refreshable: companies.filter((_company, position) => !users.has(position)),
  };
}

async function saveCredential(host: RealHost, redisUrl: string): Promise<void> {
  const credential = await savedUserCredential(host);
  await host.rest.request('PATCH', `/rest/credentials/${credential?.id ?? ''}`, {
    ...credential,
    data: {
      baseUrl: host.sandboxUrl,
      apiKey: host.keys.user,
      ...PACE,
      maxBatchSize: 100,
      redisUrl,
      allowedHttpRequestDomains: 'all',
    },
  });
}

async function asked<T>({ sandboxUrl }: RealHost, path: string): Promise<T> {
  return (await (await fetch(`${sandboxUrl}/__control/${path}`)).json()) as T;
}

async function drained(executions: Executions): Promise<void> {
  const deadline = Date.now() + LONGEST_DRAIN_MS;
  // The list of executions may not contain the last ones yet.
  await sleep(5_000);
  while (executions.open.length > 0 && Date.now() < deadline) await sleep(1_000);
}

/** Checks the charges. Requests all companies once more, so that every company is certainly charged. */
async function chargesOf(
  host: RealHost,
  started: readonly Started[],
  fates: readonly RowFate[],
  before: number,
  scheduledDomain: string,
): Promise<Line> {
  const rows = started.filter(({ accepted }) => accepted).flatMap((one) => one.rows);
  const technologies = started
    .filter(({ workload, accepted }) => workload.gives === 'many' && accepted)
    .flatMap((one) => one.rows.map(({ text }) => text));
  const domains = new Set([scheduledDomain, ...rows.flatMap(({ asks }) => asks)]);
  const listed = await settle(host, domains, new Set(technologies), TECHNOLOGY_USERS);
  const expected = new Set([...domains, ...listed]);
  const reported = new Set(
    fates.flatMap(({ row, workload, fate, items }) =>
      fate !== 'result' || items.some(({ json }) => isBelieved(workload.node, json))
        ? []
        : workload.gives === 'many'
          ? items.map(({ json }) => String(json['primary_domain']))
          : row.asks,
    ),
  );
  const { charged } = await asked<Report>(host, 'report');
  const refused = new Set(
    started
      .filter(({ accepted }) => !accepted)
      .flatMap((one) => one.rows.flatMap(({ asks }) => asks)),
  );
  return chargesLine(before, charged, {
    expected: expected.size,
    refused: [...refused].filter((domain) => !expected.has(domain)).length,
    reported: reported.size,
  });
}

/** Returns only the marks of the soak, without data that the service had before. */
function own(marks: readonly string[] = []): string[] {
  return marks.filter((mark) => mark.startsWith(MARK_PREFIX));
}

function countsOf(marks: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return counts;
}

function memoryLine(name: string, samples: readonly Sample[], minutes: number): Line {
  const figure = samples
    .map(({ minute, heapMb, rssMb }) => {
      return `${minute.toFixed(0)}: ${heapMb.toFixed(0)}/${rssMb.toFixed(0)}`;
    })
    .join(', ');
  const judged = minutes >= JUDGED_FROM_MINUTES && name !== MORTAL;
  const grown = judged && !isFlat(samples);
  return {
    what: `Memory of ${name}`,
    figure: `heap/resident MB by minute ${figure}`,
    complaints: grown ? ['It grows'] : [],
  };
}
