import type { ServerResponse } from 'node:http';

import { json as answerOf, TestService, type Received } from '../src/client/support/service';

type Answering = (echo: Echo, response: ServerResponse, request: Received) => void;

/** The parts of the request that a response repeats. */
interface Echo {
  /** The key and the canary in every spelling. */
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The key and the canary in a form that headers can contain. */
  readonly header: string;
}

const RESET_AFTER_BYTES = 20;

/**
 * A service whose failure depends on the requested domain, list or job, such as `e401.example`.
 * Like a proxy that shows people what they sent, it repeats the API key wherever it can, in all
 * spellings. It adds a canary next to the key, so that a test can prove that its search works.
 */
export class EchoingService {
  private constructor(
    private readonly service: TestService,
    /** Another host, the target of redirects. */
    private readonly other: TestService,
    private readonly canary: string,
  ) {
    service.answer((request, response) => {
      this.answer(request, response);
    });
  }

  static async start(canary: string): Promise<EchoingService> {
    const other = await TestService.start(answerOf({}));
    return new EchoingService(await TestService.start(), other, canary);
  }

  get baseUrl(): string {
    return this.service.baseUrl;
  }

  get seen() {
    return this.service.received.map((request) => ({ path: request.url, key: keyOf(request) }));
  }

  /** The keys that the other host has received. It must never receive any. */
  get elsewhere() {
    return { keys: this.other.received.flatMap((request) => keyOf(request) ?? []) };
  }

  async stop(): Promise<void> {
    await Promise.all([this.service.stop(), this.other.stop()]);
  }

  private answer(request: Received, response: ServerResponse): void {
    const { url, method, body } = request;
    const echo = echoOf(keyOf(request) ?? '', this.canary);
    const asked = `${url} ${body}`;
    if (method === 'POST' && url.startsWith('/v1/companies/refresh') && asked.includes('job.')) {
      json(202, { job_id: 'e500-job' }, { location: '/v1/jobs/e500-job' })(echo, response, request);
      return;
    }
    const way = /\be(\w+?)[.-]/.exec(asked)?.[1] ?? '';
    const answering = this.ways()[way] ?? error(404, 'company_not_found');
    answering(echo, response, request);
  }

  ways(): Readonly<Record<string, Answering>> {
    // Use another host name, so that the target differs in more than the port.
    const away = `${this.other.baseUrl.replace('127.0.0.1', 'localhost')}/elsewhere`;
    return {
      '401': error(401, 'invalid_api_key', (key) => ({ 'www-authenticate': `Key key="${key}"` })),
      '402': error(402, 'credit_exhausted'),
      '403': error(403, 'user_credential_required'),
      '404': error(404, 'company_not_found'),
      '409': error(409, 'definition_version_conflict'),
      '422': error(422, 'invalid_definition'),
      '429': error(429, 'operational_rate_limit_exceeded', () => ({ 'retry-after': '86400' })),
      '500': html(500),
      '503': error(503, 'unavailable'),
      '307': redirect(307, away),
      '302': redirect(302, away),
      page: html(200),
      half: ({ fields }, response) => {
        const text = JSON.stringify(fields);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(text.slice(0, text.length / 2));
      },
      text: ({ text }, response) => {
        response.writeHead(400, { 'content-type': 'text/plain' }).end(text);
      },
      reset: ({ text }, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10_000 });
        response.write(text, () => {
          response.socket?.resetAndDestroy();
        });
      },
      gone: (_echo, response) => {
        response.socket?.resetAndDestroy();
      },
      garbage: ({ header }, response) => {
        response.socket?.end(`HTTP/1.1 2x0 ${header}\r\n${header}\r\n\r\n${header}`);
      },
      csv: ({ text }, response) => {
        response.writeHead(200, { 'content-type': 'text/csv', 'content-length': 10_000_000 });
        response.write(`domain,note\r\nacme.com,${text}\r\n`, () => {
          setTimeout(() => response.socket?.resetAndDestroy(), RESET_AFTER_BYTES);
        });
      },
    };
  }
}

function keyOf({ headers }: Received): string | undefined {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : undefined;
}

function echoOf(key: string, canary: string): Echo {
  const both = `${key} ${canary}`;
  const fields = {
    sent: { 'X-API-Key': key, canary },
    curl: `curl -H 'X-API-Key: ${key}' -H 'Canary: ${canary}'`,
    url: [key, canary].map(encodeURIComponent),
    json: JSON.stringify({ key, canary }),
    [`field ${both}`]: 1,
  };
  return { text: `${both} ${JSON.stringify(fields)}`, fields, header: both };
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Answering {
  return (_echo, response) => {
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
  };
}

function error(
  status: number,
  code: string,
  headers: (header: string) => Record<string, string> = () => ({}),
): Answering {
  return (echo, response, request) => {
    const more = { 'x-echo': echo.header, ...headers(echo.header) };
    const body = { error: code, message: `You sent ${echo.text}`, ...echo.fields };
    json(status, body, more)(echo, response, request);
  };
}

function html(status: number): Answering {
  return ({ text }, response) => {
    response
      .writeHead(status, { 'content-type': 'text/html' })
      .end(`<html><head><title>Echo</title></head><body>${text}</body></html>`);
  };
}

function redirect(status: number, to: string): Answering {
  return ({ header }, response) => {
    response.writeHead(status, { location: `${to}?${encodeURIComponent(header)}` }).end(header);
  };
}
