import fc from 'fast-check';

import {
  getFlatColumns,
  toFlatCompany,
  type FlatRowOptions,
} from '../../../src/service/flat-company';

type Row = Readonly<Record<string, unknown>>;

const firmographics = {
  industry: 'Software',
  employee_range: '51-200',
  country: 'Austria',
  founded_year: 2001,
  tech_count: 12,
  open_jobs_count: 3,
  partnership_count: 1,
};
const technologies = [
  { tech_key: 'hubspot', display_name: 'HubSpot', vendor_name: 'HubSpot', evidence_count: 4 },
  { tech_key: 'google-analytics', display_name: 'Google Analytics', vendor_name: null },
];
const EMPTY = { technologies: [], partnerships: [], technology_count: 0, partnership_count: 0 };
const ACME = { name: 'Acme', primary_domain: 'acme.com' };
const FLAT = {
  domain: 'acme.com',
  company_name: 'Acme',
  industry: 'Software',
  employee_range: '51-200',
  employees_min: 51,
  employees_max: 200,
  country: 'Austria',
  founded_year: 2001,
  technology_count: 2,
  technology_names: 'HubSpot; Google Analytics',
};

it('flattens a bulk result, with columns for the chosen technologies', () => {
  const row = {
    domain: 'acme.com',
    status: 'tracked',
    company: { ...ACME, slug: 'acme', firmographics },
    technologies,
    partnerships: [{ partner_name: 'Bolt, Inc.', partner_domain: 'bolt.com' }],
    technology_count: 2,
    partnership_count: 1,
  };
  const flat = toFlatCompany(row, { technologyColumns: ['google-analytics', 'salesforce'] });
  expect(Object.keys(flat).slice(3, 6)).toEqual(['industry', 'employee_range', 'employees_min']);
  expect(flat).toEqual({
    ...FLAT,
    status: 'tracked',
    slug: 'acme',
    open_jobs_count: 3,
    partnership_count: 1,
    partner_names: 'Bolt, Inc.',
    has_google_analytics: true,
    has_salesforce: false,
  });
});

it.each<[unknown[], Row, unknown]>([
  [
    [{ last_seen: '2026-01-02' }, { last_seen_at: '2026-03-01T08:00:00Z' }, {}],
    {},
    '2026-03-01T08:00:00Z',
  ],
  [[{ last_seen: '2026-01-02' }, { last_seen: 'recently' }], {}, '2026-01-02'],
  [[{ last_seen: '2026-01-02' }], { last_seen_at: '2025-01-01' }, '2025-01-01'],
  [[{ tech_key: 'hubspot' }], {}, undefined],
  [[], {}, undefined],
])('of %j and %j, says when the company was last seen', (seen, own, expected) => {
  expect(toFlatCompany({ ...ACME, technologies: seen, ...own }).last_seen_at).toBe(expected);
});

it('flattens a user of a vendor, with the fields next to the rows of the response', () => {
  const row = {
    vendor: { vendor_slug: 'v', vendor_name: 'V' },
    ...ACME,
    last_seen_at: '2026-01-01T00:00:00Z',
    technologies_used: [{ tech_key: 'hubspot', display_name: 'HubSpot' }],
    additional_signals: [{ signal: 'script', observed_at: '2026-01-01' }, { weight: 2 }, null],
    firmographics: { tech_count: 40 },
  };
  expect(toFlatCompany(row)).toEqual({
    domain: 'acme.com',
    company_name: 'Acme',
    technology_count: 1,
    technology_names: 'HubSpot',
    additional_signals: 'script',
    vendor_slug: 'v',
    vendor_name: 'V',
    last_seen_at: '2026-01-01T00:00:00Z',
  });
});

const HUBSPOT = { technologyColumns: ['hubspot'] };
const KNOWN = { domain: 'acme.com', status: 'tracked' };
const UNKNOWN = { domain: 'x.com', status: 'not_tracked' };
const INVALID = { status: 'invalid', reason: 'no_dot', message: 'No domain' };
const COUNTS = { domain: 'acme.com', technology_count: 5, partnership_count: 2 };
const UNUSED = { technology_count: 0, technology_names: '' };
const OWN_COUNT = { name: 'Acme', firmographics: { partnership_count: 3 } };

