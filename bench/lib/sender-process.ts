/**
 * A process that only sends requests, through the client or through axios alone. It receives one
 * order from its parent, sends the result, and exits with its parent.
 */
import { Agent } from 'node:http';
import axios from 'axios';
import { Client } from '../../src/client/client';

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
  /** When to stop: after a number of requests, or after a number of milliseconds. */
  readonly until: { readonly requests: number } | { readonly milliseconds: number };
}

export interface Sent {
  readonly milliseconds: number;
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

async function measure(order: Order): Promise<Sent> {
  const send = order.sender === 'client' ? throughClient(order) : throughAxios(order);
  const { calls, atOnce, until } = order;
  let begun = 0;
  const started = performance.now();
  const goesOn = () =>
    'requests' in until ? begun < until.requests : performance.now() - started < until.milliseconds;
  const worker = async (): Promise<void> => {
    while (goesOn()) {
      const call = calls[begun % calls.length];
      begun += 1;
      if (call !== undefined) await send(call);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { milliseconds: performance.now() - started };
}

process.once('message', (order) => {
  void measure(order as Order).then((sent) => process.send?.(sent));
});
process.once('disconnect', () => process.exit());
