/**
 * A process that only sends requests, through the client or through axios alone. It receives one
 * order from its parent, sends the result, and exits with its parent.
 */
import { Agent } from 'node:http';
import axios from 'axios';
import { Client } from '../../src/client/client';
import { carryOut } from './processes';

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

export interface Order {
  readonly sender: 'client' | 'axios';
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly requestsPerMinute: number;
  /** Calls to send in order. After the last one, it starts again from the first. */
  readonly calls: readonly Call[];
  /** Number of requests in flight at the same time. */
  readonly atOnce: number;
  /** Number of requests before the measurement starts. */
  readonly warmUp?: number;
  /** When to stop: after a number of requests, or after a number of milliseconds. */
  readonly until: { readonly requests: number } | { readonly milliseconds: number };
}

export interface Sent {
  readonly requests: number;
  readonly milliseconds: number;
  /** CPU time of this process, user and system. */
  readonly cpuMs: number;
}

type Send = (call: Call) => Promise<unknown>;

function throughClient(order: Order): Send {
  const client = Client.open(order);
  return async (call) =>
    await client.request({ ...call, repeatable: true, read: ({ json }) => json });
}

function throughAxios({ baseUrl, apiKey }: Order): Send {
  const http = axios.create({
    baseURL: baseUrl,
    headers: { 'X-API-Key': apiKey },
    httpAgent: new Agent({ keepAlive: true }),
  });
  return async ({ method, path, body }) =>
    await http.request<unknown>({ method, url: path, data: body });
}

async function sendAll(send: Send, { calls, atOnce }: Order, goesOn: (begun: number) => boolean) {
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (goesOn(begun)) {
      const call = calls[begun % calls.length];
      begun += 1;
      if (call !== undefined) await send(call);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return begun;
}

async function measure(order: Order): Promise<Sent> {
  const send = order.sender === 'client' ? throughClient(order) : throughAxios(order);
  await sendAll(send, order, (begun) => begun < (order.warmUp ?? 0));
  const { until } = order;
  const cpu = process.cpuUsage();
  const started = performance.now();
  const requests = await sendAll(send, order, (begun) =>
    'requests' in until ? begun < until.requests : performance.now() - started < until.milliseconds,
  );
  const milliseconds = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { requests, milliseconds, cpuMs: (user + system) / 1000 };
}

carryOut(measure);
