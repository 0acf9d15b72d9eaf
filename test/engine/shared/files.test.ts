/** Every list that can be written to a file: the file contains the same rows as the items. */
import { parse } from 'csv-parse/sync';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { LISTS, placeIn, runList, settled } from './lists';
import { textOfFile } from './nodes';
import { useSandbox } from './service';
import { errorItemOf } from './error-items';

// Enough companies for several pages of 10,000.
const sandbox = useSandbox({ companies: 26_000 });

const FILES = LISTS.flatMap((one) => (one.file === undefined ? [] : [{ ...one, file: one.file }]));

function ndjsonRows(item: INodeExecutionData | undefined): unknown[] {
  const lines = textOfFile(item).split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as unknown);
}

function csvRows(item: INodeExecutionData | undefined): Array<Record<string, string>> {
  return parse(textOfFile(item), { columns: true, bom: true });
}

describe.each(FILES)('$title', (one) => {
  let all: unknown[];
  beforeAll(async () => {
    all = (await runList(sandbox, one, { returnAll: true })).json(one.name);
  });
  /** Number of rows per request when the output is a file. */
  const size = Math.min(one.pageSize, 2_000);
  const requests = (rows: number) => Math.ceil(rows / size);

  it('writes every row once to an NDJSON file, with one item that describes it', async () => {
    const run = await runList(sandbox, one, { returnAll: true, output: 'ndjson' });
    const { name, requested } = one.file(placeIn(sandbox));
    const [item, ...others] = run.output(one.name);

    expect(run.error).toBeUndefined();
    expect(others).toEqual([]);
    expect(ndjsonRows(item)).toEqual(all);
    expect(item?.json).toEqual({
      ...requested,
      ...Object.fromEntries(one.header.map((key) => [key, expect.any(Object)])),
      rows: all.length,
      pages: requests(all.length),
      total_results: all.length,
      file_name: `${name}.ndjson`,
    });
    expect(item?.binary).toEqual({
      data: expect.objectContaining({
        fileName: `${name}.ndjson`,
        mimeType: 'application/x-ndjson',
      }),
    });
    expect(sandbox.report()).toMatchObject({ requests: requests(all.length), charged: all.length });
  });

  it('writes one line per row to a CSV file, with nested fields in separate columns', async () => {
    const list = { limit: 130, include: ['firmographics'] };
    const items = (await runList(sandbox, one, list)).json(one.name);
    const run = await runList(sandbox, one, { ...list, output: 'csv' });
    const [item] = run.output(one.name);
    const rows = csvRows(item);
    const columns = Object.keys(rows[0] ?? {});
    const briefs = (of: readonly IDataObject[]) =>
      of.map(({ domain, industry }) => [domain, industry]);

    // n8n's own files also begin with a byte order mark, for Excel.
    expect(textOfFile(item).startsWith('\uFEFF')).toBe(true);
    expect(columns.slice(0, 3)).toEqual(['domain', 'company_name', 'industry']);
    expect(columns.filter((column) => column.includes('.'))).toEqual([]);
    expect(item?.binary?.['data']).toMatchObject({
      fileName: `${one.file(placeIn(sandbox)).name}.csv`,
      mimeType: 'text/csv',
    });
    expect(briefs(rows)).toEqual(briefs(items));
  });

  it('writes a CSV file with only the header line when there are no rows', async () => {
    const offset = 1_000_000;
    const list = { returnAll: true, output: 'csv', options: { offset } };
    const [item] = (await runList(sandbox, one, list)).output(one.name);

    expect(textOfFile(item)).toMatch(/^\uFEFFdomain,[^\n]*\n$/);
    expect(item?.json).toMatchObject({ rows: 0, offset, total_results: all.length });
    expect(sandbox.report().charged).toBe(0);
  });

  describe('when a page fails', () => {
    const failLastPage = () => {
      const nth = requests(all.length);
      sandbox.addFault({ preset: 'forbidden', when: { nth } });
      const rows = size * (nth - 1);
      const missing_rows = [{ first: rows + 1, last: all.length }];
      return { rows, missing_rows, next_offset: rows };
    };
    const saying = ({ rows }: ReturnType<typeof failLastPage>): unknown =>
      expect.stringContaining(`(${rows.toLocaleString('en-US')} rows read; missing: rows `);

    it.each([
      ['continueRegularOutput', 0],
      ['continueErrorOutput', 1],
    ] as const)(
      'outputs the incomplete file and the Offset to resume from, On Error: %s',
      async (onError, output) => {
        const failed = failLastPage();
        const parameters = { returnAll: true, output: 'ndjson' };
        const run = await runList(sandbox, one, parameters, { onError });
        const [item, ...others] = run.output(one.name, output);

        expect(others).toEqual([]);
        expect(item?.json).toEqual({
          ...(output === 1 ? placeIn(sandbox) : {}),
          ...errorItemOf('forbidden', saying(failed), {
            ...failed,
            pages: failed.rows / size,
            hint: expect.stringMatching(/with Offset \d+ and Limit \d+\..*free for 30 days/),
          }),
        });
        expect(item?.binary?.['data']?.fileName).toBe(
          `incomplete-${one.file(placeIn(sandbox)).name}.ndjson`,
        );
        await settled(sandbox);

        const options = { offset: failed.next_offset };
        const rest = await runList(sandbox, one, { ...parameters, options });
        const [restItem] = rest.output(one.name);
        expect(restItem?.binary?.['data']?.fileName).toMatch(/-from-row-\d+\.ndjson$/);
        expect([...ndjsonRows(item), ...ndjsonRows(restItem)]).toEqual(all);
      },
    );

    it('includes the number of rows read in the error when On Error is Stop', async () => {
      const failed = failLastPage();
      const run = await runList(sandbox, one, { returnAll: true, output: 'csv' });

      expect(run.error).toMatchObject({
        name: 'NodeApiError',
        message: saying(failed),
        description: expect.stringContaining('On Error is Stop Workflow'),
        context: { itemIndex: 0, data: expect.objectContaining(failed) },
      });
      await settled(sandbox);
    });
  });
});
