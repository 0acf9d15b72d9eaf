/** Keep Only, which drops rows that came and were paid for; the same in all lists of companies. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sentTo, useSandbox } from '../shared/service';
import { byId, running } from '../shared/nodes';
import { errorItemOf } from '../shared/error-items';

const NAME = 'Tech Users';
const techUsers = running('techUsers', NAME);
const companyLookup = running('companyLookup', 'Company Lookup');
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
  return typeof range === 'string' && (max === undefined || Number(max) >= 201);
}

async function large(): Promise<IDataObject[]> {
  const rows = (await users({ include: ['firmographics'] })).json(NAME);
  const kept = rows.filter(isLarge);
  expect([rows.length, kept.length > 0, kept.length < LIMIT]).toEqual([LIMIT, true, true]);
  sandbox.reset();
  return kept;
}

it('keeps the rows that meet the conditions of those that Limit asks for, and says how many it dropped', async () => {
  const expected = await large();
  const run = await users({ keepOnly: LARGE });

  expect(run.json(NAME)).toEqual(expected);
  expect(sandbox.report()).toMatchObject({ requests: 1, charged: LIMIT });
  expect(run.hints(NAME).map(({ message }) => message)).toEqual([
    expect.stringContaining(
      `Keep Only dropped ${String(LIMIT - expected.length)} of ${LIMIT} rows (`,
    ),
  ]);
});

it('writes the rows that it keeps to a file', async () => {
  const expected = await large();
  const run = await users({ keepOnly: LARGE, output: 'ndjson' });

  expect(run.json(NAME)).toEqual([expect.objectContaining({ rows: expected.length })]);
  const [item] = run.output(NAME);
  const text = Buffer.from(item?.binary?.['data']?.data ?? '', 'base64').toString();
  const lines = text.split('\n').filter((line) => line !== '');
  expect(lines.map((line) => JSON.parse(line) as IDataObject)).toEqual(expected);
});

it('counts all rows with Count Only', async () => {
  const usual = await users({ countOnly: true });
  const run = await users({ countOnly: true, keepOnly: LARGE });
  expect(run.json(NAME)).toEqual(usual.json(NAME));
});

it('asks Company Lookup for no other rows than without it', async () => {
  const run = await companyLookup(sandbox, {
    operation: 'getMany',
    limit: LIMIT,
    keepOnly: { country: 'No Such Country' },
  });

  expect(run.json('Company Lookup')).toEqual([]);
  expect(sentTo(sandbox).map(({ query }) => query)).toEqual([
    expect.objectContaining({ include: 'firmographics', limit: String(LIMIT), page: '1' }),
  ]);
});

it('refuses bounds that no company can meet, before anything is sent', async () => {
  const keepOnly = { employeesMin: 500, employeesMax: 50 };
  const run = await techUsers(
    sandbox,
    { operation: 'getByVendor', vendorDomain: 'google.com', keepOnly },
    [{}],
    { onError: 'continueErrorOutput' },
  );

  expect(run.json(NAME, 1)).toEqual([
    expect.objectContaining(errorItemOf('invalid_input', expect.stringContaining('larger than'))),
  ]);
  expect(sandbox.report().requests).toBe(0);
});
