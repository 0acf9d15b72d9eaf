/**
 * Measures the local service in a child process: `npx tsx test/sandbox/speed.ts [companies]`.
 * This is not a test, because other work on the machine would make it fail.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { KEYS } from '../../sandbox';
import { getWorld } from '../../sandbox/data/world';

const CONNECTIONS = 20;
const companies = process.argv[2] ?? '3000';

async function main(): Promise<void> {
  const main = join(__dirname, '..', '..', 'sandbox', 'main.ts');
  const options = [
    '--port',
    '0',
    '--companies',
    companies,
    '--rate-limits',
    '1000000000',
    '--json',
  ];
  const start = performance.now();
  const child = spawn(process.execPath, [require.resolve('tsx/cli'), main, ...options]);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const ready = Math.round(performance.now() - start);
  const { baseUrl } = JSON.parse(line.toString()) as { baseUrl: string };
  process.stdout.write(`${companies} companies, ready in ${ready} ms\n`);

  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const call = (method: string, path: string, body?: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { 'x-api-key': KEYS.user, 'content-type': 'application/json' };
      const sent = request(baseUrl + path, { agent, method, headers }, (response) => {
        response.resume();
        response.on('end', () => {
          resolve(response.statusCode ?? 0);
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const measure = async (name: string, count: number, one: (n: number) => Promise<number>) => {
    const from = performance.now();
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < count) {
        const status = await one(next++);
        if (status !== 200) throw new Error(`${name} answered ${status}`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
    const rate = Math.round(count / ((performance.now() - from) / 1000));
    process.stdout.write(`${name}: ${rate} requests/s\n`);
  };

  const domains = getWorld(Number(companies)).companies.map((one) => one.primaryDomain);
  const batch = (n: number): string =>
    JSON.stringify({ domains: domains.slice((n * 100) % 2000).slice(0, 100) });
  const lookup = (n: number) => call('GET', `/v1/companies/${domains[n % 2000] ?? ''}`);
  await measure('(warm-up)', 3000, lookup);
  await measure('GET /v1/companies/{identifier}', 10_000, lookup);
  await measure('GET /v1/technologies', 10_000, () => call('GET', '/v1/technologies?q=shop'));
  await measure('POST /v1/enrich/partnerships, 100 domains', 500, (n) =>
    call('POST', '/v1/enrich/partnerships', batch(n)),
  );
  child.kill('SIGTERM');
  await once(child, 'close');
}

void main();
