import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const COMPANIES = 1_000_000;

/** Key of the technology that all companies use. */
export const TECH_KEY = 'everywhere';

/** Id of the list whose members are all companies. */
export const LIST_ID = 'everyone';

/** The rows of a list that a request asks for. */
interface Asked {
  readonly from: number;
  readonly limit: number;
  readonly firmographics: boolean;
}

/**
 * A service with a million companies. It creates rows only when a request needs them, so that they
 * use no memory. It has no limits and charges nothing.
 */
export async function startManyCompanies() {
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const answer = answerTo(request);
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'not_found', message: 'unknown' }));
  };
  const server = createServer(respond);
  // Otherwise the server would close the idle connections of a process that is busy with a million
  // rows.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${String(port)}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerTo(request: IncomingMessage): object | undefined {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service.test');
  const limit = Number(searchParams.get('limit') ?? 50);
  const from =
    Number(searchParams.get('offset') ?? 0) + (Number(searchParams.get('page') ?? 1) - 1) * limit;
  const asked = { from, limit, firmographics: searchParams.get('include') === 'firmographics' };
  if (pathname === `/v1/lists/${LIST_ID}/members`) {
    return { members: rowsOf(asked), total_count: COMPANIES };
  }
  if (pathname === '/v1/companies') return page(asked);
  return pathname === `/v1/technologies/${TECH_KEY}/companies`
    ? { technology: TECHNOLOGY, ...page(asked) }
    : undefined;
}

const TECHNOLOGY = {
  tech_key: TECH_KEY,
  display_name: 'Everywhere',
  vendor_name: 'Everywhere Inc',
  total_companies: COMPANIES,
};

function rowsOf({ from, limit, firmographics }: Asked) {
  const length = Math.max(0, Math.min(COMPANIES - from, limit));
  return Array.from({ length }, (_unused, row) => company(from + row, firmographics));
}

function page(asked: Asked) {
  const { from, limit } = asked;
  const number = from / limit + 1;
  const pages = Math.ceil(COMPANIES / limit);
  return {
    data: rowsOf(asked),
    pagination: {
      page: number,
      limit,
      total_results: COMPANIES,
      total_pages: pages,
      has_next: number < pages,
      has_prev: number > 1,
    },
  };
}

/** Returns a row as in the API spec (Technology and vendor), different for each number. */
export function company(number: number, firmographics: boolean) {
  return {
    slug: `company-${String(number)}`,
    name: `Company ${String(number)}, Möbel & Söhne`,
    primary_domain: `company-${String(number)}.example.com`,
    detection_count: 1 + (number % 40),
    first_seen_at: '2024-01-01T00:00:00Z',
    last_seen_at: '2026-06-01T12:00:00Z',
    ...(firmographics
      ? {
          firmographics: {
            industry: 'Computer Software',
            employee_range: '51-200',
            country: 'Germany',
            founded_year: 1990 + (number % 30),
            tech_count: 20 + (number % 50),
            open_jobs_count: number % 9,
            partnership_count: number % 100,
          },
        }
      : {}),
  };
}
