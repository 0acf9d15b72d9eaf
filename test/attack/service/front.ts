/**
 * A server in front of the local service. It spoils responses in ways that no correct server can.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { Sandbox } from '../../../sandbox';
import { TestService, type Received } from '../../src/client/support/service';

/** Whether a request took effect, as far as its sender can know. */
type Fate =
  /** The service processed the request. */
  | 'done'
  /** The sender cannot know. */
  | 'maybe'
  /** The response says that the request had no effect. */
  | 'refused';

export interface Asked extends Pick<Received, 'number' | 'method' | 'headers' | 'body'> {
  /** Path with query. */
  path: string;
  fate: Fate | undefined;
  answered: number | undefined;
}

/** The local service's own response. */
interface Real {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
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
  private readonly forwarding = new Set<Promise<unknown>>();

  private constructor(
    private readonly server: TestService,
    private readonly service: Pick<Sandbox, 'ask'>,
  ) {
    server.answer((received, response) => void this.take(received, response));
  }

  static async start(service: Pick<Sandbox, 'ask'>): Promise<Front> {
    return new Front(await TestService.start(), service);
  }

  get baseUrl(): string {
    return this.server.baseUrl;
  }

  /** Starts a new cell: clears the recorded requests, and refuses connections with another key. */
  begin(begun: Begun): void {
    this.begun = begun;
    this.asked = [];
    this.server.received.length = 0;
  }

  /** Ends the cell: forwards no more requests, and waits for the ones in flight. */
  async end(): Promise<void> {
    this.begun = undefined;
    await Promise.allSettled(this.forwarding);
  }

  async close(): Promise<void> {
    await this.server.stop();
  }

  private async take(received: Received, response: ServerResponse): Promise<void> {
    // The client may close the connection before the response is complete.
    response.on('error', () => undefined);
    const { method, headers, body, socket, url: path } = received;
    const key = String(headers['x-api-key'] ?? '');
    const { begun } = this;
    if (begun === undefined || (key !== '' && key !== begun.key)) {
      socket.destroy();
      return;
    }
    const asked: Asked = {
      ...{ number: this.asked.length + 1, method, path, headers, body },
      fate: undefined,
      answered: undefined,
    };
    this.asked.push(asked);
    let answer: Promise<Real> | undefined;
    try {
      await begun.strike({
        ...{ asked, key, strangerUrl: begun.strangerUrl, socket, response },
        real: async () => await (answer ??= this.forward(asked, begun)),
        reply: (status, headers, sent) => {
          asked.fate ??= fateOf(status);
          asked.answered = status;
          if (response.destroyed || response.headersSent) return;
          response.writeHead(status, { 'content-length': Buffer.byteLength(sent), ...headers });
          response.end(method === 'HEAD' ? '' : sent);
        },
      });
    } catch {
      socket.destroy();
    }
    asked.fate ??= 'maybe';
  }

  private async forward(asked: Asked, begun: Begun): Promise<Real> {
    if (this.begun !== begun) throw new Error('This cell is over.');
    const { method, path, headers, body } = asked;
    const own = 'x-api-key' in headers ? { 'x-api-key': begun.serviceKey } : {};
    const asking = this.service.ask({
      // The local service has no HEAD.
      method: method === 'HEAD' ? 'GET' : method,
      path,
      headers: { ...withoutHop(headers, 'host'), ...own },
      body,
    });
    this.forwarding.add(asking);
    const answer = await asking.finally(() => this.forwarding.delete(asking));
    asked.fate = answer.status < 300 ? 'done' : 'refused';
    const kept = withoutHop(answer.headers, 'content-length') as Record<string, string>;
    return { ...answer, headers: kept };
  }
}

/** Returns headers without those that each connection has of its own. */
function withoutHop(headers: Readonly<Record<string, unknown>>, more: string) {
  const own = ['connection', 'keep-alive', 'transfer-encoding', more];
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => !own.includes(name) && value !== undefined),
  );
}

function fateOf(status: number): Fate {
  return status >= 300 && status < 500 && status !== 408 ? 'refused' : 'maybe';
}
