/**
 * A server in front of the local service. It spoils responses in ways that no correct server can.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import type { Sandbox } from '../../../sandbox';

/** Whether a request took effect, as far as its sender can know. */
export type Fate =
  /** The service processed the request. */
  | 'done'
  /** The sender cannot know. */
  | 'maybe'
  /** The response says that the request had no effect. */
  | 'refused';

export interface Asked {
  /** 1, 2, 3 … since the last {@link Front.begin}. */
  readonly number: number;
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  fate: Fate | undefined;
  answered: number | undefined;
}

export interface Real extends Pick<Awaited<ReturnType<Sandbox['ask']>>, 'status' | 'body'> {
  readonly headers: Record<string, string>;
}

/** One request, and the ways to respond to it. */
export interface Blow {
  readonly asked: Asked;
  readonly key: string;
  /** URL of another host, which must never receive a request. */
  readonly strangerUrl: string;
  /** Lets the service process the request, but only once even if called twice. */
  readonly real: () => Promise<Real>;
  /** Sends a response. The `Content-Length` is right unless `headers` sets it. */
  readonly reply: (
    status: number,
    headers: Record<string, string | number>,
    body: string | Buffer,
  ) => void;
  /** The raw connection, to send bytes that are not HTTP. */
  readonly socket: Socket;
  readonly response: ServerResponse;
}

/** Responds to a request. A strike that does nothing leaves the request without a response. */
export type Strike = (blow: Blow) => void | Promise<void>;

interface Begun extends Pick<Blow, 'key' | 'strangerUrl'> {
  /** The service's own key, which replaces the key of the cell. */
  readonly serviceKey: string;
  readonly strike: Strike;
}

/** Forwards requests to the local service, unless the current fault does something else. */
export class Front {
  asked: Asked[] = [];
  private begun: Begun | undefined;
  private readonly forwarding = new Set<Promise<Real>>();
  private readonly server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    void this.take(request, response);
  });

  private constructor(private readonly service: Pick<Sandbox, 'ask'>) {}

  static async start(service: Pick<Sandbox, 'ask'>): Promise<Front> {
    const front = new Front(service);
    await new Promise<void>((resolve) => front.server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  /** Starts a new cell: clears the recorded requests, and refuses connections with another key. */
  begin(begun: Begun): void {
    this.begun = begun;
    this.asked = [];
  }

  /** Ends the cell: forwards no more requests, and waits for the ones in flight. */
  async end(): Promise<void> {
    this.begun = undefined;
    await Promise.allSettled(this.forwarding);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    // If the client closes the connection, nobody waits for the response.
    const body = await text(request).catch(() => '');
    const key = String(request.headers['x-api-key'] ?? '');
    const { begun } = this;
    if (begun === undefined || (key !== '' && key !== begun.key)) {
      request.socket.destroy();
      return;
    }
    const asked: Asked = {
      number: this.asked.length + 1,
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      fate: undefined,
      answered: undefined,
    };
    this.asked.push(asked);
    let answer: Promise<Real> | undefined;
    const real = async () => {
      if (this.begun !== begun) throw new Error('This cell is over.');
      if (answer === undefined) {
        answer = this.forward(asked, begun.serviceKey);
        this.forwarding.add(answer);
        answer.finally(() => this.forwarding.delete(answer!)).catch(() => undefined);
      }
      return await answer;
    };
    try {
      await begun.strike({
        asked,
        key,
        strangerUrl: begun.strangerUrl,
        real,
        reply: (status, headers, sent) => {
          asked.fate ??= fateOf(status);
          asked.answered = status;
          if (response.destroyed || response.headersSent) return;
          response.writeHead(status, { 'content-length': Buffer.byteLength(sent), ...headers });
          response.end(asked.method === 'HEAD' ? '' : sent);
        },
        socket: request.socket,
        response,
      });
    } catch {
      // The client closed the connection before the response was complete.
      request.socket.destroy();
    }
    asked.fate ??= 'maybe';
  }

  private async forward(asked: Asked, key: string): Promise<Real> {
    const { method, path, headers, body } = asked;
    const own = 'x-api-key' in headers ? { 'x-api-key': key } : {};
    const answer = await this.service.ask({
      // The local service has no HEAD.
      method: method === 'HEAD' ? 'GET' : method,
      path,
      headers: { ...withoutHop(headers, 'host'), ...own },
      body,
    });
    const { status } = answer;
    asked.fate = status < 300 ? 'done' : 'refused';
    const kept = withoutHop(answer.headers, 'content-length') as Record<string, string>;
    return { status, headers: kept, body: answer.body };
  }
}

/** Returns headers without those that each connection has of its own. */
function withoutHop(headers: Readonly<Record<string, unknown>>, more: string) {
  const own = new Set(['connection', 'keep-alive', 'transfer-encoding', more]);
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => !own.has(name) && value !== undefined),
  );
}

function fateOf(status: number): Fate {
  if (status === 408) return 'maybe';
  return status >= 300 && status < 500 ? 'refused' : 'maybe';
}
