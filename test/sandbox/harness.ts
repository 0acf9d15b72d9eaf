import type { z } from 'zod/v4';
import { KEYS, type KeyName, type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import type { Company } from '../../sandbox/data/companies';
import type { World } from '../../sandbox/data/world';
import { REGISTRY_VERSION } from '../../sandbox/lists/definition';
import * as schemas from '../../sandbox/schemas/lists';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request with the named key; null sends no key. */
export async function send(
  baseUrl: string,
  method: string,
  path: string,
  { body, key = 'user' }: { body?: unknown; key?: KeyName | null } = {},
): Promise<Reply> {
  const response = await fetch(baseUrl + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === null ? {} : { 'x-api-key': KEYS[key] }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

export function ok<S extends z.ZodType>(reply: Reply, schema: S, status = 200): z.output<S> {
  if (reply.status !== status) throw new Error(`${reply.status}: ${reply.text.slice(0, 300)}`);
  return schema.parse(JSON.parse(reply.text));
}

export const unlisted = (count: number) =>
  Array.from({ length: count }, (_, index) => `unlisted-${index}.example`);

export function refusal(reply: Reply): Record<string, unknown> {
  return { status: reply.status, ...(JSON.parse(reply.text) as Record<string, unknown>) };
}

/** Returns status and code of a refusal: `404 company_not_found`. */
export function refused(reply: Reply): string {
  const { status, error } = refusal(reply);
  return `${String(status)} ${String(error)}`;
}

export type Harness = ReturnType<typeof useSandbox>;

export function useSandbox(options: SandboxOptions = {}) {
  let sandbox: Sandbox;
  const atStart = new Map<KeyName, number>();
  beforeAll(async () => {
    sandbox = await startSandbox({ companies: 400, validateResponses: true, ...options });
  });
  beforeEach(() => {
    sandbox.reset();
    for (const name of Object.keys(KEYS) as KeyName[]) atStart.set(name, sandbox.credits(name));
  });
  afterEach(() => {
    expect(sandbox.violations()).toEqual([]);
  });
  afterAll(() => sandbox.close());

  const call = (method: string, path: string, body?: unknown, key: KeyName | null = 'user') =>
    send(sandbox.baseUrl, method, path, { body, key });
  const get = (path: string, key?: KeyName | null) => call('GET', path, undefined, key);
  return {
    get sandbox() {
      return sandbox;
    },
    get,
    read: async <S extends z.ZodType>(path: string, schema: S, key?: KeyName | null) =>
      ok(await get(path, key), schema),
    post: (path: string, body?: unknown, key?: KeyName | null) => call('POST', path, body, key),
    put: (path: string, body: unknown, key?: KeyName) => call('PUT', path, body, key),
    patch: (path: string, body: unknown, key?: KeyName) => call('PATCH', path, body, key),
    remove: (path: string, key?: KeyName) => call('DELETE', path, undefined, key),
    spent: (key: KeyName = 'user') => (atStart.get(key) ?? 0) - sandbox.credits(key),
    ...viewOf(() => sandbox.world),
  };
}

function viewOf(world: () => World) {
  const linksOf = (company: Company) =>
    world().partnershipsOf[company.id - 1]!.map((index) => world().partnerships[index]!);
  const hub = (n = 0): Company => world().companies[world().byPartnershipCount[n]!]!;
  const partnersOf = (company: Company): Set<number> =>
    new Set(linksOf(company).map((link) => (link.a === company.id - 1 ? link.b : link.a) + 1));
  const sharedBy = (a: Company, b: Company): number[] =>
    [...partnersOf(a)].filter((id) => partnersOf(b).has(id));
  /** Returns two companies with several partners in common, which are each other's partners or not. */
  const pair = (arePartners: boolean): [Company, Company] => {
    const [one, itsPartners] = [hub(), partnersOf(hub())];
    const other = world().companies.find(
      (company) =>
        company !== one &&
        itsPartners.has(company.id) === arePartners &&
        sharedBy(one, company).length > 1,
    )!;
    return [one, other];
  };
  return {
    linksOf,
    companies: (wanted: (company: Company, partners: number) => boolean) =>
      world().companies.filter((one) => wanted(one, linksOf(one).length)),
    hub,
    partnersOf,
    sharedBy,
    pair,
    pairPath: (arePartners = true): string =>
      pair(arePartners)
        .map((one) => one.primaryDomain)
        .join('/'),
  };
}

export const condition = (field: string, operator: string, value: unknown) => {
  return { field, operator, value };
};

/** Returns a definition with the current version of the filter catalog. */
export const stamped = (root: unknown) => ({ registry_version: REGISTRY_VERSION, root });

export const SOFTWARE = stamped(condition('industry', 'equals', 'Software'));

export async function createList(service: Harness, definition?: unknown): Promise<string> {
  const body = { name: 'Mine', ...(definition === undefined ? {} : { definition }) };
  return ok(await service.post('/v1/lists', body), schemas.listDetail, 201).list_id;
}

/** The response about a list that does not exist or that the user cannot see. */
export const NO_LIST = { status: 404, error: 'list_not_found', message: 'There is no such list.' };
