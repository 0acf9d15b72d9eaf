import type { AddressInfo } from 'node:net';
import { KEYS, type KeyName } from './accounts';
import type { Choices } from './choices';
import type { World } from './data/world';
import type { FaultRequest } from './faults/store';
import type { Report } from './report';
import { buildServer } from './server';
import { type Flag, type KeyChange, type Running, Service, type ServiceOptions } from './service';

export { KEYS, type KeyName } from './accounts';
export type { Choices } from './choices';
export type { FaultPreset } from './faults/presets';
export type { FaultRequest } from './faults/store';
export type { Report, RequestEntry } from './report';
export type { ServiceOptions } from './service';

export interface SandboxOptions extends ServiceOptions {
  /** Port to listen on. 0, the default, selects any free port. */
  port?: number;
  /** Address to listen on. The default lets only this machine in. */
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
  readonly keys: typeof KEYS;
  /** The data behind the responses, from which tests compute the expected values. */
  readonly world: World;
  /** Sends a request without a network connection, which is much faster. */
  ask(request: DirectRequest): Promise<DirectAnswer>;
  /** Adds a fault. Without `when`, it hits the first matching request. */
  addFault(request: FaultRequest): void;
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
  const running: Running = {
    service: new Service(options),
    reset: () => {
      running.service = new Service(options);
    },
  };
  const app = buildServer(running);
  await app.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' });
  const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    keys: KEYS,
    world: running.service.world,
    ask: async ({ method, path, headers, body }) => {
      const { statusCode, ...answer } = await app.inject({
        method: method as 'GET',
        url: `${baseUrl}${path}`,
        headers,
        payload: body,
      });
      return { status: statusCode, headers: answer.headers, body: answer.body };
    },
    addFault: (request) => running.service.faults.add(request),
    setLatency: (ms) => {
      running.service.latencyMs = ms;
    },
    setKey: (name, change) => running.service.changeKey(name, change),
    credits: (name) => running.service.creditsOf(name),
    setChoices: (change) => {
      Object.assign(running.service.choices, change);
    },
    advance: (seconds) => running.service.clock.advance(seconds * 1000),
    report: () => running.service.recorder.report(),
    flags: () => running.service.flags,
    violations: () => running.service.violations,
    reset: running.reset,
    close: () => app.close(),
  };
}
