/** Limits that a model cannot lift, and details of n8n that a model does not need. */
import type { IDataObject } from 'n8n-workflow';

import { runWorkflow, source } from '../harness';
import { byId } from '../shared/nodes';
import { READS } from '../shared/operations';
import { hubs } from '../shared/partners';
import {
  packageNode,
  sentTo,
  trackedDomains,
  useFreshSandbox,
  useSandbox,
  userCredential,
} from '../shared/service';
import { callTool, given, noteIn, resultsIn } from './tool';

const USERS = { operation: 'getByTechnology', techKey: byId(given('key')) };

describe('limits of a tool call', () => {
  const sandbox = useSandbox();

  it.each([
    ['cap rows at 500, whatever the model enters', { returnAll: given('all') }, 500],
    ['do not cap rows when the workflow turns on Return All', { returnAll: true }, 10_000],
  ])('%s', async (_what, own, rows) => {
    const parameters = { ...USERS, limit: given('limit'), ...own };
    const args = { key: 'google-ads', all: true, limit: 9999 };
    await callTool(sandbox, 'techUsers', parameters, args);
    expect(sentTo(sandbox)[0]?.query['limit']).toBe(String(rows));
  });

  it.each(READS)('cap the response of $title at 20,000 characters', async (one) => {
    const usual: IDataObject = { ...one.parameters, returnAll: true, simplify: false };
    delete usual['limit'];
    const [args] = one.items(sandbox);
    for (const selected of [{}, { selectedFields: '' }]) {
      const parameters = { ...usual, ...selected, maxNodes: 100 };
      const answer = await callTool(sandbox, one.type, parameters, args);
      expect(JSON.stringify(answer).length).toBeLessThanOrEqual(20_000);
      expect(answer.length).toBeGreaterThan(0);
    }
  });

  it.each([
    ['Max Credits', {}, { options: { maxCredits: 4 } }],
    ['Max Credits', {}, { options: { maxCredits: 4 }, returnAll: true }],
    ['Max Credits per Run', { maxCreditsPerRun: 4 }, {}],
    ['Max Credits per Agent Run', {}, { maxCreditsPerAgentRun: 4 }],
  ])('shorten a list to the rows that %s covers', async (_name, fields, more) => {
    const credentials = userCredential(sandbox, 'user', fields);
    const parameters = { ...USERS, ...more };
    const args = { key: 'hubspot' };
    const answer = await callTool(sandbox, 'techUsers', parameters, args, { credentials });
    expect(resultsIn(answer)).toHaveLength(4);
    expect(noteIn(answer)).toMatch(/^4 of \d+ rows\. Max Credits.* covers no more\./);
  });

  it('shorten a network to the companies that Max Credits covers', async () => {
    const parameters = {
      operation: 'getPairGraph',
      identifierA: given('a'),
      identifierB: given('b'),
      options: { maxCredits: 4 },
    };
    const [a = '', b = ''] = hubs(sandbox);
    const [result] = await callTool(sandbox, 'partnerGraph', parameters, { a, b });
    expect(result?.['nodes']).toHaveLength(4);
  });

  it('refuse Get Many Companies without a request when all filters are empty', async () => {
    const parameters = { operation: 'getMany', filters: { q: given('name') } };
    const answer = await callTool(sandbox, 'companyLookup', parameters, { name: '' });
    expect(answer).toMatchObject([{ message: expect.stringContaining('All filters are empty') }]);
    expect(sentTo(sandbox)).toEqual([]);
    expect(
      resultsIn(await callTool(sandbox, 'companyLookup', parameters, { name: 'media' })).length,
    ).toBeGreaterThan(0);
  });

  it('return rows instead of a file when the output is CSV', async () => {
    const parameters = { ...USERS, limit: 2, output: 'csv' };
    const answer = await callTool(sandbox, 'techUsers', parameters, { key: 'hubspot' });
    expect(resultsIn(answer)).toHaveLength(2);
  });
});

describe('Max Credits per Agent Run', () => {
  const sandbox = useFreshSandbox();
  const TOOL = { maxCreditsPerAgentRun: 2 };

  /** Runs tools one after the other in one execution, as an agent does, and returns their results. */
  async function agentRun(companies: readonly string[]) {
    const names = companies.map((_company, index) => `Tool ${String(index)}`);
    const tools = companies.map((company, index) => {
      const type = index % 2 === 1 ? 'bulkEnrichTool' : 'companyLookupTool';
      const operation = index % 2 === 1 ? 'enrichCompanies' : 'get';
      const parameters = { operation, domain: company, identifier: company, ...TOOL };
      const { options, ...tool } = packageNode(type, parameters);
      return { ...tool, options: { ...options, name: names[index]!, executeOnce: true } };
    });
    const run = await runWorkflow({
      nodes: [source([{}]), ...tools],
      credentials: userCredential(sandbox),
    });
    return names.flatMap((name) => resultsIn(run.json(name)));
  }

  it('limits all tools of one agent run together, but not the next run', async () => {
    const [a = '', b = '', c = ''] = trackedDomains(sandbox, 3);
    expect(await agentRun([a, b, c])).toMatchObject([
      { domain: a },
      { domain: b },
      { message: expect.stringContaining('have spent Max Credits per Agent Run') },
    ]);
    expect(await agentRun([c])).toMatchObject([{ domain: c }]);
    expect(sandbox.report().byKey['user']?.charged).toBe(3);
  });
});
