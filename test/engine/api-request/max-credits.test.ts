/** API Request: Max Credits per Run of the credential, which counts the rows of each response. */
import type { IDataObject } from 'n8n-workflow';

import { json, TestService, text } from '../../src/client/support/service';
import { errorItemOf } from '../shared/error-items';
import { running } from '../shared/nodes';

const NAME = 'Company Intelligence API Request';
const apiRequest = running('apiRequest', NAME);

afterEach(TestService.stopAll);

const rows = (count: number) => Array.from({ length: count }, (_one, id) => ({ id }));

/** A body with several companies, which does not change what a request may cost. */
const TWO_DOMAINS = JSON.stringify({ domains: ['a.com', 'b.com'], include: ['partnerships'] });

/** Sends a request per item, with a response like this each, under Max Credits per Run. */
async function spend(maxCreditsPerRun: number, answer: unknown) {
  const service = await TestService.start(
    answer === '' ? text('', 204) : typeof answer === 'string' ? text(answer) : json(answer),
  );
  const credential = { baseUrl: service.baseUrl, apiKey: 'user', maxCreditsPerRun };
  const run = await apiRequest(
    service,
    { method: 'POST', path: '={{ "lists/" + $json.n }}', body: TWO_DOMAINS },
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
  ['rows without a limit', rows(100), 0, 4],
])('sends nothing more once %s have used it up', async (_what, answer, limit, expected) => {
  const { run, sent } = await spend(limit, answer);

  expect(sent).toBe(expected);
  expect(run.traced(1)).toEqual([0, 1, 2, 3].slice(expected));
  for (const item of run.json(NAME, 1)) {
    expect(item).toMatchObject(errorItemOf('max_credits_reached'));
  }
});
