/** Tests cells as people, CRMs, scrapers, forms and mail programs of many countries write them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { normalizeDomain } from '../../../src/input/domains';

/** Returns the domain, or the reason why there is none. */
function read(value: unknown): string {
  const found = normalizeDomain(value, { subdomains: 'strip', rejectFreeMail: undefined });
  return found.valid ? found.domain : found.reason;
}

/**
 * Each line holds the expected domain, or the reason why there is none, and the cell. Sites below
 * hosts of the public suffix list count as separate companies.
 */
const lines = readFileSync(join(__dirname, 'leads-of-exports.tsv'), 'utf8').trimEnd().split('\n');

it('reads every cell of the table as the table states', () => {
  expect(lines.length).toBeGreaterThan(2100);
  const found = lines.map((line) => {
    const [, cell = ''] = line.split('\t');
    return `${read(cell)}\t${cell}`;
  });
  expect(found.filter((line, at) => line !== lines[at])).toEqual([]);
});

it('reads what nodes and mail programs output besides plain text', () => {
  const values: unknown[] = [
    'brightpath.io\u00a0',
    '\ufeffhttps://brightpath.io',
    'brightpath.io\r\n',
    'BEGIN:VCARD\nVERSION:3.0\nN:Doe;Jane\nORG:Brightpath\nTEL;TYPE=WORK:+49301234567\nEMAIL;TYPE=INTERNET:jane@brightpath.io\nURL:https://brightpath.io\nEND:VCARD',
    'BEGIN:VCARD\nVERSION:2.1\nFN:Jane Doe\nEMAIL;PREF;INTERNET:jane@brightpath.io\nEND:VCARD',
    'Best regards\nJane Doe\nBrightpath GmbH\nT +49 30 123\nwww.brightpath.io',
    { primaryLinkUrl: 'https://brightpath.io', primaryLinkLabel: '', secondaryLinks: null },
    { domain: 'brightpath.io', root_domain: 'brightpath.io' },
    [{ domain: 'brightpath.io' }],
    { url: 'https://brightpath.io' },
    { value: 'brightpath.io', timestamp: 1700000000000, source: 'CRM_UI' },
    { Website: 'www.brightpath.io' },
    [
      { label: 'work', value: '', primary: true },
      { label: 'home', value: 'jane@brightpath.io', primary: false },
    ],
    {
      value: [{ address: 'jane@brightpath.io', name: 'Jane' }],
      html: '<span>Jane</span>',
      text: 'Jane <jane@brightpath.io>',
    },
    [{ address: 'jane@brightpath.io', name: 'Jane' }],
    { emailAddress: { address: 'jane@brightpath.io', name: 'Jane' } },
    { email: 'jane@brightpath.io' },
    ['https://brightpath.io', null],
    [null, '', 'https://brightpath.io'],
    { link: 'https://brightpath.io', text: 'Brightpath' },
    { hyperlink: 'https://brightpath.io', text: 'Brightpath' },
    { email_address: 'jane@brightpath.io', opted_in: true },
    ['https://linkedin.com/company/brightpath', 'https://brightpath.io'],
    [['https://brightpath.io']],
    { href: 'https://brightpath.io' },
    'Jane Doe\t<jane@brightpath.io>',
    { domainName: { primaryLinkUrl: 'https://norwind.eu', primaryLinkLabel: '' } },
    { company: { domain: 'norwind.eu' } },
    { Domain: 'norwind.eu' },
    { 'Company Domain': 'norwind.eu' },
    { webSite: 'norwind.eu' },
    { Email: 'jane@norwind.eu' },
    [{ email: 'jane@norwind.eu', is_primary: true }],
    [
      { type: 'personal', email: 'jane@gmail.com' },
      { type: 'professional', email: 'jane@norwind.eu' },
    ],
    { emails: [{ email: 'jane@norwind.eu' }] },
    { urls: [{ url: 'https://linkedin.com/in/jane' }, { url: 'https://norwind.eu' }] },
    { type: 'email', email: 'jane@norwind.eu' },
    {
      type: 'title',
      title: [{ plain_text: 'norwind.eu', text: { content: 'norwind.eu', link: null } }],
    },
    { valueType: 'text', text: 'norwind.eu' },
    [{ id: 1, value: 'norwind.eu' }],
    [[{ value: 'norwind.eu' }]],
    ['norwind.eu'],
    { specialValue: 'N/A', website: 'norwind.eu' },
    { label: 'norwind.eu', url: 'https://norwind.eu' },
    { id: 'rec1', createdTime: '2026-01-01T00:00:00.000Z', fields: { Website: 'norwind.eu' } },
    { textAnswers: { answers: [{ value: 'www.norwind.eu' }] } },
    { business_profile: { url: 'https://norwind.eu', support_email: null } },
    { login: 'jane', html_url: 'https://github.com/jane', blog: 'https://norwind.eu', email: null },
    {
      attributes: { type: 'Account', url: '/services/data/v59.0/sobjects/Account/001' },
      Website: 'norwind.eu',
    },
    {
      linkedin_url: 'http://www.linkedin.com/company/norwind',
      logo_url: 'https://production.s3.amazonaws.com/uploads/picture',
      website_url: 'http://www.norwind.eu',
    },
    {
      org_id: { cc_email: 'norwind@pipedrivemail.com', name: 'Norwind' },
      email: [{ value: 'jane@norwind.eu', primary: true }],
    },
    { uri: 'https://api.calendly.com/scheduled_events/AB', email: 'jane@norwind.eu' },
    { personal_email: 'jane@gmail.com', work_email: 'jane@norwind.eu' },
  ];
  for (const value of values)
    expect([value, read(value)]).toEqual([
      value,
      expect.stringMatching(/^(?:brightpath\.io|norwind\.eu)$/),
    ]);
});
