/**
 * Mixed traffic on a real n8n in queue mode, while the service fails at random, a worker is killed
 * with SIGKILL and the Redis that shares the key's limit loses its data. Afterwards rows, side
 * effects, requests and charges must balance exactly. Runs at night and before a release
 * (`npm run test:full`); `SOAK_MINUTES=1 npx jest test/soak` is a quick look, and `ATTACK_SEED`
 * repeats a run's choices.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { Redis } from 'ioredis';

import type { FaultPreset } from '../../sandbox';
import { createRandom, type Random } from '../../sandbox/data/random';
import { getWorld } from '../../sandbox/data/world';
import { useRealHost } from '../host/harness';
import { OVER, productionWorkflow } from '../host/production-workflow';
import { Service } from '../host/service';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 5);
const SEED = Number(process.env.ATTACK_SEED ?? 1);
const COMPANIES = 20_000;
/** Ten times the real limits of a key, so that minutes have room for the requests of an hour. */
const PACE = { requestsPerMinute: 6_000, requestsPerDay: 1_000_000 };
/** Faults that a request can meet, the frequent ones several times. */
const FAULTS: readonly FaultPreset[] = [
  ...(['resetBefore', 'resetAfter', 'html500', 'html502', 'rateLimit', 'rateLimit'] as const),
  ...(['unavailable', 'cutConnection', 'truncatedJson', 'creditExhausted'] as const),
  ...(['unauthorized', 'forbidden', 'html200', 'redirect', 'neverAnswer', 'drip'] as const),
];
/** Errors after which the service may still have processed the request. */
const OUTCOME_UNKNOWN = /unknown_outcome|outcome of this request is unknown/;

interface Row {
  readonly text: string;
  /** Identifies the row's side effect. */
  readonly mark: string;
  readonly domain: string;
  /** Domain that is charged once; undefined if the row costs nothing. */
  readonly charged?: string;
}

/** Fate of a row: its own item, an error item, or an execution that ended without items. */
interface Judged extends Row {
  readonly effect: 'flag' | 'list' | undefined;
  readonly fate: 'result' | 'error' | 'ended';
  readonly item: string;
}

interface Workload {
  readonly name: string;
  readonly node: Parameters<typeof productionWorkflow>[2];
  readonly rows: number;
  readonly effect?: 'flag' | 'list';
}

const RETRIED = { retryOnFail: true, maxTries: 3, waitBetweenTries: 500 };
const onError = 'continueErrorOutput';
const lookup = { identifier: '={{ $json.text }}' };
const create = { operation: 'create', name: '={{ $json.mark }}' };
const flag = { type: 'flagData', parameters: { ...lookup, description: '={{ $json.mark }}' } };
const enrich = (operation: string) => ({
  type: 'bulkEnrich',
  parameters: { operation, domain: '={{ $json.text }}' },
  onError,
});
const WORKLOADS: readonly Workload[] = [
  { name: 'Lookups', rows: 25, node: { type: 'companyLookup', parameters: lookup, onError } },
  { name: 'Companies', rows: 250, node: enrich('enrichCompanies') },
  { name: 'Partnerships', rows: 150, node: { ...enrich('enrichPartnerships'), ...RETRIED } },
  { name: 'Flags', rows: 1, effect: 'flag', node: { ...flag, ...RETRIED, onError } },
  { name: 'Flags or stop', rows: 1, effect: 'flag', node: { ...flag, ...RETRIED } },
  {
    ...{ name: 'Lists', rows: 1, effect: 'list' },
    node: { type: 'companyList', parameters: create, ...RETRIED, onError },
  },
];

const { companies } = getWorld(COMPANIES);
let limiter: Awaited<ReturnType<typeof startLimiterRedis>>;
const host = useRealHost(async () => {
  limiter = await startLimiterRedis();
  const world = ['--companies', String(COMPANIES)];
  return { workers: 2, sandboxArgs: [...world, '--latency', '20', '--report-size', '1000000'] };
});
afterAll(async () => {
  await limiter.stop();
});

/** A Redis other than that of n8n's queue, because n8n does not survive the loss of its queue. */
async function startLimiterRedis() {
  const { startRedis } = await import('../../scripts/lib/redis.mjs');
  const { logsDir } = await import('../../scripts/lib/paths.mjs');
  return await startRedis({ logPath: `${logsDir}/soak-redis.log` });
}

/** Returns realistic rows: mostly tracked companies, some that are not tracked, some without any. */
function rowsOf({ effect, rows, name }: Workload, random: Random, run: number): Row[] {
  const first = random.int(0, companies.length - 1);
  return Array.from({ length: random.int(1, rows) }, (_unused, n) => {
    const mark = `soak ${name} ${String(run)}/${String(n)}.`;
    // All companies of a run differ, because the item of a lookup shows no more than its company.
    const domain = companies[(first + n) % companies.length]!.primaryDomain;
    if (effect !== undefined) return { text: domain, mark, domain };
    if (random.chance(0.04)) {
      const unknown = `unknown-${String(run)}-${String(n)}.example`;
      return { text: unknown, mark, domain: unknown };
    }
    if (random.chance(0.02)) return { text: 'https://', mark, domain };
    return { text: `https://www.${domain}/about?x=1`, mark, domain, charged: domain };
  });
}

