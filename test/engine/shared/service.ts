/** The local service as engine tests use it, and what a user would have set up for it in n8n. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';
import { TestService } from '../../src/client/support/service';
import { node, type NodeOptions, type NodeSpec } from '../harness';

/** Every On Error setting of n8n. */
export const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

/** What a node's Settings tab holds. */
export type NodeSettings = Pick<
  NodeOptions,
  'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'
>;

/** A service whose rate limit is no part of the test. */
export async function startUnlimitedSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return await startSandbox({
    companies: 3000,
    keyLimits: { requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 },
    ...options,
  });
}

/**
 * The same for all tests of a file, or of a `describe`: started before them, put back to its start before
 * each, closed behind them, with the services that tests started beside it. No test may make it break its
 * own interface. To be used within tests only.
 */
export function useSandbox(options?: SandboxOptions): Sandbox {
  let running: Sandbox | undefined;
  beforeAll(async () => {
    running = await startUnlimitedSandbox(options);
  });
  beforeEach(() => {
    running?.reset();
  });
  afterEach(() => {
    expect(running?.violations()).toEqual([]);
  });
  afterAll(async () => {
    await running?.close();
    await TestService.stopAll();
  });
  return standingFor({} as Sandbox, () => running);
}

/** The same, but a service of its own for each test, as what is learned about a key is remembered. */
export function useFreshSandbox(options?: SandboxOptions): Sandbox {
  let running: Sandbox | undefined;
  beforeEach(async () => {
    running = await startUnlimitedSandbox(options);
  });
  afterEach(async () => {
    await running?.close();
    await TestService.stopAll();
  });
  return standingFor({} as Sandbox, () => running);
}

/** A service for each test, whose answers the test says. To be used within tests only. */
export function useService(): TestService {
  let running: TestService | undefined;
  beforeEach(async () => {
    running = await TestService.start();
  });
  afterEach(async () => {
    await TestService.stopAll();
  });
  return standingFor(Object.create(TestService.prototype) as TestService, () => running);
}

/** What passes for a service that is started later. */
function standingFor<T extends object>(shape: T, find: () => T | undefined): T {
  return new Proxy(shape, {
    get: (_none, name) => {
      const running = find();
      if (running === undefined) throw new Error('The service runs within tests only');
      const value = Reflect.get(running, name) as unknown;
      return typeof value === 'function' ? (value.bind(running) as unknown) : value;
    },
  });
}

/** What a user would have typed into the credential of one of the service's keys. */
export function userCredential(
  sandbox: Sandbox,
  key: keyof Sandbox['keys'] = 'user',
  fields: IDataObject = {},
) {
  return {
    companyIntelligenceUserApi: {
      baseUrl: sandbox.baseUrl,
      apiKey: sandbox.keys[key],
      requestsPerMinute: 100_000,
      requestsPerDay: 1_000_000,
      maxBatchSize: 100,
      ...fields,
    },
  };
}

/** A credential for a service of the test's own. */
export function credentialFor(baseUrl: string, apiKey = 'ci_user_of_this_test') {
  return {
    companyIntelligenceUserApi: { baseUrl, apiKey, requestsPerMinute: 100_000 },
  };
}

/** One of the package's nodes as it comes out of the node panel. */
export function packageNode(
  type: string,
  parameters: INodeParameters = {},
  settings: NodeSettings = {},
): NodeSpec {
  return node(`n8n-nodes-company-intelligence.${type}`, { parameters, ...settings });
}

/** Domains of companies the service tracks. */
export function trackedDomains(sandbox: Sandbox, count: number): string[] {
  return sandbox.world.companies.slice(0, count).map((company) => company.primaryDomain);
}

/** A request as the service saw it. */
export interface Sent {
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly query: Record<string, string>;
  readonly status: number | null;
}

/** The requests since the last reset, oldest first. */
export function sentTo(sandbox: Sandbox): Sent[] {
  return sandbox.report().recent.map(({ method, path, status }) => {
    const url = new URL(path, 'http://service.test');
    return {
      method,
      path: decodeURIComponent(url.pathname),
      query: Object.fromEntries(url.searchParams),
      status,
    };
  });
}
