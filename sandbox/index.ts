import type { AddressInfo } from 'node:net';
import { KEYS, type KeyName } from './accounts';
import type { Choices } from './choices';
import { changeKey, type KeyChange } from './control/routes';
import type { Report } from './control/report';
import type { World } from './data/world';
import type { FaultRequest, FaultRule } from './faults/store';
import type { Flag } from './flags';
import { buildServer } from './server';
import { Service, type ServiceOptions } from './service';

export { KEYS, type KeyName } from './accounts';
export type { Choices } from './choices';
export type { Report, RequestEntry, Totals } from './control/report';
export { FAULT_PRESETS, type FaultPreset } from './faults/presets';
export type { FaultRequest, FaultRule } from './faults/store';
export type { ServiceOptions } from './service';

export interface SandboxOptions extends ServiceOptions {
  /** Port to listen on. 0, the default, selects any free port. */
  port?: number;
  /** Host to listen on. Default 127.0.0.1. */
  host?: string;
}

/** A request that the sandbox handles without a network connection. */
export interface DirectRequest {
  readonly method: string;
  /** Path from `/v1` on, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string;
}

/** Response to a `DirectRequest`. */
export interface DirectAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly body: string;
}

/** A running service with the controls that tests need. */
export interface Sandbox {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly port: number;
  readonly keys: typeof KEYS;
  /** The data behind the responses, from which tests compute the expected values. */
  readonly world: World;
  /** Sends a request without a network connection, which is much faster. */
  ask(request: DirectRequest): Promise<DirectAnswer>;
  /** Adds a fault. Without `when`, it hits the first matching request. */
  addFault(request: FaultRequest): FaultRule;
  /** Removes all faults, or one by id. */
  clearFaults(id?: number): void;
  setLatency(ms: number): void;
  /** Changes the credits, batch ceiling or rate limits of a key. */
  setKey(name: KeyName, change: KeyChange): void;
  /** Returns the remaining credits of a key's organization. */
  credits(name: KeyName): number;
  /** Changes choices about behavior that the API spec leaves open. */
  setChoices(change: Partial<Choices>): void;
  /** Moves the service's time forward. */
  advance(seconds: number): void;
  /** Returns the requests and side effects since the last reset. */
  report(): Report;
  /** Returns the data-quality review queue. */
  flags(): readonly Flag[];
  /** Returns responses that failed their schema, and internal errors (with `validateResponses`). */
  violations(): readonly string[];
  /** Resets data, credits, limits, faults, choices, clock and report. */
  reset(): void;
  close(): Promise<void>;
}

/**
 * Starts the local service.
 *
 * @throws the system's error (`code` EADDRINUSE …) if it cannot listen
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const service = new Service(options);
  const app = buildServer(service);
  await app.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' });
  const { address, port, family } = app.server.address() as AddressInfo;
  const baseUrl = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  return {
    baseUrl,
    port,
    keys: KEYS,
    world: service.world,
    ask: async ({ method, path, headers, body }) => {
      const { statusCode, ...answer } = await app.inject({
        method: method as 'GET',
        url: `${baseUrl}${path}`,
        headers,
        payload: body,
      });
      return { status: statusCode, headers: answer.headers, body: answer.body };
    },
    addFault: (request) => service.faults.add(request),
    clearFaults: (id) => service.faults.clear(id),
    setLatency: (ms) => {
      service.latencyMs = ms;
    },
    setKey: (name, change) => changeKey(service, name, change),
    credits: (name) => {
      const account = service.accountOf(KEYS[name]);
      return account === undefined ? 0 : service.ledger.balanceOf(account.organizationId);
    },
    setChoices: (change) => {
      service.choices = { ...service.choices, ...change };
    },
    advance: (seconds) => service.clock.advance(seconds * 1000),
    report: () => service.recorder.report(),
    flags: () => service.flags.list(),
    violations: () => service.violations,
    reset: () => service.reset(),
    close: () => app.close(),
  };
}