/** Runs one workload again and again until the signal aborts. Returns the fate of each row. */
async function keepRunning(workload: Workload, signal: AbortSignal): Promise<Judged[]> {
  const { name, node, effect } = workload;
  const workflow = await productionWorkflow(host, name, node);
  const random = createRandom(SEED + WORKLOADS.indexOf(workload));
  const judged: Judged[] = [];
  for (let run = 1; !signal.aborted; run += 1) {
    const rows = rowsOf(workload, random, run);
    const execution = await workflow.until(
      await workflow.start(rows.map((row) => ({ ...row }))),
      OVER,
    );
    const [good, bad] = [0, 1].map((output) =>
      execution.items(output as 0 | 1).map((item) => JSON.stringify(item)),
    ) as [string[], string[]];
    const ended = execution.status !== 'success';
    if (!ended) expect([name, run, good.length + bad.length]).toEqual([name, run, rows.length]);
    for (const row of rows) {
      // A run with side effects has one row, whose item does not repeat the mark.
      const shown = node.type === 'companyLookup' ? `"domain":"${row.domain}"` : row.mark;
      const isOwn = (item: string) =>
        effect !== undefined || [row.mark, shown].some((text) => item.includes(text));
      const own = [...good, ...bad].filter(isOwn);
      if (!ended) expect([name, row, own.length]).toEqual([name, row, 1]);
      const fate = ended ? 'ended' : bad.some(isOwn) ? 'error' : 'result';
      judged.push({ ...row, effect, fate, item: own[0] ?? '' });
    }
  }
  return judged;
}

async function keepFailing(signal: AbortSignal): Promise<number> {
  const random = createRandom(SEED + 100);
  const service = new Service(host);
  let faults = 0;
  while (!signal.aborted) {
    const when = { from: 1, to: random.chance(0.03) ? 20 : random.int(1, 2) };
    const preset = random.pick(FAULTS);
    await service.control('POST', 'faults', { preset, match: { key: 'user' }, when });
    faults += 1;
    await sleep(random.int(300, 2_500), undefined, { signal }).catch(() => undefined);
  }
  return faults;
}

async function keepBreaking(signal: AbortSignal): Promise<number> {
  const random = createRandom(SEED + 200);
  const redis = new Redis(limiter.url);
  let kills = 0;
  let mostSharing = 0;
  while (!signal.aborted) {
    await sleep(random.int(20, 60) * 1_000, undefined, { signal }).catch(() => undefined);
    const [workers = ''] = await redis.keys('company-intelligence:*:workers');
    mostSharing = Math.max(mostSharing, await redis.zcard(workers));
    await redis.flushall();
    await host.workers[0]?.kill();
    kills += 1;
    await host.replaceWorker(0);
  }
  redis.disconnect();
  // Both workers shared the key's limit.
  expect(mostSharing).toBeGreaterThanOrEqual(2);
  return kills;
}

/** Looks up all companies with another key of the organization, so that each is charged once. */
async function settle(domains: readonly string[]): Promise<void> {
  const colleague = new Service(host, 'colleague');
  for (let from = 0; from < domains.length; from += 100) {
    const batch = { domains: domains.slice(from, from + 100), include: [] };
    expect((await colleague.ask('companies', batch))['data']).toBeDefined();
  }
}

it('balances rows, side effects, requests and charges after faults, kills and lost data', async () => {
  const service = new Service(host);
  for (const key of ['user', 'colleague']) await service.control('PATCH', `keys/${key}`, PACE);
  await host.changeCredential({ ...PACE, redisUrl: limiter.url });
  const end = new AbortController();
  setTimeout(() => end.abort(), MINUTES * 60_000);
  const [faults, kills, ...judged] = await Promise.all([
    keepFailing(end.signal),
    keepBreaking(end.signal),
    ...WORKLOADS.map(async (workload) => await keepRunning(workload, end.signal)),
  ]);
  const rows = judged.flat();
  const count = (fate: Judged['fate']) => rows.filter((row) => row.fate === fate).length;

  // Every side effect happened once, or the row says that it failed.
  const flags = (await service.control('GET', 'flags')) as Array<{ description?: string }>;
  const { lists } = (await service.ask('lists')) as { lists: Array<{ name: string }> };
  const done = [...flags.map((one) => one.description), ...lists.map(({ name }) => name)];
  for (const row of rows.filter(({ effect }) => effect !== undefined)) {
    const times = done.filter((mark) => mark === row.mark).length;
    const open = row.fate === 'ended' || OUTCOME_UNKNOWN.test(row.item);
    const right = row.fate === 'result' ? times === 1 : open ? times <= 1 : times === 0;
    expect([row, times, right]).toEqual([row, times, true]);
  }

  // Every company is charged once, and the service never saw a request beyond its rules.
  const domains = [...new Set(rows.flatMap(({ charged }) => charged ?? []))];
  await settle(domains);
  const report = await host.report();
  expect(report.charged).toBe(domains.length);
  expect(report.violations).toEqual([]);
  expect(count('result')).toBeGreaterThan(rows.length / 2);
  console.log(
    `Soak: ${String(MINUTES)} min, ${String(faults)} faults, ${String(kills)} kills, ` +
      `${String(rows.length)} rows (${String(count('result'))} results, ${String(count('error'))} ` +
      `error items, ${String(count('ended'))} in executions that ended), ${String(report.charged)} credits`,
  );
}, 1_200_000);
