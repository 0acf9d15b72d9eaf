import { once } from 'node:events';
import { createServer } from 'node:http';

const TECH_KEY = 'everywhere';

/**
 * A service with one technology that as many companies use as you like. Rows are made when they are
 * asked for, so that a million costs it no memory; it has no limits and bills nothing.
 *
 * @param {number} total
 * @returns {Promise<{baseUrl: string, techKey: string, requests: () => number, close: () => void}>}
 */
export async function startManyUsers(total) {
  let requests = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://service.test');
    const page = Number(url.searchParams.get('page') ?? 1);
    const limit = Number(url.searchParams.get('limit') ?? 50);
    const firmographics = url.searchParams.get('include') === 'firmographics';
    if (url.pathname !== `/v1/technologies/${TECH_KEY}/companies`) {
      response.writeHead(404).end('{"error":"technology_not_found","message":"unknown"}');
      return;
    }
    requests += 1;
    const from = (page - 1) * limit;
    const to = Math.min(total, page * limit);
    const data = Array.from({ length: Math.max(0, to - from) }, (_unused, index) =>
      company(from + index, firmographics),
    );
    const pages = Math.ceil(total / limit);
    const answer = {
      technology: {
        tech_key: TECH_KEY,
        display_name: 'Everywhere',
        vendor_name: 'Everywhere Inc',
        total_companies: total,
      },
      data,
      pagination: {
        page,
        limit,
        total_results: total,
        total_pages: pages,
        has_next: page < pages,
        has_prev: page > 1,
      },
    };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    techKey: TECH_KEY,
    requests: () => requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * A row as the interface shows it (Technology and vendor), different for each number.
 *
 * @param {number} number
 * @param {boolean} firmographics
 */
export function company(number, firmographics) {
  return {
    slug: `company-${number}`,
    name: `Company ${number}, Möbel & Söhne`,
    primary_domain: `company-${number}.example.com`,
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
