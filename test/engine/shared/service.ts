/** The local service for engine tests, and the n8n settings that a user would have for it. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';
import { TestService } from '../../src/client/support/service';
import { node, type NodeOptions, type NodeSpec } from '../harness';

/** Every On Error setting of n8n. */
export const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

/** The options on a node's Settings tab. */
export type NodeSettings = Omit<NodeOptions, 'name' | 'parameters'>;

/** Starts a service whose rate limit is so high that it does not affect the test. */
export async function startUnlimitedSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return await startSandbox({
    companies: 3000,
    keyLimits: { requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 },
    ...options,
  });
}

/**
 * Shares one such service between all tests of a file or a `describe`. The hooks start it before
 * the tests, reset it before each test and close it after them. They also stop services that tests
 * started in addition, and fail a test in which the sandbox recorded a violation of the API spec.
 * The result can only be used within tests.
 */
export function useSandbox(options?: SandboxOptions): Sandbox {
  const sandbox = useLater({} as Sandbox, beforeAll, async () => startUnlimitedSandbox(options));
  beforeEach(() => {
    sandbox.reset();
  });
  afterEach(() => {
    expect(sandbox.violations()).toEqual([]);
  });
  afterAll(async () => {
    await sandbox.close();
    await TestService.stopAll();
  });
  return sandbox;
}

/**
 * Like `useSandbox`, but starts a new service for each test, because the nodes remember facts about
 * a key.
 */
export function useFreshSandbox(options?: SandboxOptions): Sandbox {
  const sandbox = useLater({} as Sandbox, beforeEach, async () => startUnlimitedSandbox(options));
  afterEach(async () => {
    await sandbox.close();
    await TestService.stopAll();
  });
  return sandbox;
}

/**
 * Starts a service for each test, whose responses the test defines. The result can only be used
 * within tests.
 */
export function useService(): TestService {
  const shape = Object.create(TestService.prototype) as TestService;
  afterEach(async () => {
    await TestService.stopAll();
  });
  return useLater(shape, beforeEach, async () => TestService.start());
}

/** Returns a proxy for a service that a hook starts. */
function useLater<T extends object>(shape: T, hook: typeof beforeAll, start: () => Promise<T>): T {
  let running: T | undefined;
  hook(async () => {
    running = await start();
  });
  return new Proxy(shape, {
    get: (_none, name) => {
      if (running === undefined) throw new Error('The service runs within tests only');
      const value = Reflect.get(running, name) as unknown;
      return typeof value === 'function' ? (value.bind(running) as unknown) : value;
    },
  });
}

/**
 * Returns a credential for one of the service's keys, with the fields that a user would fill in.
 */
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
      ...fields,
    },
  };
}

/** Returns a credential for a service that the test started itself. */
export function credentialFor(baseUrl: string, apiKey = 'ci_user_of_this_test') {
  return {
    companyIntelligenceUserApi: { baseUrl, apiKey, requestsPerMinute: 100_000 },
  };
}

/** Describes one of the package's nodes as the node panel adds it. */
export function packageNode(
  type: string,
  parameters: INodeParameters = {},
  settings: NodeSettings = {},
): NodeSpec {
  return node(`n8n-nodes-company-intelligence.${type}`, { parameters, ...settings });
}

/** Returns domains of companies that the service tracks. */
export function trackedDomains(sandbox: Sandbox, count: number): string[] {
  return sandbox.world.companies.slice(0, count).map((company) => company.primaryDomain);
}

/** A request that the service received. */
export interface Sent {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly query: Record<string, string>;
  readonly status: number | null;
}

/** Returns the requests since the last reset, oldest first. */
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
