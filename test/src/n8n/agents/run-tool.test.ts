import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { splitCompanies } from '../../../../src/n8n/agents/tool-requests';
import { toolProperties } from '../../../../src/n8n/agents/properties';
import { runNode } from '../../../../src/n8n/agents/run-tool';
import { getOnError } from '../../../../src/n8n/failures';
import { createReader, warnAboutFixedText } from '../../../../src/n8n/parameters/read';

describe('splitCompanies', () => {
  it.each<[unknown, unknown[]]>([
    ['a.com', ['a.com']],
    ['a.com, b.com', ['a.com', 'b.com']],
    ['a.com;b.com\nc.com', ['a.com', 'b.com', 'c.com']],
    ['a.com, b.com and c.com', ['a.com', 'b.com', 'c.com']],
    ['a.com b.com', ['a.com', 'b.com']],
    ['["a.com","b.com"]', ['a.com', 'b.com']],
    [
      ['a.com', ' b.com '],
      ['a.com', 'b.com'],
    ],
    ['acme-inc, other-corp', ['acme-inc', 'other-corp']],
    ['https://www.a.com/about', ['https://www.a.com/about']],
    ['Acme Inc. a.com', ['Acme Inc. a.com']],
    ['[a.com]', ['[a.com]']],
    // Empty input stays, so that the row reports it.
    ['', ['']],
    ['[]', ['[]']],
    [undefined, [undefined]],
    [42, [42]],
  ])('splits %j into %j', (given, expected) => {
    expect(splitCompanies(given)).toEqual(expected);
  });
});

/** Returns the context that n8n passes to a tool with these parameters. */
function contextWith(parameters: IDataObject, more: object = {}): IExecuteFunctions {
  return {
    getNode: () => ({ type: 'company-intelligence.companyLookupTool', parameters }),
    getInputData: () => [{ json: {} }],
    getExecutionId: () => 'execution',
    getNodeParameter: (name: string, _index: number, fallback: unknown) =>
      parameters[name] ?? fallback ?? `the ${name}`,
    ...more,
  } as unknown as IExecuteFunctions;
}

/** Returns what a model receives of a result when these fields are selected. */
async function readOf(json: IDataObject, selectedFields: string): Promise<unknown> {
  const context = contextWith({ selectedFields });
  const outputs = await runNode(context, () => [[{ json, pairedItem: { item: 0 } }]]);
  return outputs[0]?.[0]?.json;
}

const SUCCEEDED = { status: 'succeeded' };
const USER = {
  domain: 'acme.com',
  company_name: 'Acme',
  slug: 'acme',
  first_seen_at: '2025-01-01T00:00:00Z',
  last_seen_at: '2026-01-01T00:00:00Z',
  detection_count: 3,
};

describe('the fields that a model receives', () => {
  const failed = { error: { code: 'company_not_found' }, message: 'Not known' };
  const refreshed = { domain: 'acme.com', status: 'succeeded', error: null, job_id: 'job_1' };

  it.each([
    ['the selected ones', USER, 'domain, slug', { domain: 'acme.com', slug: 'acme' }],
    ['all if none is selected', USER, '', USER],
    // A count or an unknown company has none of the selected fields.
    ['all if the row has none of them', USER, 'tier', USER],
    ['all of a failure', failed, 'domain', failed],
    ['not all if an error is null, because that is no failure', refreshed, 'status', SUCCEEDED],
  ])('are %s', async (_what, row, selected, expected) => {
    const empty = row === USER ? { investors: '', country: null } : {};
    expect(await readOf({ ...row, ...empty }, selected)).toEqual(expected);
  });

  it.each([
    ['limit', { domain: 'acme.com', last_seen_at: USER.last_seen_at }],
    ['identifier', USER],
  ])('are selected by default only for an operation with a Limit: %s', async (name, expected) => {
    const property = { displayName: name, name, type: 'string', default: '' } as const;
    const shown = toolProperties({ name: '', value: '' }, [property], 'domain, last_seen_at');
    const fields = shown.find((one) => one.name === 'selectedFields')?.default;
    expect(await readOf(USER, fields as string)).toEqual(expected);
  });
});

