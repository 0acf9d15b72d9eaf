/** What a model learns from a tool response. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json } from '../../src/client/support/service';
import { byId } from '../shared/nodes';
import { hubs } from '../shared/partners';
import { trackedDomains, useFreshSandbox, useService } from '../shared/service';
import { callTool, given, noteIn, resultsIn } from './tool';

const PARTNERS = { operation: 'getPartners', identifier: given('company') };
const ENRICH = { operation: 'enrichCompanies', domain: given('domain') };
const LOOKUP = { operation: 'get', identifier: given('company') };

describe('the note of a tool response', () => {
  // Each test needs a new service: a company that was read before is free, and the note says so.
  const sandbox = useFreshSandbox();

  it('states the total, the cost and the next Offset when there are more rows', async () => {
    const parameters = { operation: 'getByTechnology', techKey: byId(given('key')) };
    const fixed = await callTool(sandbox, 'techUsers', parameters, { key: 'hubspot' });
    expect(noteIn(fixed)).toMatch(
      /^50 of [\d,]+ rows\. Cost: up to 50 credits; .* are free\. More rows start at Offset 50\.$/,
    );
    const own = { ...parameters, limit: 5, options: { offset: given('offset') } };
    const next = await callTool(sandbox, 'techUsers', own, { key: 'hubspot', offset: 10 });
    expect(noteIn(next)).toMatch(/^5 of [\d,]+ rows\. Cost: .* More rows start at Offset 15\.$/);
    expect(resultsIn(next)).toHaveLength(5);
    const guide = readFileSync(join(__dirname, '../../../docs/guides/agents.md'), 'utf8');
    expect(guide).toContain(String(noteIn(fixed)).replace(/of [\d,]+/, 'of 1,228'));
  });

  it('states only the cost of a lookup, and of Count Only', async () => {
    const costOf = async (
      ...call: [type: string, parameters: INodeParameters, args: IDataObject]
    ) => noteIn(await callTool(sandbox, ...call));
    const [domain = ''] = trackedDomains(sandbox, 1);
    const count = { ...PARTNERS, countOnly: true };

    const cost =
      'Cost: up to 1 credit; companies that your organization read in the last 30 days are free.';
    expect(await costOf('bulkEnrich', ENRICH, { domain })).toBe(cost);
    expect(await costOf('partnerGraph', count, { company: hubs(sandbox)[0] })).toBe(cost);
  });

  it('is missing when nothing was omitted, spent or limited, and says if nothing matches', async () => {
    const lists = { resource: 'list', operation: 'getMany' };
    expect(noteIn(await callTool(sandbox, 'companyList', lists))).toBeUndefined();
    const answer = await callTool(sandbox, 'bulkEnrich', ENRICH, { domain: 'none' });
    expect(answer).toMatchObject([{ status: 'invalid' }]);
    const search = { operation: 'searchTechnologies', q: 'zzzz' };
    expect(await callTool(sandbox, 'techUsers', search)).toEqual([
      { note: 'No results: nothing matches.' },
    ]);
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
