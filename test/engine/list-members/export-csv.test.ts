/** List Members, Export CSV: the service's own file, byte for byte, or its rows as items. */

import { inTurn, json, TestService, text, type Answering } from '../../src/client/support/service';
import { byId } from '../shared/nodes';
import { createList, fileOf, listMembers, membersOf, NAME, useLists } from './list-members';

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

const latin = (text: string) => Buffer.from(text, 'latin1');
const bytes =
  (type: string, body: Buffer): Answering =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  };

describe('Export CSV as items', () => {
  it('outputs one item per member, with every cell as text', async () => {
    const parameters = { operation: 'exportCsv', listId: byId(listId), output: 'items' };
    const run = await listMembers(sandbox, parameters);
    const members = await membersOf(sandbox, listId);

    expect(run.json(NAME)).toEqual(
      members.map(({ company_id, name, primary_domain, slug, tier }): unknown => ({
        company_id: String(company_id),
        name,
        primary_domain,
        slug: slug ?? '',
        tier,
        added_by: 'filter',
      })),
    );
  });

  it.each<[string, string, unknown[]]>([
    ['quotes and line breaks', '\ufeffa,b\r\n"1 ""x""\r\n",2\r\n', [{ a: '1 "x"\r\n', b: '2' }]],
    ['two columns of the same name', 'a,a,b\n1,2,3\n', [{ a: ['1', '2'], b: '3' }]],
    ['semicolons', 'name;size\n"A, B;C";1\n', [{ name: 'A, B;C', size: '1' }]],
    ['tabs', '\uFEFFname\tsize\nA;B\t1\n', [{ name: 'A;B', size: '1' }]],
    ['pipes', 'name|size\n"A|B"|1\n', [{ name: 'A|B', size: '1' }]],
    [
      'rows with fewer and more cells',
      'name,size\nA\nB,1,x,y\n',
      [{ name: 'A' }, { name: 'B', size: '1', column_3: 'x', column_4: 'y' }],
    ],
    ['only a header line', 'name;size', []],
    ['no content', '', []],
  ])('parses a file with %s', async (_what, csv, items) => {
    const service = await TestService.start(text(csv, 200, CSV));
    const run = await exportFrom(service, { output: 'items' });

    expect(run.error).toBeUndefined();
    expect(run.json(NAME)).toEqual(items);
  });

  const MARIO = Buffer.from('name;note\nMário;€\n', 'utf16le');
  it.each<[string, string, Buffer]>([
    ['a UTF-16 byte order mark', 'text/csv', Buffer.concat([Buffer.from([0xff, 0xfe]), MARIO])],
    ['the charset UTF-16', 'text/csv; charset="UTF-16LE"', MARIO],
    ['windows-1252', 'text/csv; charset=windows-1252', latin('name;note\nM\xe1rio;\x80\n')],
    ['no charset', 'text/csv', Buffer.from('name;note\nMário;€\n')],
  ])('decodes a file with %s', async (_what, type, body) => {
    const service = await TestService.start(bytes(type, body));

    expect((await exportFrom(service, { output: 'items' })).json(NAME)).toEqual([
      { name: 'Mário', note: '€' },
    ]);
  });

  it.each<[string, Buffer, string]>([
    ['text/csv', latin('name\nM\xe1rio\n'), ': its text is not in the charset utf-8'],
    ['text/csv; charset=x-unknown', latin('a\n1\n'), ': its text is not in the charset x-unknown'],
    ['text/csv', latin('a\n"1\n'), ''],
    ['text/csv', latin('a\n1"2"\n'), ''],
  ])('fails on an unreadable %s and says how to get the file (%#)', async (type, body, reason) => {
    const service = await TestService.start(bytes(type, body));
    const { error } = await exportFrom(service, { output: 'items' });

    expect(error?.message).toContain(`Could not parse the exported CSV file${reason}`);
    expect(error?.description).toMatch(/CSV File/);
  });
});

it.each<[string, Answering]>([
  ['an HTML page', text('<!doctype html><p>Log in</p>', 200, { 'content-type': 'text/html' })],
  ['HTML that calls itself CSV', text(' <html></html>', 200, CSV)],
  ['JSON', json({ url: 'elsewhere' })],
  ['null', json(null)],
  ['nothing at all', text('')],
])(
  'requests again when the response is %s instead of CSV, then fails',
  async (_what, answering) => {
    const once = await TestService.start(inTurn(answering, text('a\n1\n', 200, CSV)));
    expect(fileOf(await exportFrom(once))).toBe('a\n1\n');

    const always = await TestService.start(answering);
    const run = await exportFrom(always);
    expect(run.error?.message).toMatch(/^The response is (empty|not CSV)/);
    expect(always.received).toHaveLength(4);
  },
);

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
