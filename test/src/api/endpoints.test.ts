/** The two batch endpoints as they look on the wire (interface: Companies, Enrichment). */
import nock from 'nock';

import { creditsOfCompany, lookUpCompanies } from '../../../src/api/companies';
import { creditsOfEnrichment, enrichPartnerships } from '../../../src/api/enrichment';
import { Client } from '../../../src/client/client';
import { Run } from '../../../src/run/run';
import { settingsFor } from '../client/support/client';
import { mockTheNetwork } from '../client/support/mocked-network';
import { QUICK } from '../client/support/timing';

const BASE = 'https://api.service.test';
const settings = settingsFor({ baseUrl: BASE });

mockTheNetwork();

afterEach(() => {
  expect(nock.pendingMocks()).toEqual([]);
});

const service = () => nock(BASE, { reqheaders: { 'x-api-key': settings.apiKey } });
const run = async () => new Run(await Client.open(settings, QUICK));

describe('POST /v1/companies', () => {
  const ask = async (reply: unknown, include: Parameters<typeof lookUpCompanies>[2] = []) => {
    service()
      .post('/v1/companies', { domains: ['a.com', 'b.com'], include })
      .reply(200, reply as nock.Body);
    return await lookUpCompanies(await run(), ['a.com', 'b.com'], include);
  };

  const tracked = {
    domain: 'a.com',
    status: 'tracked',
    company: { name: 'A', primary_domain: 'a.com', slug: 'a' },
    technologies: [],
    partnerships: [],
    technology_count: 0,
    partnership_count: 0,
  };

  it('sends the domains and the sections', async () => {
    const { rows, oddities } = await ask({ data: [tracked] }, ['technologies', 'firmographics']);
    expect(rows.get('a.com')).toEqual(tracked);
    expect(oddities).toEqual([]);
  });

  it('domains that are only listed as not found are rows too', async () => {
    const { rows } = await ask({ data: [tracked], domains_not_found: ['WWW.B.com'] });
    expect(rows.get('b.com')).toEqual({ domain: 'b.com', status: 'not_tracked' });
    expect(rows.get('a.com')).toEqual(tracked);
  });

  it('a row of its own says more than the list of those not found', async () => {
    const row = { domain: 'b.com', status: 'not_tracked', company: null, note: 'new' };
    const { rows } = await ask({ data: [row], domains_not_found: ['b.com'] });
    expect(rows.get('b.com')).toEqual(row);
  });

  it.each([[['B.com']], [[{ domain: 'b.com', reason: 'odd' }]], [[null, 5, 'b.com']]])(
    'rejected domains may be texts or objects: %j',
    async (rejected_domains) => {
      const { rejected } = await ask({ data: [tracked], rejected: 1, rejected_domains });
      expect([...rejected]).toEqual(['b.com']);
    },
  );

  it('odd types are kept and told', async () => {
    const odd = {
      ...tracked,
      technology_count: '12',
      technologies: [{ tech_key: 5 }],
      status: 'new',
    };
    const { rows, oddities } = await ask({ data: [odd] });
    expect(rows.get('a.com')).toEqual(odd);
    expect(oddities.map(({ field }) => field).sort()).toEqual([
      'status',
      'technologies.*.display_name',
      'technologies.*.tech_key',
      'technology_count',
    ]);
  });

  it.each([
    [{ status: 'not_tracked' }, 0],
    [{ status: 'tracked' }, 1],
    [{ status: 'tracked', partnerships: [] }, 1],
    [{ status: 'tracked', partnerships: [{}, {}] }, 3],
    [{ status: 'who knows', partnerships: 'many' }, 1],
  ])('%j costs %i credits at most', (row, credits) => {
    expect(creditsOfCompany(row)).toBe(credits);
  });
});

describe('POST /v1/enrich/partnerships', () => {
  const ask = async (reply: unknown) => {
    service()
      .post('/v1/enrich/partnerships', { domains: ['a.com', 'b.com'] })
      .reply(200, reply as nock.Body);
    return await enrichPartnerships(await run(), ['a.com', 'b.com']);
  };

  const found = {
    domain: 'a.com',
    status: 'found',
    company_name: 'A',
    company_id: 1,
    slug: 'a',
    partnerships: [
      {
        partner_name: 'B',
        partner_domain: 'b.com',
        partner_slug: 'b',
        first_observed_at: '2025-01-01T00:00:00Z',
        last_observed_at: '2025-01-02T00:00:00Z',
        observation_count: 3,
        category: null,
        description: null,
      },
    ],
    partnership_count: 1,
  };

  const unknown = {
    domain: 'b.com',
    status: 'not_tracked',
    company_name: null,
    company_id: null,
    slug: null,
    partnerships: [],
    partnership_count: 0,
  };

  it('sends the domains alone, and reads the rows of every status', async () => {
    const { rows, rejected, oddities } = await ask({ results: [found, unknown] });
    expect(Object.fromEntries(rows)).toEqual({ 'a.com': found, 'b.com': unknown });
    expect([rejected.size, oddities]).toEqual([0, []]);
  });

  it('odd types are kept and told', async () => {
    const odd = { ...found, company_id: '1', partnerships: null };
    const { rows, oddities } = await ask({ results: [odd] });
    expect(rows.get('a.com')).toEqual(odd);
    expect(oddities.map(({ field }) => field).sort()).toEqual(['company_id', 'partnerships']);
  });

  it('is sent again when it failed, because reading twice does no harm', async () => {
    service().post('/v1/enrich/partnerships').reply(500).post('/v1/enrich/partnerships').reply(502);
    const { rows } = await ask({ results: [found] });
    expect(rows.size).toBe(1);
  });

  it.each([
    ['found', 1],
    ['no_partnerships', 1],
    ['not_tracked', 0],
  ])('a row that is %s costs %i credits at most', (status, credits) => {
    expect(creditsOfEnrichment({ status })).toBe(credits);
  });
});
