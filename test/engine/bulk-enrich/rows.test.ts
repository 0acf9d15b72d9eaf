/**
 * Bulk Enrich outputs each row once, in order, linked to its item and with its own company's data.
 * It pays for each company only once.
 */
import { runWorkflow, source } from '../harness';
import {
  bulkEnrich,
  enrich,
  enrichmentOf,
  leads,
  NAME,
  ON_ERROR,
  trackedDomains,
  useFreshSandbox,
  userCredential,
  useSandbox,
} from './bulk-enrich';

const sandbox = useSandbox();

it('enriches 10,000 rows of 2,000 distinct domains in exactly 20 requests, each company billed once', async () => {
  const rows = leads(trackedDomains(sandbox, 2000), 10_000);
  const run = await enrich(sandbox, {}, rows);

  expect(sandbox.report()).toMatchObject({ requests: 20, charged: 2000 });
  expect(run.error).toBeUndefined();
  const output = run.json(NAME).map((json) => [json['id'], enrichmentOf(json)['domain']]);
  expect(output).toEqual(rows.map((row) => [row['id'], row['company']]));
  expect(run.traced()).toEqual([...rows.keys()]);
  expect(run.messages(NAME)[0]).toContain('10,000 rows, 2,000 companies read in 20 requests');
});

it('reads a first column whose name begins with a byte order mark', async () => {
  const [domain = ''] = trackedDomains(sandbox, 1);
  const run = await enrich(sandbox, {}, [{ '\ufeffcompany': domain }]);

  expect(run.json(NAME)).toMatchObject([{ enriched_domain: domain, enriched_status: 'tracked' }]);
});

it('fails before a request when no item has a field to keep', async () => {
  const items = leads(trackedDomains(sandbox, 1));
  const { error } = await enrich(sandbox, { output: 'selected' }, items);

  expect(error?.message).toBe('"Fields to Keep" names the field "row_number", which no item has');
  expect(error?.description).toBe('The items have: id, company. Nothing was sent.');
  expect(sandbox.report().requests).toBe(0);
});

const SAID = `"n/a" is a placeholder, not a company: use the company's own website or a company email address`;

it.each(['enrichCompanies', 'enrichPartnerships'])(
  '%s gives each row the data of its company, whatever the spelling of the domain',
  async (operation) => {
    const [first = '', second = '', third = ''] = trackedDomains(sandbox, 3);
    const url = `https://www.${third.toUpperCase()}/about?x=1`;
    const unknown = 'nobody-tracks-this.com';
    const rows = leads([url, unknown, `jo@${first}`, 'n/a', third, ` ${second}. `]);
    const run = await enrich(sandbox, { operation }, rows);

    const statuses = operation === 'enrichCompanies' ? /^tracked$/ : /^(found|no_partnerships)$/;
    const found: unknown = expect.stringMatching(statuses);
    const kept = [third, unknown, first, undefined, third, second].map((domain): unknown => {
      if (domain === undefined) return { status: 'invalid', reason: 'placeholder', message: SAID };
      const status = domain === unknown ? 'not_tracked' : found;
      return expect.objectContaining({ domain, status });
    });
    expect(run.json(NAME)).toMatchObject(rows);
    expect(run.json(NAME).map(enrichmentOf)).toEqual(kept);
    expect(run.traced()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(sandbox.report()).toMatchObject({ requests: 1, domains: 4, charged: 3 });
  },
);

it('Normalize Domains outputs the domain, fault or duplicate of each row without a request', async () => {
  const given = ['https://app.Brightharbor.com/x', 'jo@gmail.com', 'bt.com', 'n/a'];
  const items = leads([...given, 'brightharbor.com']);
  const run = await enrich(sandbox, { operation: 'normalizeDomains' }, items, { credentials: {} });

  const valid = { status: 'valid', free_mail: false };
  expect(run.json(NAME).map(enrichmentOf)).toEqual([
    { ...valid, domain: 'brightharbor.com', host: 'app.brightharbor.com' },
    expect.objectContaining({ status: 'invalid', reason: 'free_mail' }),
    { ...valid, domain: 'bt.com', host: 'bt.com', free_mail: true },
    expect.objectContaining({ status: 'invalid', reason: 'placeholder' }),
    { ...valid, domain: 'brightharbor.com', host: 'brightharbor.com', duplicate_of_item: 0 },
  ]);
  expect(run.traced()).toEqual([0, 1, 2, 3, 4]);
  expect(sandbox.report().requests).toBe(0);
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
  // The message of a missing field names it.
  expect(JSON.stringify(ours).replaceAll('toString', 'nothing')).toBe(JSON.stringify(theirs));
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

it.each([
  [
    'a host that the credential does not allow',
    { allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com' },
    /Domain not allowed/,
  ],
  ['an invalid option', undefined, /^"Column Prefix" is empty/],
])(
  'fails every row, and the run with Stop, before a request: %s',
  async (_what, fields, message) => {
    const items = leads([...trackedDomains(sandbox, 2), 'no domain']);
    const options = fields === undefined ? { columnPrefix: ' ' } : {};
    const credentials = userCredential(sandbox, 'user', fields);
    const run = async (onError: (typeof ON_ERROR)[number]) =>
      await enrich(sandbox, { options }, items, { onError, credentials });
    const [stopped, together, split] = await Promise.all(ON_ERROR.map(run));

    expect(stopped?.error?.message).toMatch(message);
    // Rows without a domain need no credential, but an invalid option fails them too.
    const failed = fields === undefined ? [0, 1, 2] : [0, 1];
    expect(split?.json(NAME, 1).map(({ id }) => id)).toEqual(failed);
    const rows = together?.json(NAME) ?? [];
    expect(rows.map((json) => Boolean(json['error'] ?? json['enriched_error']))).toEqual(
      items.map((_, id) => failed.includes(id)),
    );
    const statuses = ['error', 'error', 'invalid'];
    const kept = items.map((item, id) => ({ ...item, enriched_status: statuses[id] }));
    if (fields !== undefined) expect(rows).toMatchObject(kept);
    expect(sandbox.report().requests).toBe(0);
  },
);

describe('simultaneous executions of one lead each', () => {
  const slow = useFreshSandbox({ companies: 500, latencyMs: 20 });

  it('share few requests, and pay for each company once', async () => {
    const domains = trackedDomains(slow, 200);
    const runs = await Promise.all(
      leads(domains).map(async (lead) => {
        const nodes = [source([lead]), bulkEnrich({}, { onError: 'continueErrorOutput' })];
        return await runWorkflow({ nodes, credentials: userCredential(slow) });
      }),
    );

    expect(runs.map((run) => enrichmentOf(run.json(NAME)[0]!)['domain'])).toEqual(domains);
    expect(slow.report()).toMatchObject({ charged: 200, domains: 200 });
    // The usual number is about 5. It is higher on a machine that takes seconds to start all
    // executions.
    expect(slow.report().requests).toBeLessThanOrEqual(100);
    expect(runs[100]?.messages(NAME)[0]).toMatch(
      /in 0\.\d+ requests \(other executions shared one\)\. 1 of 1 company is tracked \(100%\)\. Cost: up to 1 credit; companies .* are free\.$/,
    );
    const costs = runs.map(({ customData }) => customData['company_intelligence_credits_at_most']);
    expect(costs).toEqual(domains.map(() => '1'));
  });
});
