/** Limits that a model cannot lift, and details of n8n that a model does not need. */
import type { IDataObject } from 'n8n-workflow';

import { json } from '../../src/client/support/service';
import { byId } from '../shared/nodes';
import { READS } from '../shared/operations';
import { hubs } from '../shared/partners';
import {
  sentTo,
  trackedDomains,
  useFreshSandbox,
  useSandbox,
  useService,
  userCredential,
} from '../shared/service';
import { callTool, given, noteIn, resultsIn } from './tool';

const USERS = { operation: 'getByTechnology', techKey: byId(given('key')) };
const LOOKUP = { operation: 'get', identifier: given('company') };

describe('limits of a tool call', () => {
  const sandbox = useSandbox();

  it('cap rows at 500, whatever the model enters for Return All and Limit', async () => {
    const parameters = { ...USERS, returnAll: given('all'), limit: given('limit') };
    await callTool(sandbox, 'techUsers', parameters, { key: 'google-ads', all: true, limit: 9999 });
    expect(sentTo(sandbox).map(({ query }) => Number(query['limit']))).toEqual([500]);
  });

  it('do not cap rows when the workflow turns on Return All', async () => {
    const parameters = { ...USERS, returnAll: true };
    await callTool(sandbox, 'techUsers', parameters, { key: 'hubspot' });
    expect(Number(sentTo(sandbox)[0]?.query['limit'])).toBeGreaterThan(500);
  });

  it('cap companies at 100 and say so in the note', async () => {
    const company = trackedDomains(sandbox, 120).join(', ');
    const answer = await callTool(sandbox, 'companyLookup', LOOKUP, { company });
    expect(sentTo(sandbox)).toHaveLength(100);
    expect(noteIn(answer)).toContain('Only the first 100 of 120 were looked up.');
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(20_000);
  });

  it.each(READS.map((one) => [one.title, one] as const))(
    'cap the response of %s at 20,000 characters',
    async (_title, one) => {
      const parameters: IDataObject = { ...one.parameters, returnAll: true, simplify: false };
      delete parameters['limit'];
      const items = one.items(sandbox);
      for (const selectedFields of [undefined, '']) {
        const selected = selectedFields === undefined ? {} : { selectedFields };
        const answer = await callTool(
          sandbox,
          one.type,
          { ...parameters, ...selected, maxNodes: 100 },
          items[0],
        );
        expect(JSON.stringify(answer).length).toBeLessThanOrEqual(20_000);
        expect(answer.length).toBeGreaterThan(0);
      }
    },
  );

  it.each([false, true])(
    'shorten a list to the rows that Max Credits covers, with Return All: %j',
    async (returnAll) => {
      const parameters = { ...USERS, returnAll, options: { maxCredits: 5 } };
      const answer = await callTool(sandbox, 'techUsers', parameters, { key: 'hubspot' });
      expect(resultsIn(answer)).toHaveLength(5);
      expect(noteIn(answer)).toMatch(/^5 of \d+ rows\. The credit limit covers no more\./);
    },
  );

  it.each([
    ['Max Credits per Run', { maxCreditsPerRun: 4 }, {}],
    ['Max Credits per Agent Run', {}, { maxCreditsPerAgentRun: 4 }],
  ])('shorten a list to the rows that %s covers', async (name, fields, more) => {
    const credentials = userCredential(sandbox, 'user', fields);
    const change = { credentials, executionId: `agent-run-${name}` };
    const parameters = { ...USERS, ...more };
    const answer = await callTool(sandbox, 'techUsers', parameters, { key: 'hubspot' }, change);
    expect(resultsIn(answer)).toHaveLength(4);
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

describe('a technology given by a model', () => {
  const sandbox = useSandbox();

  it.each(['HubSpot', '["HubSpot"]', 'hubspot', ' Google Analytics '])(
    'is found by its name or key: %s',
    async (key) => {
      const answer = await callTool(sandbox, 'techUsers', { ...USERS, limit: 1 }, { key });
      expect(resultsIn(answer)).toMatchObject([{ domain: expect.any(String) }]);
    },
  );

  it('returns its own rows when the model gives several', async () => {
    const parameters = { ...USERS, limit: 1 };
    const answer = await callTool(sandbox, 'techUsers', parameters, { key: 'HubSpot, stripe' });
    expect(resultsIn(answer).map(({ tech_key: key }) => key)).toEqual(['hubspot', 'stripe']);
  });

  it('is refused when its name is unknown, with suggestions for a similar name', async () => {
    const answer = await callTool(sandbox, 'techUsers', USERS, { key: 'HubSpot Stripe' });
    const near = await callTool(sandbox, 'techUsers', USERS, { key: 'Google' });
    expect(JSON.stringify(answer)).not.toMatch(/hubspot-stripe/);
    expect(answer).toMatchObject([{ message: expect.stringContaining('not a technology key') }]);
    expect(near).toMatchObject([{ message: expect.stringMatching(/Did you mean "google-/) }]);
    expect(JSON.stringify([answer, near])).not.toMatch(/from the list|this node/);
  });
});

describe('Max Credits per Agent Run', () => {
  const sandbox = useFreshSandbox();
  const TOOL = { maxCreditsPerAgentRun: 3 };
  const lookUp = async (company: string | undefined, executionId: string) =>
    await callTool(sandbox, 'companyLookup', { ...LOOKUP, ...TOOL }, { company }, { executionId });

  it('limits all tools of one agent run together, but not the next run', async () => {
    const [a, b, c, d] = trackedDomains(sandbox, 4);
    const enrich = { operation: 'enrichCompanies', domain: given('domain'), ...TOOL };
    const change = { executionId: 'agent-run-1' };

    expect(resultsIn(await lookUp(a, 'agent-run-1'))).toMatchObject([{ domain: a }]);
    const two = await callTool(sandbox, 'bulkEnrich', enrich, { domain: `${b}, ${c}` }, change);
    expect(resultsIn(two)).toHaveLength(2);
    expect(await lookUp(d, 'agent-run-1')).toMatchObject([
      { message: expect.stringContaining('have spent the credits') },
    ]);
    expect(resultsIn(await lookUp(d, 'agent-run-2'))).toMatchObject([{ domain: d }]);
  });

  it('is not exceeded by calls at the same time', async () => {
    const companies = trackedDomains(sandbox, 8);
    await Promise.all(companies.map(async (company) => lookUp(company, 'agent-run-3')));
    expect(sandbox.report().byKey['user']?.charged).toBe(3);
  });
});

describe('failures in a tool response', () => {
  const sandbox = useSandbox();

  it('have one hint in total, without advice to change the node', async () => {
    const company = trackedDomains(sandbox, 5).join();
    const parameters = { ...LOOKUP, options: { maxCredits: 2 } };
    const answer = await callTool(sandbox, 'companyLookup', parameters, { company });
    const failed = resultsIn(answer).filter(({ error }) => error !== undefined);
    expect(failed).toHaveLength(3);
    expect(failed.filter(({ error }) => (error as IDataObject)['hint'] !== undefined)).toHaveLength(
      1,
    );
    expect(JSON.stringify(answer)).not.toMatch(/Raise Max Credits|of the node/);
  });
});

describe('texts from the service in a tool response', () => {
  const service = useService();

  it('have no invisible characters and are cut when longer than 500 characters', async () => {
    service.answer(
      json({
        name: 'Ac\u202eme\u0007 \u2066Inc\u2069 👩\u200d💻',
        primary_domain: 'acme.com',
        slug: 'acme',
        partnership_count: 0,
        about: 'x'.repeat(3000),
        technologies: Array.from({ length: 300 }, (_none, at) => ({
          tech_key: `key-${String(at)}`,
          display_name: `Technology ${String(at)}`,
        })),
      }),
    );
    const parameters = { ...LOOKUP, include: ['technologies'] };
    const answer = await callTool(service, 'companyLookup', parameters, { company: 'acme.com' });
    const [result = {}] = answer;
    expect(result['company_name']).toBe('Acme  Inc 👩\u200d💻');
    expect(result['about']).toHaveLength(500);
    // Names in one column are output as a list, and the length limit for texts does not shorten it.
    expect(result['technology_names']).toHaveLength(300);
    expect(noteIn(answer)).toMatch(/Too long and cut: about\./);
  });
});
