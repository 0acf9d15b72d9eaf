import type { z } from 'zod/v4';
import { KEYS, type KeyName, type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import type { Company } from '../../sandbox/data/companies';

/** An answer of the service. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request with a key's name; null sends none. */
export async function send(
  baseUrl: string,
  method: string,
  path: string,
  { body, key = 'user' }: { body?: unknown; key?: KeyName | null } = {},
): Promise<Reply> {
  const request = { method, redirect: 'manual' as const, ...contentOf(key, body) };
  const response = await fetch(baseUrl + path, request);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/**
 * Sends a request of the main user without a connection: those that are sent together overlap,
 * however busy the machine is.
 */
export async function sendDirectly(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<Pick<Reply, 'status' | 'text'>> {
  const answer = await sandbox.ask({ method, path, ...contentOf('user', body) });
  return { status: answer.status, text: answer.body };
}

function contentOf(key: KeyName | null, body: unknown) {
  return {
    headers: {
      ...(key === null ? {} : { 'x-api-key': KEYS[key] }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** The body of a successful answer, checked and typed by its schema. */
export function ok<S extends z.ZodType>(reply: Reply, schema: S, status = 200): z.output<S> {
  if (reply.status !== status) throw new Error(`${reply.status}: ${reply.text.slice(0, 300)}`);
  return schema.parse(JSON.parse(reply.text));
}

/** Status and body of a refusal, for comparing. */
export function refusal(reply: Pick<Reply, 'status' | 'text'>): Record<string, unknown> {
  return { status: reply.status, ...(JSON.parse(reply.text) as Record<string, unknown>) };
}

/** Status and code of a refusal: `404 company_not_found`. */
export function refused(reply: Reply): string {
  const { status, error } = refusal(reply);
  return `${String(status)} ${String(error)}`;
}

/** One service for a test file: put back before every test, its responses checked after each. */
export interface Harness {
  readonly sandbox: Sandbox;
  get(path: string, key?: KeyName | null): Promise<Reply>;
  /** The body of what is there, checked and typed by its schema. */
  read<S extends z.ZodType>(path: string, schema: S, key?: KeyName | null): Promise<z.output<S>>;
  post(path: string, body?: unknown, key?: KeyName | null): Promise<Reply>;
  put(path: string, body: unknown, key?: KeyName): Promise<Reply>;
  patch(path: string, body: unknown, key?: KeyName): Promise<Reply>;
  remove(path: string, key?: KeyName): Promise<Reply>;
  /** Credits a key's organization has spent since the last reset. */
  spent(key?: KeyName): number;
  /** Companies of the world that have, or have not, a property. */
  companies(wanted: (company: Company, partners: number) => boolean): Company[];
  /** The n-th most connected company. */
  hub(n?: number): Company;
}

export function useSandbox(options: SandboxOptions = {}): Harness {
  let running: Sandbox | undefined;
  const sandbox = (): Sandbox => {
    if (running === undefined) throw new Error('The service is not running.');
    return running;
  };
  let atStart = new Map<KeyName, number>();
  beforeAll(async () => {
    running = await startSandbox({ companies: 400, validateResponses: true, ...options });
  });
  beforeEach(() => {
    sandbox().reset();
    atStart = new Map(
      (Object.keys(KEYS) as KeyName[]).map((name) => [name, sandbox().credits(name)]),
    );
  });
  afterEach(() => {
    expect(sandbox().violations()).toEqual([]);
  });
  afterAll(() => sandbox().close());
  const call = (method: string, path: string, body?: unknown, key: KeyName | null = 'user') =>
    send(sandbox().baseUrl, method, path, { body, key });
  return {
    get sandbox() {
      return sandbox();
    },
    get: (path, key) => call('GET', path, undefined, key),
    read: async (path, schema, key) => ok(await call('GET', path, undefined, key), schema),
    post: (path, body, key) => call('POST', path, body, key),
    put: (path, body, key) => call('PUT', path, body, key),
    patch: (path, body, key) => call('PATCH', path, body, key),
    remove: (path, key) => call('DELETE', path, undefined, key),
    spent: (key = 'user') => (atStart.get(key) ?? 0) - sandbox().credits(key),
    companies: (wanted) => {
      const { companies, partnershipsOf } = sandbox().world;
      return companies.filter((one) => wanted(one, partnershipsOf[one.id - 1]?.length ?? 0));
    },
    hub: (n = 0) => {
      const { companies, byPartnershipCount } = sandbox().world;
      return companies[byPartnershipCount[n]!]!;
    },
  };
}
