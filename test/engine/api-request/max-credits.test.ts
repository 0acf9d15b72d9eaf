/** API Request: Max Credits per Run of the credential, which counts the rows of each response. */
import type { IDataObject } from 'n8n-workflow';

import { json, TestService, text } from '../../src/client/support/service';
import { errorItemOf } from '../shared/error-items';
import { running } from '../shared/nodes';

const NAME = 'Company Intelligence API Request';
const apiRequest = running('apiRequest', NAME);

afterEach(TestService.stopAll);

const rows = (count: number) => Array.from({ length: count }, (_one, id) => ({ id }));

/** Sends a request per item, with a response like this each, under Max Credits per Run. */
async function spend(maxCreditsPerRun: number, answer: unknown, parameters = {}) {
  const service = await TestService.start(
    answer === '' ? text('', 204) : typeof answer === 'string' ? text(answer) : json(answer),
  );
  const credential = { baseUrl: service.baseUrl, apiKey: 'user', maxCreditsPerRun };
  const run = await apiRequest(
    service,
    { path: '={{ "lists/" + $json.n }}', ...parameters },
    [1, 2, 3, 4].map((n): IDataObject => ({ n })),
    {
      onError: 'continueErrorOutput',
      credentials: { companyIntelligenceUserApi: credential },
    },
  );
  return { run, sent: service.received.length };
}

it.each<[string, unknown, number, number]>([
  ['rows of a list', rows(30), 40, 2],
  ['rows under a usual name', { items: rows(30), pagination: {} }, 40, 2],
  ['nodes of a graph', { nodes: rows(3), edges: [{ source: 1, target: 2 }] }, 6, 2],
  ['lines of a file', 'domain\r\na.com\r\nb.com\r\n', 4, 2],
  ['one company', { slug: 'a', technologies: [{ tech_key: 'x' }, { tech_key: 'y' }] }, 3, 3],
  ['two lists that can be the rows', { a: rows(9), b: rows(9) }, 3, 3],
  ['no rows', { items: [] }, 1, 4],
  ['no body', '', 1, 4],
])('sends nothing more once %s have used it up', async (_what, answer, limit, expected) => {
  const { run, sent } = await spend(limit, answer);

  expect(sent).toBe(expected);
  expect(run.traced(1)).toEqual([0, 1, 2, 3].slice(expected));
  for (const item of run.json(NAME, 1)) {
    expect(item).toMatchObject(errorItemOf('max_credits_reached'));
  }
});

it('sends one request per item, however many domains it has', async () => {
  const body = JSON.stringify({ domains: ['a.com', 'b.com'], include: ['partnerships'] });
  const { run, sent } = await spend(
    100,
    { data: rows(2) },
    { method: 'POST', path: 'companies', body },
  );

  expect(sent).toBe(4);
  expect(run.json(NAME)).toHaveLength(4);
});

it('sends all requests when the credential has no limit', async () => {
  expect((await spend(0, rows(100))).sent).toBe(4);
});
