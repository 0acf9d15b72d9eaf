import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `npm run demo` as users see it: what it prints, how it ends, and which processes it leaves. */

const root = join(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-demo-'));

async function freePorts(): Promise<string[]> {
  const { freePort } = await import('../../scripts/lib/ports.mjs');
  return ['--port', String(await freePort()), '--sandbox-port', String(await freePort())];
}

function startDemo(args: string[], command = [process.execPath, 'scripts/demo.mjs']) {
  const [program = '', ...programArgs] = command;
  const demo = spawn(program, [...programArgs, ...args], {
    cwd: root,
    env: { ...process.env, DEMO_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const watchers = new Set<() => void>();
  for (const stream of [demo.stdout, demo.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const watcher of watchers) watcher();
    });
  }
  // Use 'close' instead of 'exit', because all output has arrived only then.
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    demo.on('close', (code, signal) => resolve(code ?? signal ?? 'SIGKILL'));
  });
  return {
    pid: demo.pid ?? NaN,
    output: () => output,
    /** Resolves when the text was printed. Rejects if the demo ends without printing it. */
    printed: (text: string) =>
      new Promise<void>((resolve, reject) => {
        const look = (): void => {
          if (output.includes(text)) resolve();
        };
        watchers.add(look);
        look();
        void ended.then(() => reject(new Error(`The demo ended without "${text}":\n${output}`)));
      }),
    ended,
  };
}

/** Returns processes that belong to this test's demo, found by the folder in their settings. */
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
  while (leftBehind().length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
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
  const demo = startDemo(['--exit', ...(await freePorts())]);

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
  const demo = startDemo(await freePorts());
  await demo.printed('Press Ctrl-C to stop everything');
  expect(leftBehind().map(({ command }) => command)).toContainEqual(
    expect.stringContaining('n8n start'),
  );
  process.kill(demo.pid, signal);

  expect(await demo.ended).toBe(code);
  expect(leftBehind()).toEqual([]);
});

test('stops all its processes when the npm process that started it is terminated', async () => {
  const demo = startDemo(await freePorts(), ['npm', 'run', 'demo', '--']);
  await demo.printed('Starting n8n');
  process.kill(demo.pid, 'SIGTERM');
  await demo.ended;
  await allGone();
});

test('leaves no process behind when it is killed with SIGKILL, and can be started again', async () => {
  const demo = startDemo(await freePorts());
  await demo.printed('Starting n8n');
  process.kill(demo.pid, 'SIGKILL');
  await demo.ended;
  await allGone();

  expect(await startDemo(['--exit', ...(await freePorts())]).ended).toBe(0);
});

test.each([
  ['n8n', (command: string) => command.includes('n8n start') && !command.includes('guard.mjs')],
  ['its guard', (command: string) => /guard\.mjs .*n8n start/.test(command)],
])('reports the end of n8n, names the log and exits when %s is killed', async (_name, isIt) => {
  const demo = startDemo(await freePorts());
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
  const address = server.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const demo = startDemo(['--port', port]);

  expect(await demo.ended).toBe(1);
  expect(demo.output()).toContain(`Port ${port} for the n8n editor is already in use`);
  expect(demo.output()).toContain('--port');
  expect(demo.output()).not.toContain('Starting');
  server.close();
});

test('refuses to start while another demo runs in the same folder', async () => {
  const first = startDemo(await freePorts());
  await first.printed('Starting n8n');
  const second = startDemo(await freePorts());

  expect(await second.ended).toBe(1);
  expect(second.output()).toContain('A demo is already running in this folder');
  process.kill(first.pid, 'SIGTERM');
  expect(await first.ended).toBe(143);
  await allGone();
});

test.each([
  [['--port', 'abc'], '--port abc is not a port'],
  [['--ports', '1'], "Unknown option '--ports'"],
])('explains what is wrong with the arguments %j and exits with code 1', async (args, message) => {
  const demo = startDemo(args);

  expect(await demo.ended).toBe(1);
  expect(demo.output()).toContain(message);
});
