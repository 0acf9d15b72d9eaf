import { parseArgs } from 'node:util';
import { z } from 'zod/v4';
import { startSandbox, type Sandbox, type SandboxOptions } from './index';

const HELP = `The company intelligence service, locally: invented data, real rules.

  npm run sandbox -- [options]

  --port <n>         port to listen on; 0 takes any free one (default 4010)
  --host <address>   address to listen on (default 127.0.0.1); 0.0.0.0 lets other machines in
  --companies <n>    companies in the world (default 3000; 100000 works)
  --time-scale <n>   jobs and rate windows pass n times faster (default 1)
  --latency <ms>     delay of every answer (default 0)
  --window <mode>    rate windows: fixed or sliding (default fixed)
  --rate-limits <n>  requests per minute and per day of every key, instead of 600 and 100,000
  --report-size <n>  requests kept in detail in the report (default 5000)
  --json             print one line of JSON when ready: baseUrl, keys, companies
  --help             this text

Routes under <base URL>/__control set faults, latency, credits, limits and choices while it runs,
and report the requests; sandbox/README.md lists keys and routes.
`;

/** A mistake in the command line. The message says how to fix it. */
class UsageError extends Error {}

const EXIT_USAGE = 2;
const EXIT_PORT_TAKEN = 3;

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

const optionsSchema = z.object({
  port: whole(0, 65_535),
  host: z.string().min(1),
  companies: whole(10, 2_000_000),
  'time-scale': z.coerce.number().positive(),
  latency: whole(0, 600_000),
  window: z.enum(['fixed', 'sliding']),
  'rate-limits': whole(1, 1_000_000_000).optional(),
  'report-size': whole(1, 1_000_000),
  json: z.boolean(),
  help: z.boolean(),
});

function readCommandLine(args: string[]): z.output<typeof optionsSchema> {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        port: { type: 'string', default: '4010' },
        host: { type: 'string', default: '127.0.0.1' },
        companies: { type: 'string', default: '3000' },
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
  const parsed = optionsSchema.safeParse(values);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new UsageError(`--${path.join('')}: ${message}`);
}

function optionsOf(values: z.output<typeof optionsSchema>): SandboxOptions {
  const { port, host, companies, window, latency: latencyMs, 'rate-limits': rate } = values;
  const keyLimits = rate === undefined ? {} : { requestsPerMinute: rate, requestsPerDay: rate };
  const common = { port, host, companies, window, latencyMs, keyLimits };
  return { ...common, timeScale: values['time-scale'], reportSize: values['report-size'] };
}

function describe(sandbox: Sandbox): string {
  const keys = Object.entries(sandbox.keys);
  return [
    `Local service ready: ${sandbox.baseUrl}`,
    `  ${sandbox.world.companies.length} companies, control under /__control`,
    '',
    'Keys (header X-API-Key):',
    ...keys.map(([name, key]) => `  ${key.padEnd(20)}${name}`),
    '',
    'Stop with Ctrl-C.',
    '',
  ].join('\n');
}

async function main(): Promise<void> {
  const values = readCommandLine(process.argv.slice(2));
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const sandbox = await startSandbox(optionsOf(values));
  const stop = (): void => {
    void sandbox.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  process.stdout.write(
    values.json
      ? `${JSON.stringify({
          baseUrl: sandbox.baseUrl,
          keys: sandbox.keys,
          companies: sandbox.world.companies.length,
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
