import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { createToolProperties } from '../../../../src/n8n/agents/properties';
import { getOnError } from '../../../../src/n8n/failures';
import { runNode } from '../../../../src/n8n/operation';

function contextWith(parameters: IDataObject, more: object = {}): IExecuteFunctions {
  return {
    getNode: () => ({ type: 'company-intelligence.companyLookupTool', parameters }),
    getInputData: () => [{ json: {} }],
    getNodeParameter: (name: string, _index: number, fallback: unknown) =>
      parameters[name] ?? fallback ?? `the ${name}`,
    ...more,
  } as unknown as IExecuteFunctions;
}

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

  it('are selected by default only for an operation with a Limit', async () => {
    const { domain, last_seen_at } = USER;
    const readBy = async (name: string) => {
      const property = { displayName: name, name, type: 'string', default: '' } as const;
      const shown = createToolProperties(
        { name: '', value: '' },
        [property],
        'domain, last_seen_at',
      );
      const fields = shown.find((one) => one.name === 'selectedFields')?.default;
      return await readOf(USER, fields as string);
    };
    expect(await readBy('limit')).toEqual({ domain, last_seen_at });
    expect(await readBy('identifier')).toEqual(USER);
  });
});

describe('when an MCP client calls the tool', () => {
  async function received(...results: IDataObject[]): Promise<unknown> {
    const parentNode = { type: '@n8n/n8n-nodes-langchain.mcpTrigger' };
    const items = results.map((json) => ({ json, pairedItem: { item: 0 } }));
    const [answer] = await runNode(contextWith({}, { parentNode }), () => [items]);
    return answer?.map(({ json }) => json);
  }

  const failed = { error: { code: 'invalid_input', hint: 'Give a domain' }, message: 'No domain' };
  const other = { ...failed, message: 'No slug' };

  it('throws the failures and their hint only when every item failed', async () => {
    await expect(received(failed)).rejects.toThrow(/^No domain\nGive a domain$/);
    await expect(received(failed, other)).rejects.toThrow(/^No domain\nGive a domain\nNo slug$/);
    expect(await received(USER, failed)).toEqual([USER, failed]);
    expect(await received({ found: false })).toEqual([{ found: false }]);
    expect(await received()).toEqual([{ note: 'No results: nothing matches.' }]);
  });
});

async function seenBy(options: IDataObject): Promise<IExecuteFunctions> {
  const node = { type: 'company-intelligence.bulkEnrichTool', onError: 'continueErrorOutput' };
  const parameters = { domain: 'a.com', options };
  const getNode = () => ({ ...node, parameters });
  const context = contextWith(parameters, { getNode, continueOnFail: () => false });
  let seen = context;
  await runNode(context, (own) => {
    seen = own;
    return [[]];
  });
  return seen;
}

it.each<IDataObject>([{}, { output: 'columns' }, { maxWaitMinutes: '60' }])(
  'replaces the options %j that an agent must not have',
  async (given) => {
    const own = await seenBy({ subdomains: 'keep', ...given });
    const always = { output: 'result', maxWaitMinutes: 0 };
    expect(own.getNodeParameter('options', 0, {})).toEqual({ subdomains: 'keep', ...always });
    // Failures are items, whatever On Error says.
    expect(getOnError(own)).toBe('continueRegularOutput');
  },
);
