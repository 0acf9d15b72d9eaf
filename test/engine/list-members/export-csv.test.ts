/** List Members, Export CSV: the service's own file, byte for byte. */

import { inTurn, json, TestService, text, type Answering } from '../../src/client/support/service';
import { byId } from '../shared/nodes';
import { createList, fileOf, listMembers, NAME, useLists } from './list-members';

const sandbox = useLists({ companies: 500 });
let listId: string;
beforeEach(async () => {
  listId = await createList(sandbox, 0);
});

const EXPORT = { operation: 'exportCsv', listId: byId('7') };
const CSV = { 'content-type': 'text/csv' };
const exportFrom = async (
  service: TestService,
  parameters = {},
  settings: Parameters<typeof listMembers>[3] = {},
) => await listMembers(service, { ...EXPORT, ...parameters }, [{}], settings);

describe('Export CSV as a file', () => {
  it('outputs the file of the service with its name and type', async () => {
    const run = await listMembers(sandbox, { operation: 'exportCsv', listId: byId(listId) });
    const url = `${sandbox.baseUrl}/v1/lists/${listId}/export.csv`;
    const csv = await (await fetch(url, { headers: { 'X-API-Key': sandbox.keys.user } })).text();

    expect(fileOf(run)).toBe(csv);
    expect(run.json(NAME)).toEqual([
      { list_id: listId, file_name: `${listId}.csv`, bytes: Buffer.byteLength(csv) },
    ]);
    expect(run.output(NAME)[0]?.binary?.['data']).toMatchObject({
      fileName: `${listId}.csv`,
      mimeType: 'text/csv',
      fileExtension: 'csv',
    });
    expect(run.traced()).toEqual([0]);
  });

  it.each([
    ['\ufeffname\r\n"=1,""x"""\r\nü\n\n', 'odd line ends, quotes and a byte order mark'],
    ['a;b\n"not closed', 'what is no proper CSV'],
    ['a'.repeat(300_000), 'a single cell'],
    ['', 'nothing'],
  ])('keeps every byte of the file: %#', async (body) => {
    const service = await TestService.start(text(body, 200, CSV));

    expect(fileOf(await exportFrom(service))).toBe(body);
  });

  it.each([
    ['attachment; filename="My list.csv"', {}, 'My list.csv'],
    ['attachment; filename=list.csv; size=3', {}, 'list.csv'],
    ["attachment; filename*=utf-8''Ziele%20%C3%9Cbersee.csv", {}, 'Ziele Übersee.csv'],
    ['attachment; filename="Ziele.csv"; filename*=UTF-8\'de\'%C3%9Cbersee.csv', {}, 'Übersee.csv'],
    ["attachment; filename*=UTF-8''..%2F..%2Fpasswd", {}, 'passwd'],
    ['attachment; filename="The \\"best\\".csv"', {}, 'The "best".csv'],
    ['attachment; filename="../../etc/passwd"', {}, 'passwd'],
    ['attachment; filename=".."', {}, 'list-7.csv'],
    ['attachment', {}, 'list-7.csv'],
    ['attachment; filename="a.csv"', { fileName: ' accounts.csv ' }, 'accounts.csv'],
  ])('for header %j and options %j, names the file %s', async (disposition, options, name) => {
    const service = await TestService.start(
      text('a\n', 200, { ...CSV, 'content-disposition': disposition }),
    );
    const run = await exportFrom(service, { options });

    expect(run.output(NAME)[0]?.binary?.['data']?.fileName).toBe(name);
  });
});

it.each<[string, Answering]>([
  ['an HTML page', text('<!doctype html><p>Log in</p>', 200, { 'content-type': 'text/html' })],
  ['HTML that calls itself CSV', text(' <html></html>', 200, CSV)],
  ['JSON', json({ url: 'elsewhere' })],
  ['null', json(null)],
  ['nothing at all', text('')],
])('requests again when the response is %s instead of CSV, then fails', async (what, answering) => {
  const once = await TestService.start(inTurn(answering, text('a\n1\n', 200, CSV)));
  expect(fileOf(await exportFrom(once))).toBe('a\n1\n');

  const always = await TestService.start(answering);
  const run = await exportFrom(always);
  expect(run.error?.message).toMatch(/^The response is (empty|not CSV)/);
  // Behind a web page, the service did not get the request, so nothing was spent.
  expect(run.error?.description?.includes('Spent')).toBe(!what.includes('HTML'));
  expect(always.received).toHaveLength(4);
});

it.each([
  [{ maxCredits: 9 }, {}],
  [{}, { maxCreditsPerRun: 9 }],
])(
  'names the limit to lift when the number of members is unknown: %j, %j',
  async (options, fields) => {
    const service = await TestService.start(json({ high_count: 3 }));
    const credential = { baseUrl: service.baseUrl, apiKey: 'user', ...fields };
    const credentials = { companyIntelligenceUserApi: credential };
    const { error } = await exportFrom(service, { options }, { credentials });

    expect(error).toMatchObject({
      message: expect.stringMatching(/^The service did not return the number of members/),
      description: expect.stringContaining(
        'To export anyway, set Max Credits (in the node, or per run in the credential) to 0.',
      ),
    });
  },
);
