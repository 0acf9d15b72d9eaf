import {
  json,
  TestService,
  text,
  type Answering,
  type Received,
} from '../src/client/support/service';

interface Echo {
  readonly shown: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly header: string;
}

/** The responses, by the name in the requested domain, list or job, such as `e401.example`. */
const WAYS: Readonly<Record<string, (echo: Echo, elsewhere: string) => Answering>> = {
  '401': (echo) =>
    error(echo, 401, 'invalid_api_key', { 'www-authenticate': `Key key="${echo.header}"` }),
  '404': (echo) => error(echo, 404, 'company_not_found'),
  '422': (echo) => error(echo, 422, 'invalid_definition'),
  '429': (echo) => error(echo, 429, 'operational_rate_limit_exceeded', { 'retry-after': '86400' }),
  '500': ({ shown }) => html(shown, 500),
  '307': ({ header }, elsewhere) =>
    text(header, 307, { location: `${elsewhere}?${encodeURIComponent(header)}` }),
  page: ({ shown }) => html(shown, 200),
  half: ({ fields }) => {
    const whole = JSON.stringify(fields);
    return text(whole.slice(0, whole.length / 2), 200, { 'content-type': 'application/json' });
  },
  text: ({ shown }) => text(shown, 400, { 'content-type': 'text/plain' }),
  csv: ({ shown }) =>
    text(`domain,note\r\nacme.com,${shown}\r\n`, 200, { 'content-type': 'text/csv' }),
  reset:
    ({ shown }) =>
    ({ socket }, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10_000 });
      response.write(shown, () => socket.resetAndDestroy());
    },
  garbage:
    ({ header }) =>
    ({ socket }) =>
      void socket.end(`HTTP/1.1 2x0 ${header}\r\n${header}\r\n\r\n${header}`),
};

export const FAILURES = Object.keys(WAYS);

/**
 * Starts a service that, like a proxy that shows people what they sent, repeats the API key wherever
 * it can, in all spellings. It adds a canary next to the key, so that a test can prove that its
 * search works.
 */
export async function startEchoingService(canary: string) {
  const other = await TestService.start();
  // Use another host name, so that the target of redirects differs in more than the port.
  const elsewhere = `${other.baseUrl.replace('127.0.0.1', 'localhost')}/elsewhere`;
  const service = await TestService.start((request, response) => {
    const { url, method, body } = request;
    const asked = `${url} ${body}`;
    if (method === 'POST' && url.startsWith('/v1/companies/refresh') && asked.includes('job.')) {
      const headers = { location: '/v1/jobs/e500-job' };
      json({ job_id: 'e500-job' }, 202, headers)(request, response);
      return;
    }
    const way = WAYS[/\be(\w+?)[.-]/.exec(asked)?.[1] ?? ''] ?? WAYS['404'];
    way?.(echoOf(keyOf(request) ?? '', canary), elsewhere)(request, response);
  });
  return {
    baseUrl: service.baseUrl,
    seen: () => service.received.map((request) => ({ path: request.url, key: keyOf(request) })),
    keysElsewhere: () => other.received.flatMap((request) => keyOf(request) ?? []),
    stop: async () => await Promise.all([service.stop(), other.stop()]),
  };
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
  return { shown: `${both} ${JSON.stringify(fields)}`, fields, header: both };
}

function error(echo: Echo, status: number, code: string, headers: Record<string, string> = {}) {
  const body = { error: code, message: `You sent ${echo.shown}`, ...echo.fields };
  return json(body, status, { 'x-echo': echo.header, ...headers });
}

function html(shown: string, status: number): Answering {
  const page = `<html><head><title>Echo</title></head><body>${shown}</body></html>`;
  return text(page, status, { 'content-type': 'text/html' });
}
