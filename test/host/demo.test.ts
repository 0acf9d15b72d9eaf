import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-demo-'));

/** Starts the demo with arguments, or else on free ports. */
async function startDemo({ more = [] as string[], alone = [] as string[], npm = false } = {}) {
  const { freePort } = await import('../../scripts/lib/ports.mjs');
  const ports = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())];
  const args = alone.length > 0 ? alone : [...more, ...ports];
  const [command, start] = npm
    ? ['npm', ['run', 'demo', '--']]
    : [process.execPath, ['scripts/demo.mjs']];
  const demo = spawn(command, [...start, ...args], {
    cwd: root,
    env: { ...process.env, DEMO_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [demo.stdout, demo.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  let isOver = false;
  // Use 'close' instead of 'exit', because all output has arrived only then.
  const ended = once(demo, 'close').then(([code, signal]: unknown[]) => {
    isOver = true;
    return code ?? signal;
  });
  return {
    pid: demo.pid ?? NaN,
    output: () => output,
    printed: async (text: string) => {
      while (!output.includes(text)) {
        if (isOver) throw new Error(`The demo ended without "${text}":\n${output}`);
        await sleep(50);
      }
    },
    ended,
  };
}

function leftBehind(): Array<{ pid: number; command: string }> {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        if (!environment.includes(folder)) return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(pid), command }];
      } catch {
        return []; // The process ended during this check.
      }
    });
}

async function allGone(): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (leftBehind().length > 0 && Date.now() < deadline) await sleep(100);
  expect(leftBehind()).toEqual([]);
}

// If a failed test left a demo running, every later demo would refuse to start.
afterEach(async () => {
  for (const { pid } of leftBehind()) process.kill(pid, 'SIGKILL');
  await allGone();
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('prints the summary, writes the CSV file and exits with code 0 when started with --exit', async () => {
  const demo = await startDemo({ more: ['--exit'] });

  expect(await demo.ended).toBe(0);
  expect(demo.output()).toMatch(/Rows in +300\n +Rows out +300/);
  expect(demo.output()).toMatch(/Requests +\d+\n +Credits +\d+\n/);
  const [, path = ''] = /CSV +(\S+)/.exec(demo.output()) ?? [];
  expect(readFileSync(path, 'utf8').split('\n').length).toBeGreaterThan(300);
  await allGone();
});

test.each<[NodeJS.Signals, number]>([
  ['SIGINT', 0],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('%s ends a running demo with code %d and leaves no process behind', async (signal, code) => {
  const demo = await startDemo();
  await demo.printed('Press Ctrl-C to stop everything');
  expect(leftBehind().map(({ command }) => command)).toContainEqual(
    expect.stringContaining('n8n start'),
  );
  process.kill(demo.pid, signal);

  expect(await demo.ended).toBe(code);
  expect(leftBehind()).toEqual([]);
});

test('refuses a second demo in its folder, and ends with the npm process that started it', async () => {
  const demo = await startDemo({ npm: true });
  await demo.printed('Starting n8n');
  const second = await startDemo();
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain('A demo is already running in this folder');
  process.kill(demo.pid, 'SIGTERM');
  await demo.ended;
  await allGone();
});

test('leaves no process behind when it is killed with SIGKILL, and can be started again', async () => {
  const demo = await startDemo();
  await demo.printed('Starting n8n');
  process.kill(demo.pid, 'SIGKILL');
  await demo.ended;
  await allGone();

  expect(await (await startDemo({ more: ['--exit'] })).ended).toBe(0);
});

test.each([
  ['n8n', (command: string) => command.includes('n8n start') && !command.includes('guard.mjs')],
  ['its guard', (command: string) => /guard\.mjs .*n8n start/.test(command)],
])('reports the end of n8n, names the log and exits when %s is killed', async (_name, isIt) => {
  const demo = await startDemo();
  await demo.printed('Press Ctrl-C to stop everything');
  process.kill(leftBehind().find(({ command }) => isIt(command))?.pid ?? NaN, 'SIGKILL');

  expect(await demo.ended).toBe(1);
  expect(demo.output()).toContain('✗ n8n ended (exit code 137)');
  expect(demo.output()).toMatch(/Log: .*demo-n8n\.log/);
  await allGone();
});

test('reports a port that is already in use before it starts anything', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  const demo = await startDemo({ alone: ['--port', port] });

  expect(await demo.ended).toBe(1);
  expect(demo.output()).toContain(`Port ${port} for the n8n editor is already in use`);
  expect(demo.output()).toContain('--port');
  expect(demo.output()).not.toContain('Starting');
  server.close();
});

test.each([
  [['--port', 'abc'], '--port abc is not a port'],
  [['--ports', '1'], "Unknown option '--ports'"],
])('explains what is wrong with the arguments %j and exits with code 1', async (args, message) => {
  const demo = await startDemo({ alone: args });

  expect(await demo.ended).toBe(1);
  expect(demo.output()).toContain(message);
});
