import { spawn, type ChildProcess } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod/v4';

const MAIN = join(__dirname, '..', '..', 'sandbox', 'main.ts');

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function run(...args: string[]) {
  // The command `tsx` is no option: it gives a process 30 ms to report that it handles a signal.
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], { stdio: 'pipe' });
  started.push(child);
  const text = { output: '', problems: '' };
  child.stderr.on('data', (chunk: Buffer) => (text.problems += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const line = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text.output += chunk.toString();
      if (text.output.includes('\n')) resolve(text.output);
    });
  });
  return { child, ended, line, text };
}

test('--json prints one line, --host lets other machines in, and SIGTERM stops it cleanly', async () => {
  const service = run('--port', '0', '--host', '0.0.0.0', '--companies', '200', '--json');
  const ready = z
    .object({ baseUrl: z.url(), keys: z.record(z.string(), z.string()), companies: z.literal(200) })
    .parse(JSON.parse(await service.line));
  // Another address of this machine.
  const other = ready.baseUrl.replace('127.0.0.1', '127.0.0.2');
  const headers = { 'x-api-key': ready.keys.user! };
  expect((await fetch(`${other}/v1/technologies?q=shop`, { headers })).status).toBe(200);
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(service.text.output.trimEnd().split('\n')).toHaveLength(1);
});

test('reports a port that is already in use and exits with code 3', async () => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
  const { port } = blocker.address() as AddressInfo;
  const service = run('--port', String(port), '--companies', '50');
  expect(await service.ended).toBe(3);
  expect(service.text.problems).toMatch(/port is taken.*--port/s);
  await new Promise((resolve) => blocker.close(resolve));
});

test.each([
  ['--companies many', '--companies'],
  ['--window round', '--window'],
  ['--nonsense', 'nonsense'],
])('%s: names the invalid option and exits with code 2', async (args, name) => {
  const service = run(...args.split(' '));
  expect(await service.ended).toBe(2);
  expect(service.text.problems).toContain(name);
});
