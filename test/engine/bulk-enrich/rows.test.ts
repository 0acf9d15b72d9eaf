/**
 * Bulk Enrich outputs each row once, in order, linked to its item and with its own company's data.
 * It pays for each company only once.
 */
import { enrich, enrichmentOf, leads, NAME, useSandbox, trackedDomains } from './bulk-enrich';

const sandbox = useSandbox();

it('enriches 10,000 rows of 2,000 distinct domains in exactly 20 requests, each company billed once', async () => {
  const rows = leads(trackedDomains(sandbox, 2000), 10_000);
  const run = await enrich(sandbox, {}, rows);

  expect(sandbox.report().requests).toBe(20);
  expect(sandbox.report().charged).toBe(2000);
  expect(run.error).toBeUndefined();
  const output = run.json(NAME);
  expect(output.map((json) => json['id'])).toEqual(rows.map((row) => row['id']));
  expect(output.map((json) => enrichmentOf(json)['domain'])).toEqual(
    rows.map((row) => row['company']),
  );
  expect(run.traced()).toEqual(rows.map((row) => row['id']));
  expect(run.hints(NAME)[0]?.message).toContain(
    '10,000 rows: 2,000 distinct domains in 20 requests',
  );
});

it('reads a first column whose name begins with a byte order mark', async () => {
  const [domain = ''] = trackedDomains(sandbox, 1);
  const run = await enrich(sandbox, {}, [{ '\ufeffcompany': domain }]);

  expect(run.json(NAME)).toMatchObject([{ enrichment: { domain, status: 'tracked' } }]);
});

it.each(['enrichCompanies', 'enrichPartnerships'])(
  '%s gives each row the data of its company, whatever the spelling of the domain',
  async (operation) => {
    const domains = trackedDomains(sandbox, 3);
    const [first = '', second = '', third = ''] = domains;
    const rows = [
      { company: `https://www.${third.toUpperCase()}/about?x=1` },
      { company: 'nobody-tracks-this.com' },
      { company: `jo@${first}` },
      { company: 'n/a' },
      { company: third },
      { company: ` ${second}. ` },
    ];
    const run = await enrich(sandbox, { operation }, rows);

    const found =
      operation === 'enrichCompanies'
        ? 'tracked'
        : expect.stringMatching(/^(found|no_partnerships)$/);
    expect(run.json(NAME)).toEqual([
      ...[
        expect.objectContaining({ domain: third, status: found }),
        expect.objectContaining({ status: 'not_tracked' }),
        expect.objectContaining({ domain: first, status: found }),
        {
          status: 'invalid',
          reason: 'placeholder',
          message: `"n/a" is a placeholder, not a company: use the company's own website or a company email address`,
        },
        expect.objectContaining({ domain: third, status: found }),
        expect.objectContaining({ domain: second, status: found }),
      ].map((enrichment: unknown, id) => ({ ...rows[id], id, enrichment })),
    ]);
    expect(run.traced()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(sandbox.report()).toMatchObject({ requests: 1, domains: 4, charged: 3 });
  },
);

describe('Normalize Domains', () => {
  it('outputs the domain, fault or duplicate of each row without a request', async () => {
    const given = ['https://app.Brightharbor.com/x', 'jo@gmail.com', 'bt.com', 'n/a'];
    const items = leads([...given, 'brightharbor.com']);
    const run = await enrich(sandbox, { operation: 'normalizeDomains' }, items, {
      credentials: {},
    });

    expect(run.json(NAME).map(enrichmentOf)).toEqual([
      {
        domain: 'brightharbor.com',
        status: 'valid',
        host: 'app.brightharbor.com',
        free_mail: false,
        duplicate_of_item: null,
      },
      expect.objectContaining({ domain: null, status: 'invalid', reason: 'free_mail' }),
      expect.objectContaining({ domain: 'bt.com', free_mail: true }),
      expect.objectContaining({ domain: null, status: 'invalid', reason: 'placeholder' }),
      expect.objectContaining({ domain: 'brightharbor.com', duplicate_of_item: 0 }),
    ]);
    expect(run.traced()).toEqual([0, 1, 2, 3, 4]);
    expect(sandbox.report().requests).toBe(0);
  });
});

it.each([
  ['={{ $json.site }}', '={{ ($json.site) }}'],
  ['={{$json.site}}', '={{ ($json.site) }}'],
  ['={{ $json["Web Site"] }}', '={{ ($json["Web Site"]) }}'],
  ["={{ $json['Web Site'] }}", '={{ ($json["Web Site"]) }}'],
  ['={{ $json.toString }}', '={{ $json.nothing }}'],
])('reads the expression %s directly, with the same results as n8n', async (simple, evaluated) => {
  const [known = ''] = trackedDomains(sandbox, 1);
  const values = [known, ` ${known} `, '', null, 7, true, ['x.com'], { a: known }, '=x', '{{ 1 }}'];
  const rows = [...values.map((value) => ({ site: value, 'Web Site': value })), {}];
  const [ours, theirs] = await Promise.all(
    [simple, evaluated].map(async (domain) => {
      const run = await enrich(sandbox, { operation: 'normalizeDomains', domain }, rows);
      return run.json(NAME);
    }),
  );

  expect(ours).toHaveLength(rows.length);
  expect(ours).toEqual(theirs);
});

it.each([
  ['fields', '={{ $json.website }}{{ $json.email }}'],
  ['fields of an object', '={{ $json.lead.website }}{{ $json.lead.email }}'],
])('finds the domain when several %s are dragged into Domain', async (_what, domain) => {
  const [first = '', second = ''] = trackedDomains(sandbox, 2);
  const columns = [
    ['https://www.linkedin.com/company/one', `jo@${first}`],
    ['N/A', `jo@${second}`],
    [`https://${first}`, 'jo@gmail.com'],
    [second, ''],
    ['', `jo@${first}`],
    // The domain is split across the two columns.
    [first.split('.')[0], first.slice(first.indexOf('.'))],
  ];
  const rows = columns.map(([website, email]) => ({ website, email, lead: { website, email } }));
  const run = await enrich(sandbox, { domain }, rows);

  const found = run.json(NAME).map((json) => enrichmentOf(json)['domain']);
  expect(found).toEqual([first, second, first, second, first, first]);
  expect(sandbox.report().charged).toBe(2);
});

it.each(['={{ $json.W$json.email }}ebsite }}', '={{ $json.web{{ $json.email }}site }}'])(
  'sends nothing when a field was dropped into another field: %s',
  async (domain) => {
    const run = await enrich(sandbox, { domain }, [{ website: 'acme.com', email: 'jo@acme.com' }]);

    expect(run.error?.message).toMatch(/^"Domain" has a field inside another field: "\{\{ \$json/);
    expect(run.error?.description).toMatch(/drop the field behind the text/);
    expect(sandbox.report().requests).toBe(0);
  },
);
