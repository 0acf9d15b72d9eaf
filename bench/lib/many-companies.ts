import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const COMPANIES = 1_000_000;

/** Key of the technology that all companies use. */
export const TECH_KEY = 'everywhere';

/** Returns the id of the list whose members are the first `members` companies. */
export const listOf = (members: number) => `first-${String(members)}`;

/** A path whose response is the number of requests to all other paths. */
export const COUNT_PATH = '/requests';

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
  let requests = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const isCount = request.url === COUNT_PATH;
    if (!isCount) requests += 1;
    const answer = isCount ? requests : await answerTo(request);
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'not_found', message: 'unknown' }));
  };
  const server = createServer((request, response) => void respond(request, response));
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

async function answerTo(request: IncomingMessage): Promise<object | undefined> {
  if (request.method === 'POST') return bulkAnswer(await text(request));
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service.test');
  const limit = Number(searchParams.get('limit') ?? 50);
  const from =
    Number(searchParams.get('offset') ?? 0) + (Number(searchParams.get('page') ?? 1) - 1) * limit;
  const asked = { from, limit, firmographics: searchParams.get('include') === 'firmographics' };
  const [, members] = /^\/v1\/lists\/first-(\d+)\/members$/.exec(pathname) ?? [];
  if (members !== undefined) {
    return { members: rowsOf(asked, Number(members)), total_count: Number(members) };
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

function rowsOf({ from, limit, firmographics }: Asked, total: number) {
  return Array.from({ length: Math.max(0, Math.min(total, from + limit) - from) }, (_unused, row) =>
    company(from + row, firmographics),
  );
}

function page(asked: Asked) {
  const { from, limit } = asked;
  const number = from / limit + 1;
  const pages = Math.ceil(COMPANIES / limit);
  return {
    data: rowsOf(asked, COMPANIES),
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

/** Returns the response of a bulk lookup. */
function bulkAnswer(body: string) {
  const { domains } = JSON.parse(body) as { domains: string[] };
  const data = domains.map((domain) => ({
    domain,
    status: 'tracked',
    company: company(Number(/\d+/.exec(domain)?.[0]), false),
  }));
  return { data, total_domains_requested: domains.length, domains_found: domains.length };
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