describe('when an MCP client calls the tool', () => {
  /** Returns what n8n's MCP Server Trigger receives if an operation returns these results. */
  async function received(...results: IDataObject[]): Promise<unknown> {
    const parentNode = { type: '@n8n/n8n-nodes-langchain.mcpTrigger' };
    const items = results.map((json) => ({ json, pairedItem: { item: 0 } }));
    const [answer] = await runNode(contextWith({}, { parentNode }), () => [items]);
    return answer?.map(({ json }) => json);
  }

  const failed = { error: { code: 'invalid_input', hint: 'Give a domain' }, message: 'No domain' };
  const other = { ...failed, message: 'No slug' };

  it('throws the failures and their hint when every item failed', async () => {
    await expect(received(failed)).rejects.toThrow(/^No domain\nGive a domain$/);
    await expect(received(failed, other)).rejects.toThrow(/^No domain\nGive a domain\nNo slug$/);
  });

  it('returns all items when one did not fail, and a note when there are none', async () => {
    expect(await received(USER, failed)).toEqual([USER, failed]);
    expect(await received({ found: false })).toEqual([{ found: false }]);
    expect(await received()).toEqual([{ note: 'No results: nothing matches.' }]);
  });
});

/** Returns the context of the operation when an agent runs a node with these options. */
async function seenBy(options: IDataObject): Promise<IExecuteFunctions> {
  const node = { type: 'company-intelligence.bulkEnrichTool', onError: 'continueErrorOutput' };
  const parameters = { domain: 'a.com, b.com', options };
  const context = contextWith(parameters, {
    getNode: () => ({ ...node, parameters }),
    continueOnFail: () => false,
    getInputData: () => [{ json: { website: 'c.com' } }],
  });
  let seen = context;
  await runNode(context, (own) => {
    seen = own;
    return [[]];
  });
  return seen;
}

it.each<[IDataObject, IDataObject]>([
  [{}, { maxWaitMinutes: 0.75 }],
  [{ output: 'merge', waitMode: 'durable' }, { maxWaitMinutes: 0.75 }],
  [{ maxWaitMinutes: '60' }, { maxWaitMinutes: 0.75 }],
  [{ subdomains: 'keep' }, { maxWaitMinutes: 0.75, subdomains: 'keep' }],
  [{ maxWaitMinutes: 0.5 }, { maxWaitMinutes: 0.5 }],
  // A value that is not a number of minutes is refused later, where the option is read.
  [{ maxWaitMinutes: 'long' }, { maxWaitMinutes: 'long' }],
])('has the options %j changed for an agent to %j', async (given, expected) => {
  const own = await seenBy(given);
  const always = { output: 'result', waitMode: 'inExecution', maxCredits: 0 };
  expect(own.getNodeParameter('options', 1, {})).toEqual({ ...always, ...expected });
});

it('outputs failures to an agent as items, whatever On Error says', async () => {
  expect(getOnError(await seenBy({}))).toBe('continueRegularOutput');
});

it('reads each company of a fixed text, without a warning about fixed text', async () => {
  const own = await seenBy({});
  const read = createReader(own, 'domain');

  expect([read(0), read(1)]).toEqual(['a.com', 'b.com']);
  expect(warnAboutFixedText(own, { name: 'domain', displayName: 'Domain' })).toEqual([]);
});

it('outputs one item for each company that a model lists in one argument', async () => {
  const context = contextWith({ identifier: 'a.com, b.com', selectedFields: '' });
  const outputs = await runNode(context, (rows) => [
    rows.getInputData().map((_item, index) => ({
      json: {
        identifier: rows.getNodeParameter('identifier', index),
        include: rows.getNodeParameter('include', index),
        beyond: rows.getNodeParameter('include', index + 2),
      },
      pairedItem: { item: index },
    })),
  ]);

  expect(outputs).toEqual([
    ['a.com', 'b.com'].map((identifier) => ({
      json: { domain: identifier, identifier, include: 'the include', beyond: 'the include' },
      pairedItem: { item: 0 },
    })),
  ]);
});
