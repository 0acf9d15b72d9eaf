/**
 * Keep Only drops rows that the service returned and billed. It works the same in all lists of
 * companies.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sentTo, useSandbox } from '../shared/service';
import { byId, running, textOfFile } from '../shared/nodes';
import { errorItemOf } from '../shared/error-items';

const NAME = 'Tech Users';
const techUsers = running('techUsers', NAME);
const LOOKUP = 'Company Lookup';
const companyLookup = running('companyLookup', LOOKUP);
const sandbox = useSandbox({ companies: 500 });

const LARGE = { employeesMin: 201 };
const LIMIT = 60;

const users = async (parameters: INodeParameters) =>
  await techUsers(sandbox, {
    operation: 'getByTechnology',
    techKey: byId('google-analytics'),
    limit: LIMIT,
    ...parameters,
  });

function isLarge({ employees_max: max, employee_range: range }: IDataObject): boolean {
  // An open range has no upper bound.
  const isOpen = max === undefined || max === '';
  return typeof range === 'string' && range !== '' && (isOpen || Number(max) >= 201);
}

async function large(): Promise<IDataObject[]> {
  const rows = (await users({ include: ['firmographics'] })).json(NAME);
  const kept = rows.filter(isLarge);
  expect([rows.length, kept.length > 0, kept.length < LIMIT]).toEqual([LIMIT, true, true]);
  sandbox.reset();
  return kept;
}

it('keeps the matching rows within Limit and reports how many it dropped', async () => {
  const expected = await large();
  const run = await users({ keepOnly: LARGE });

  expect(run.json(NAME)).toEqual(expected);
  expect(sandbox.report()).toMatchObject({ requests: 1, charged: LIMIT });
  expect(run.messages(NAME)).toEqual([
    expect.stringContaining(
      `Keep Only dropped ${String(LIMIT - expected.length)} of ${LIMIT} rows (`,
    ),
  ]);
});

it('writes only the kept rows to a file', async () => {
  const expected = await large();
  const run = await users({ keepOnly: LARGE, output: 'ndjson' });

  expect(run.json(NAME)).toMatchObject([{ rows: expected.length }]);
  const lines = textOfFile(run.output(NAME)[0]).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as IDataObject)).toEqual(expected);
});

describe('when the second page fails', () => {
  const companies = async (parameters: INodeParameters) =>
    await companyLookup(sandbox, { operation: 'getMany', ...parameters }, [{}], {
      onError: 'continueErrorOutput',
    });
  const failing = async (parameters: INodeParameters) => {
    sandbox.addFault({ preset: 'forbidden', when: { nth: 2 } });
    return await companies({ limit: 200, ...parameters });
  };
  const afterDropping = (rows_dropped: number): unknown =>
    expect.objectContaining(
      errorItemOf(
        'forbidden',
        expect.stringContaining(
          `(at page 2; 100 rows read, ${String(rows_dropped)} of them dropped by Keep Only; missing: rows 101 to 200)`,
        ),
        { rows: 100, rows_dropped },
      ),
    );

  it.each(['items', 'ndjson'])(
    'reports how many rows were read and how many of them it dropped: %s',
    async (output) => {
      const all = (await companies({ limit: 100, include: ['firmographics'] })).json(LOOKUP);
      const kept = all.filter(isLarge);
      sandbox.reset();
      const run = await failing({ keepOnly: LARGE, output });

      expect(sandbox.report().charged).toBe(100);
      expect(run.json(LOOKUP, 1)).toEqual([afterDropping(100 - kept.length)]);
      if (output === 'items') expect(run.json(LOOKUP)).toEqual(kept);
    },
  );

  it('reports it when it dropped all rows that were read', async () => {
    const run = await failing({ keepOnly: { country: 'No Such Country' } });
    expect(run.json(LOOKUP, 1)).toEqual([afterDropping(100)]);
  });
});

it('counts all rows with Count Only', async () => {
  const usual = await users({ countOnly: true });
  const run = await users({ countOnly: true, keepOnly: LARGE });
  expect(run.json(NAME)).toEqual(usual.json(NAME));
});

it('requests the same rows in Company Lookup as without Keep Only', async () => {
  const run = await companyLookup(sandbox, {
    operation: 'getMany',
    limit: LIMIT,
    keepOnly: { country: 'No Such Country' },
  });

  expect(run.json(LOOKUP)).toEqual([]);
  expect(sentTo(sandbox).map(({ query }) => query)).toMatchObject([
    { include: 'firmographics', limit: String(LIMIT), page: '1' },
  ]);
});

it('refuses bounds that no company can meet before anything is sent', async () => {
  const keepOnly = { employeesMin: 500, employeesMax: 50 };
  const run = await techUsers(
    sandbox,
    { operation: 'getByVendor', vendorDomain: 'google.com', keepOnly },
    [{}],
    { onError: 'continueErrorOutput' },
  );

  expect(run.json(NAME, 1)).toMatchObject([
    errorItemOf('invalid_input', expect.stringContaining('larger than')),
  ]);
  expect(sandbox.report().requests).toBe(0);
});
