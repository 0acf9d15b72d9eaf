/**
 * Tests lists streamed from a real server into a file:
 * rows are used only after their page is complete.
 */
import { readEndpointPages } from '../../../../src/service/endpoint';
import { api } from '../../../../src/service/endpoints';
import { collectListing } from '../../../../src/run/listing/listing';
import { CreditBudget } from '../../../../src/run/run-guards';
import type { Row } from '../../../../src/values/json';
import { Run } from '../../../../src/run/run';
import { serviceWith } from '../../client/support/client';
import { type Answering, TestService } from '../../client/support/service';

afterAll(TestService.stopAll);

const TOTAL = 11_000;
const SIZE = 2_000;

const company = (number: number): Row => ({
  slug: `company-${String(number)}`,
  name: `Möbel ${String(number)} "&" {Söhne}`,
  extra: { field: [number] },
});

const companies = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_unused, index) => company(from + index));

/** Returns a page as the service sends it. */
function pageText(page: number, limit = SIZE): string {
  return JSON.stringify({
    technology: { tech_key: 'x' },
    data: companies((page - 1) * limit, Math.min(TOTAL, page * limit)),
    pagination: { page, limit, total_results: TOTAL, has_next: page * limit < TOTAL },
  });
}

function pagingOf(url: string): [page: number, limit: number] {
  const { searchParams } = new URL(url, 'http://x');
  return [Number(searchParams.get('page')), Number(searchParams.get('limit'))];
}

/** Sends pages, but uses up `faults` before the first good response to page 2. */
function withFaults(...faults: Answering[]): Answering {
  const left = [...faults];
  return (request, response) => {
    const [page, limit] = pagingOf(request.url);
    const fault = page === 2 ? left.shift() : undefined;
    if (fault === undefined) response.end(pageText(page, limit));
    else fault(request, response);
  };
}

async function read(answering: Answering, limit?: number) {
  const { service, client } = await serviceWith(answering);
  const credits = new CreditBudget(limit);
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const run = new Run(client, { credits, warn });
  const users = { tech_key: 'x', include: undefined };
  const range = { wanted: undefined, streamed: true };
  const result = await collectListing(readEndpointPages(run, api.technologyUsers, users, range));
  const pages = service.received.map(({ url }) => pagingOf(url)[0]).sort((a, b) => a - b);
  return { ...result, warnings, credits, pages };
}

it('reads every row once, in order and with every field', async () => {
  const { rows, pages, credits, warnings } = await read(withFaults(), TOTAL);

  expect(rows).toEqual(companies(0, TOTAL));
  // Read in pages of 1,000 rows, the last rows are page 11.
  expect(pages).toEqual([1, 2, 3, 4, 5, 11]);
  expect(credits.maxSpent).toBe(TOTAL);
  expect(warnings).toEqual([]);
});

const half = pageText(2).slice(0, pageText(2).length / 2);

const FAULTS: ReadonlyArray<readonly [string, Answering]> = [
  [
    'whose connection closes in the middle',
    (_request, response) => {
      response.writeHead(200, { 'content-length': pageText(2).length });
      response.write(half, () => response.destroy());
    },
  ],
  ['that ends in the middle', (_request, response) => response.end(half)],
  [
    'with a row that is not JSON',
    (_request, response) => response.end(pageText(2).replace('"company-3000"', 'NaN')),
  ],
  [
    'without a comma between two rows',
    (_request, response) => response.end(pageText(2).replace('}},{', '}}{')),
  ],
];

describe.each(FAULTS)('a page %s', (_what, fault) => {
  it('is requested again, and its rows are output once', async () => {
    const { rows, failure, pages, credits } = await read(withFaults(fault, fault), TOTAL);

    expect(failure).toBeUndefined();
    expect(rows).toEqual(companies(0, TOTAL));
    expect(pages).toEqual([1, 2, 2, 2, 3, 4, 5, 11]);
    expect(credits.maxSpent).toBe(TOTAL);
  });

  it('ends the list after the previous page when it keeps failing', async () => {
    const { rows, failure } = await read(withFaults(...Array<Answering>(10).fill(fault)));

    expect(failure).toMatchObject({
      code: expect.stringMatching(/^(?:no_answer|invalid_response)$/),
    });
    expect(rows).toEqual(companies(0, SIZE));
  });
});

it('ends with a warning when the service returns the same page again', async () => {
  const { rows, pages, warnings } = await read((_request, response) => response.end(pageText(1)));

  expect(pages).toEqual([1, 2]);
  expect(warnings).toEqual(['The service reported 11000 rows in the list, but returned 2000.']);
  expect(rows).toEqual(companies(0, SIZE));
});
