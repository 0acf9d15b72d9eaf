import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const TECH_KEY = 'everywhere';

const LIST_ID = 'everyone';

/** Rows of a list, as a request asks for them. */
interface Asked {
  readonly from: number;
  readonly limit: number;
  readonly firmographics: boolean;
}

/**
 * A service with as many companies as you like: all of them use one technology, and are members of one
 * list. Rows are made when they are asked for, so that a million costs it no memory; it has no limits
 * and bills nothing.
 */
export async function startManyCompanies(total: number) {
  const rowsOf = ({ from, limit, firmographics }: Asked) =>
    Array.from({ length: Math.max(0, Math.min(total, from + limit) - from) }, (_unused, index) =>
      company(from + index, firmographics),
    );
  const page = (asked: Asked) => {
    const { from, limit } = asked;
    const number = from / limit + 1;
    const pages = Math.ceil(total / limit);
    return {
      data: rowsOf(asked),
      pagination: {
        page: number,
        limit,
        total_results: total,
        total_pages: pages,
        has_next: number < pages,
        has_prev: number > 1,
      },
    };
  };
  const technology = {
    tech_key: TECH_KEY,
    display_name: 'Everywhere',
    vendor_name: 'Everywhere Inc',
    total_companies: total,
  };
  const answers: Readonly<Record<string, (asked: Asked) => object>> = {
    [`/v1/technologies/${TECH_KEY}/companies`]: (asked) => ({ technology, ...page(asked) }),
    '/v1/companies': page,
    [`/v1/lists/${LIST_ID}/members`]: (asked) => ({ members: rowsOf(asked), total_count: total }),
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service.test');
    const limit = Number(searchParams.get('limit') ?? 50);
    const from =
      Number(searchParams.get('offset') ?? 0) + (Number(searchParams.get('page') ?? 1) - 1) * limit;
    const firmographics = searchParams.get('include') === 'firmographics';
    const answer = answers[pathname]?.({ from, limit, firmographics });
    if (answer === undefined) {
      response.writeHead(404).end('{"error":"technology_not_found","message":"unknown"}');
      return;
    }
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${String(port)}`,
    techKey: TECH_KEY,
    listId: LIST_ID,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A row as the interface shows it (Technology and vendor), different for each number. */
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
