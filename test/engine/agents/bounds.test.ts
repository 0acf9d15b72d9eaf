/** Limits that a model cannot lift, and details of n8n that a model does not need. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from '../shared/nodes';
import { READS } from '../shared/operations';
import { sentTo, trackedDomains, useSandbox, userCredential } from '../shared/service';
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
  ])('shorten a list to the rows that %s covers', async (_name, fields, more) => {
    const credentials = userCredential(sandbox, 'user', fields);
    const parameters = { ...USERS, ...more };
    const args = { key: 'hubspot' };
    const answer = await callTool(sandbox, 'techUsers', parameters, args, { credentials });
    expect(resultsIn(answer)).toHaveLength(4);
    expect(noteIn(answer)).toMatch(/Cost: up to 4 credits.* The credits covered 4 of \d+ rows/);
  });

  it('skip a network that Max Credits does not cover', async () => {
    const parameters = {
      operation: 'getGraph',
      identifier: given('x'),
      options: { maxCredits: 4 },
    };
    const [x = ''] = trackedDomains(sandbox, 1);
    const answer = await callTool(sandbox, 'partnerGraph', parameters, { x });
    expect(answer).toMatchObject([
      { status: 'skipped', reason: 'max_credits' },
      { note: 'The same call is skipped again.' },
    ]);
  });

  it('say that the partners of a company cost more than Max Credits', async () => {
    const options = { maxCredits: 1, include: ['partnerships'] };
    const parameters = { operation: 'enrichCompanies', domain: given('x'), ...options, options };
    const [x = ''] = trackedDomains(sandbox, 1);
    const answer = await callTool(sandbox, 'bulkEnrich', parameters, { x });
    expect(noteIn(answer)).toMatch(
      /Max Credits \(1\) was exceeded: this run cost up to \d+ credits/,
    );
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

  it.each<[type: string, parameters: INodeParameters, of: (first: string) => IDataObject]>([
    ['bulkEnrich', { operation: 'enrichCompanies', domain: given('x') }, (domain) => ({ domain })],
    ['companyLookup', { operation: 'get', identifier: given('x') }, (domain) => ({ domain })],
    ['partnerGraph', { operation: 'getPartners', identifier: given('x') }, () => ({})],
    ['refreshAndWait', { domain: given('x') }, (domain) => ({ domain, status: 'still_running' })],
    ['flagData', { identifier: given('x') }, () => ({ status: 'queued' })],
  ])('answer for the first of several companies and say so: %s', async (type, parameters, of) => {
    const [a = '', b = '', c = ''] = trackedDomains(sandbox, 3);
    for (const x of [
      `${a}, ${b} and https://www.${c}/about`,
      [a, b, c, a],
      JSON.stringify([a, b, c]),
    ]) {
      const answer = await callTool(sandbox, type, parameters, { x });
      expect(answer[0]).toMatchObject(of(a));
      expect(noteIn(answer)).toContain(
        `Only ${a} was looked up; 2 others were ignored. Call again for each.`,
      );
    }
    expect(JSON.stringify(sentTo(sandbox))).not.toContain(b);
  });

  it('answer for the first of several tech keys', async () => {
    const answer = await callTool(sandbox, 'techUsers', USERS, { key: 'hubspot, shopify' });
    expect(noteIn(answer)).toMatch(/^Only hubspot was looked up; 1 other was ignored\./);
    expect(resultsIn(answer)).toHaveLength(50);
  });

  it('leave text with one company as it is', async () => {
    const [a = ''] = trackedDomains(sandbox, 1);
    const parameters = { operation: 'enrichCompanies', domain: given('x') };
    const answer = await callTool(sandbox, 'bulkEnrich', parameters, {
      x: `Acme, Inc (${a}, jo@${a})`,
    });
    expect(answer).toMatchObject([{ domain: a }, { note: expect.stringMatching(/^Cost: /) }]);
  });
});