it.each<[string, Row, FlatRowOptions, Row]>([
  ['for a company that is not tracked', { ...UNKNOWN, company: null, ...EMPTY }, HUBSPOT, UNKNOWN],
  ['for an invalid domain', { ...INVALID, domain: null }, HUBSPOT, INVALID],
  ['for empty lists whose count is above 0', { ...EMPTY, ...COUNTS }, HUBSPOT, COUNTS],
  [
    'of the section technologies',
    { ...KNOWN, ...EMPTY },
    { sections: ['firmographics', 'technologies'], ...HUBSPOT },
    { ...KNOWN, ...UNUSED, has_hubspot: false },
  ],
  [
    'of the section partnerships',
    { ...KNOWN, ...EMPTY },
    { sections: ['partnerships'], ...HUBSPOT },
    { ...KNOWN, partnership_count: 0, partner_names: '' },
  ],
  ['of no section', { ...KNOWN, ...EMPTY }, { sections: [], ...HUBSPOT }, KNOWN],
  [
    'for a count that the firmographics have',
    { ...KNOWN, company: OWN_COUNT, partnerships: [], partnership_count: 0 },
    { sections: ['firmographics'] },
    { ...KNOWN, company_name: 'Acme', partnership_count: 3 },
  ],
  [
    'for the number of technologies that the firmographics have',
    { ...ACME, firmographics: { tech_count: 40, founded_year: '1998' } },
    {},
    { domain: 'acme.com', company_name: 'Acme', founded_year: '1998', technology_count: 40 },
  ],
  [
    'for the main domain if another one was looked up',
    { domain: 'acme.at', company: ACME },
    {},
    { domain: 'acme.at', company_name: 'Acme', primary_domain: 'acme.com' },
  ],
  ...['name', 'display_name'].map((name): [string, Row, FlatRowOptions, Row] => [
    `for technologies with a ${name}`,
    { technologies: [{ tech_key: 'hub-spot', [name]: 'HubSpot' }] },
    { technologyColumns: ['hub-spot', 'stripe'] },
    { technology_count: 1, technology_names: 'HubSpot', has_hub_spot: true, has_stripe: false },
  ]),
])('adds exactly the known columns %s', (_which, row, options, flat) => {
  expect(toFlatCompany(row, options)).toEqual(flat);
});

it.each([
  ['1-10', { employees_min: 1, employees_max: 10 }],
  ['1,001-5,000', { employees_min: 1001, employees_max: 5000 }],
  ['10,001+', { employees_min: 10_001 }],
  ['unknown', {}],
  ['1-10, 11-50', {}],
])('reads the employee range %s as %j', (employee_range, bounds) => {
  expect(toFlatCompany({ firmographics: { employee_range } })).toEqual({
    employee_range,
    ...bounds,
  });
});

it('names the columns of a file like those of its flat rows', () => {
  const listed = ['name', 'primary_domain', 'technologies_used', 'firmographics.industry'];
  expect(getFlatColumns(listed).join()).toBe(
    'domain,company_name,industry,technology_count,technology_names',
  );
  const bulk = getFlatColumns(['domain', 'primary_domain', 'employee_range'], ['google-analytics']);
  expect(bulk.join()).toBe(
    'domain,employee_range,employees_min,employees_max,primary_domain,has_google_analytics',
  );
});

it('returns only strings, numbers and booleans for any row', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (row) => {
      for (const value of Object.values(toFlatCompany(row, HUBSPOT))) {
        expect(['string', 'number', 'boolean']).toContain(typeof value);
      }
    }),
  );
});

it.each([3000, 2000])('shortens texts for a cell, and ends %d long names at a name', (count) => {
  const long = Array.from({ length: count }, (_one, at) => ({
    display_name: `Technology ${String(at).padStart(5, '0')}`,
  }));
  const flat = toFlatCompany({ technologies: long, industry: 'x'.repeat(40_000) });
  const names = String(flat.technology_names);
  const [, last = '', more = ''] = /; Technology (\d{5}) … \(\+([\d,]+) more\)$/.exec(names) ?? [];
  expect(flat.technology_count).toBe(count);
  expect(names.length).toBeLessThanOrEqual(32_000);
  expect(Number(last) + 1 + Number(more.replace(',', ''))).toBe(count);
  expect(flat.industry).toHaveLength(32_000);
});
