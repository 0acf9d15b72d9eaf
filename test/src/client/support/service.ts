import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as it arrived, at this Unix time in ms. The first one has the number 1. */
export interface Received {
  readonly at: number;
  readonly number: number;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly socket: Socket;
}

export type Answering = (request: Received, response: ServerResponse) => void;

const running = new Set<TestService>();

export class TestService {
  readonly received: Received[] = [];
  connections = 0;
  /** Number of connections that the client or the server has closed. */
  closed = 0;
  private readonly server: Server;

  private constructor(private answering: Answering) {
    this.server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const received: Received = {
          at: Date.now(),
          number: this.received.length + 1,
          method: request.method ?? '',
          url: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
          socket: request.socket,
        };
        this.received.push(received);
        this.answering(received, response);
      });
    });
    this.server.on('connection', (socket: Socket) => {
      this.connections += 1;
      socket.on('close', () => (this.closed += 1));
    });
  }

  static async start(answering: Answering = json({ ok: true })): Promise<TestService> {
    const service = new TestService(answering);
    await new Promise<void>((resolve) => service.server.listen(0, '127.0.0.1', resolve));
    running.add(service);
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  answer(answering: Answering): void {
    this.answering = answering;
  }

  async stop(): Promise<void> {
    running.delete(this);
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  static readonly stopAll = async (): Promise<void> => {
    await Promise.all([...running].map(async (service) => await service.stop()));
  };
}

export async function deserted(): Promise<string> {
  const service = await TestService.start();
  const { baseUrl } = service;
  await service.stop();
  return baseUrl;
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answering {
  return text(JSON.stringify(body), status, { 'content-type': 'application/json', ...headers });
}

export function text(body: string, status = 200, headers: Record<string, string> = {}): Answering {
  return (_request, response) => {
    response.writeHead(status, headers).end(body);
  };
}

/** Responds to each of the first requests in its own way, and to all later ones like the last. */
export function inTurn(...answers: Answering[]): Answering {
  return (request, response) => {
    answers[Math.min(request.number, answers.length) - 1]?.(request, response);
  };
}

export const reset: Answering = (request) => {
  request.socket.destroy();
};

export const silence: Answering = () => undefined;

/** Sends the head of a response, then its body piece by piece: `pieces` of them, or endlessly. */
export function drip(everyMs: number, piece = ' ', pieces = Infinity): Answering {
  return (_request, response) => {
    response.writeHead(200);
    let left = pieces;
    const timer = setInterval(() => {
      response.write(piece);
      left -= 1;
      if (left === 0) response.end();
    }, everyMs);
    response.on('close', () => {
      clearInterval(timer);
    });
  };
}
