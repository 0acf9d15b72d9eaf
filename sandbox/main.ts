import { parseArgs } from 'node:util';
import { buildAccounts } from './accounts';
import { LIMITS } from './limits';
import { startSandbox, type Sandbox, type SandboxOptions } from './index';

const HELP = `The company intelligence service, locally: invented data, real rules.

  npm run sandbox -- [options]

  --port <n>         port to listen on; 0 takes any free one (default 4010)
  --host <address>   address to listen on (default 127.0.0.1)
  --companies <n>    companies in the world (default 3000; 100000 works)
  --seed <n>         same seed, same world (default 1)
  --time-scale <n>   jobs and rate windows pass n times faster (default 1)
  --latency <ms>     delay of every answer (default 0)
  --window <mode>    rate windows: fixed or sliding (default fixed)
  --rate-limits <n>  requests per minute and per day of every key, instead of 600 and 100,000
  --report-size <n>  requests kept in detail in the report (default 5000)
  --json             print one line of JSON when ready: baseUrl, keys, companies, pid
  --help             this text

Faults, latency, credits, limits, choices, clock and the report of what was seen are controlled
under <base URL>/__control while it runs; sandbox/README.md lists the routes.
`;

/** A mistake in the command line. The message says how to fix it. */
class UsageError extends Error {}

const EXIT_USAGE = 2;
const EXIT_PORT_TAKEN = 3;

interface CommandLine {
  readonly options: SandboxOptions;
  readonly json: boolean;
  readonly help: boolean;
}

function readCommandLine(args: string[]): CommandLine {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        port: { type: 'string', default: '4010' },
        host: { type: 'string', default: '127.0.0.1' },
        companies: { type: 'string', default: '3000' },
        seed: { type: 'string', default: '1' },
        'time-scale': { type: 'string', default: '1' },
        latency: { type: 'string', default: '0' },
        window: { type: 'string', default: 'fixed' },
        'rate-limits': { type: 'string' },
        'report-size': { type: 'string', default: '5000' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const whole = (name: string, text: string, min: number, max: number): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new UsageError(
        `--${name} must be a whole number from ${min} to ${max}, not "${text}".`,
      );
    }
    return value;
  };
  const timeScale = Number(values['time-scale']);
  if (!(timeScale > 0 && timeScale <= 1_000_000)) {
    throw new UsageError(`--time-scale must be a number above 0, not "${values['time-scale']}".`);
  }
  const { window } = values;
  if (window !== 'fixed' && window !== 'sliding') {
    throw new UsageError(`--window must be fixed or sliding, not "${window}".`);
  }
  const rates = values['rate-limits'];
  const rate = rates === undefined ? undefined : whole('rate-limits', rates, 1, 1_000_000_000);
  return {
    json: values.json,
    help: values.help,
    options: {
      port: whole('port', values.port, 0, 65_535),
      host: values.host,
      companies: whole('companies', values.companies, 10, 2_000_000),
      seed: whole('seed', values.seed, 0, 2 ** 31),
      timeScale,
      latencyMs: whole('latency', values.latency, 0, 600_000),
      window,
      reportSize: whole('report-size', values['report-size'], 1, 1_000_000),
      ...(rate === undefined
        ? {}
        : { keyLimits: { requestsPerMinute: rate, requestsPerDay: rate } }),
    },
  };
}

function describe(sandbox: Sandbox): string {
  const accounts = buildAccounts(LIMITS);
  const width = Math.max(...accounts.map((account) => account.key.length));
  return [
    `Local service ready: ${sandbox.baseUrl}`,
    `  ${sandbox.world.companies.length} companies, control under /__control`,
    '',
    'Keys (header X-API-Key):',
    ...accounts.map((account) => `  ${account.key.padEnd(width)}  ${account.purpose}`),
    '',
    'Stop with Ctrl-C.',
    '',
  ].join('\n');
}

async function main(): Promise<void> {
  const { options, json, help } = readCommandLine(process.argv.slice(2));
  if (help) {
    process.stdout.write(HELP);
    return;
  }
  const sandbox = await startSandbox(options);
  const stop = (): void => {
    void sandbox.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  process.stdout.write(
    json
      ? `${JSON.stringify({
          baseUrl: sandbox.baseUrl,
          port: sandbox.port,
          keys: sandbox.keys,
          companies: sandbox.world.companies.length,
          pid: process.pid,
        })}\n`
      : describe(sandbox),
  );
}

main().catch((error: unknown) => {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\nSee --help.\n`);
    process.exit(EXIT_USAGE);
  }
  const problem = error as NodeJS.ErrnoException;
  if (problem.code === 'EADDRINUSE') {
    process.stderr.write(
      `The port is taken (${problem.message}). Stop what uses it, or choose another with --port.\n`,
    );
    process.exit(EXIT_PORT_TAKEN);
  }
  process.stderr.write(`The local service could not start: ${problem.stack ?? problem.message}\n`);
  process.exit(1);
});
