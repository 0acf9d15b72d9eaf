import fc from 'fast-check';

import { createShape, getFlatColumns, toFlatCompany } from '../../../src/service/flat-company';

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
  company_technology_count: 12,
};

it('flattens a bulk result, with columns for the chosen technologies', () => {
  const row = {
    domain: 'acme.com',
    status: 'tracked',
    company: { name: 'Acme', primary_domain: 'acme.com', slug: 'acme', firmographics },
    technologies,
    partnerships: [{ partner_name: 'Bolt, Inc.', partner_domain: 'bolt.com' }],
    technology_count: 2,
    partnership_count: 1,
  };

  expect(toFlatCompany(row, { technologyColumns: ['google-analytics', 'salesforce'] })).toEqual({
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

it('flattens a single company into the same columns as a bulk result', () => {
  const row = {
    name: 'Acme',
    primary_domain: 'acme.com',
    slug: 'acme',
    firmographics,
    // A single company has no vendors there.
    technologies: technologies.map(({ tech_key, display_name }) => ({ tech_key, display_name })),
    domains: ['acme.com', 'acme.at'],
    investors: [],
  };

  const others = { domains: 'acme.com; acme.at', investors: '' };
  expect(toFlatCompany(row)).toMatchObject({ ...FLAT, ...others });
});

it.each([
  [
    { domain: 'x.com', status: 'not_tracked' },
    { company: null, ...EMPTY },
  ],
  [{ status: 'invalid', reason: 'no_dot', message: 'No domain' }, { domain: null }],
])('adds no column for a missing field when the row is not a company: %j', (flat, rest) => {
  expect(toFlatCompany({ ...flat, ...rest }, { technologyColumns: ['hubspot'] })).toEqual(flat);
});

it('adds no names and no technology columns for empty lists whose count is above 0', () => {
  const row = { ...EMPTY, domain: 'acme.com', technology_count: 5, partnership_count: 2 };

  expect(toFlatCompany(row, { technologyColumns: ['hubspot'] })).toEqual({
    domain: 'acme.com',
    technology_count: 5,
    partnership_count: 2,
  });
});

it.each([
  [['firmographics', 'technologies'], { technology_count: 0, technology_names: '' }],
  [['partnerships'], { partnership_count: 0, partner_names: '' }],
  [[], {}],
])(
  'with the sections %j, adds only their columns for a company whose sections are empty',
  (sections, columns) => {
    const known = { domain: 'acme.com', status: 'tracked' };

    expect(toFlatCompany({ ...known, ...EMPTY }, { sections })).toEqual({ ...known, ...columns });
  },
);

it.each([
  ['1-10', 1, 10],
  ['1001-5000', 1001, 5000],
  ['1,001-5,000', 1001, 5000],
  ['1001+', 1001, undefined],
  ['10,001+', 10_001, undefined],
  ['unknown', undefined, undefined],
  ['1-10, 11-50', undefined, undefined],
])('reads the employee range %s as at least %p and at most %p', (employee_range, min, max) => {
  const { employees_min, employees_max, ...flat } = toFlatCompany({
    firmographics: { employee_range },
  });

  expect([employees_min, employees_max]).toEqual([min, max]);
  expect(flat).toEqual({ employee_range });
});

it.each([
  [['firmographics'], {}],
  [['technologies'], { technology_count: 0, technology_names: '', has_hubspot: false }],
])('with the sections %j, reports these technologies as unused: %j', (sections, columns) => {
  const row = { domain: 'acme.com', technologies: [], technology_count: 0 };
  const flat = toFlatCompany(row, { technologyColumns: ['hubspot'], sections });

  expect(flat).toEqual({ domain: 'acme.com', ...columns });
});

it('keeps the counts in the firmographics if their section was not requested', () => {
  const company = { name: 'Acme', firmographics: { partnership_count: 3 } };
  const row = { domain: 'acme.com', company, partnerships: [], partnership_count: 0 };

  const flat = toFlatCompany(row, { sections: ['firmographics'] });
  expect(flat).toMatchObject({ partnership_count: 3 });
});

it('adds a column for the main domain if another domain was looked up', () => {
  const company = { name: 'Acme', primary_domain: 'acme.com' };

  expect(toFlatCompany({ domain: 'acme.at', company })).toEqual({
    domain: 'acme.at',
    company_name: 'Acme',
    primary_domain: 'acme.com',
  });
});

it('flattens a user of a vendor, with the fields next to the rows of the response', () => {
  const row = {
    vendor: { vendor_slug: 'v', vendor_name: 'V' },
    name: 'Acme',
    primary_domain: 'acme.com',
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
    company_technology_count: 40,
    additional_signals: 'script',
    vendor_slug: 'v',
    vendor_name: 'V',
    last_seen_at: '2026-01-01T00:00:00Z',
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
      for (const value of Object.values(toFlatCompany(row, { technologyColumns: ['hubspot'] }))) {
        expect(['string', 'number', 'boolean']).toContain(typeof value);
      }
    }),
  );
});

it('returns rows as they came, nulls included, without Simplify', () => {
  const row = { a: null, b: { c: null }, e: [null] };
  expect(createShape({ simplify: false })(row)).toBe(row);
});

it.each([3000, 2000])('ends a cell of %d long names at a whole name', (count) => {
  const technologies = Array.from({ length: count }, (_one, at) => ({
    display_name: `Technology ${String(at).padStart(5, '0')}`,
  }));
  const { technology_names: names, technology_count } = toFlatCompany({ technologies });
  const [, last = '', more = ''] =
    /; Technology (\d{5}) … \(\+([\d,]+) more\)$/.exec(String(names)) ?? [];

  expect(technology_count).toBe(count);
  expect(String(names).length).toBeLessThanOrEqual(32_000);
  expect(Number(last) + 1 + Number(more.replace(',', ''))).toBe(count);
});

it('shortens a text that no spreadsheet cell can hold', () => {
  const { industry } = toFlatCompany({ industry: 'x'.repeat(40_000) });
  expect(String(industry)).toHaveLength(32_000);
});

it.each([
  [{ tech_key: 'hub-spot', display_name: 'HubSpot' }],
  [{ tech_key: 'hub-spot', name: 'HubSpot' }],
])('reads the name and the key of a technology written as %j', (technology) => {
  const columns = { technologyColumns: ['hub-spot', 'stripe'] };
  const flat = { technology_names: 'HubSpot', has_hub_spot: true, has_stripe: false };

  expect(toFlatCompany({ technologies: [technology] }, columns)).toMatchObject(flat);
});
