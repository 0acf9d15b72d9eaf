/** Tests cells as people, CRMs, scrapers, forms and mail programs of many countries write them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { normalizeDomain } from '../../../src/input/domains';
import { read, USUAL } from './support';

/**
 * Each line holds the expected domain, or the reason why there is none, and the cell. Sites below
 * hosts of the public suffix list count as separate companies.
 */
const lines = readFileSync(join(__dirname, 'leads-of-exports.tsv'), 'utf8').trimEnd().split('\n');

it('reads every cell of the table as the table states', () => {
  const found = lines.map((line) => {
    const [, cell = ''] = line.split('\t');
    return `${read(cell)}\t${cell}`;
  });
  expect(found.filter((line, at) => line !== lines[at])).toEqual([]);
});

const SITE = 'https://acme.com';
const MAIL = 'jo@acme.com';
const PROFILE = 'https://linkedin.com/company/acme';
const PRIVATE = { type: 'personal', email: 'jo@gmail.com' };
const PIPEDRIVE = 'acme@pipedrivemail.com';
const LOGO = 'https://production.s3.amazonaws.com/uploads/picture';
const NO_LINK = { content: 'acme.com', link: null };
const VCARD = 'BEGIN:VCARD\nVERSION:3.0\nN:Doe;Jo\nORG:Acme\nTEL;TYPE=WORK:+49301234567\n';

const CIRCLE: Record<string, unknown> = { label: 'x' };
CIRCLE.value = CIRCLE;

const pipedrive = (label: string, value: string, primary = false) => ({ label, value, primary });

describe('values that nodes and mail programs output', () => {
  it.each<[from: string, value: unknown]>([
    ['a sheet, with a no-break space', 'acme.com\u00a0'],
    ['a file, with a byte order mark', `\ufeff${SITE}`],
    ['a file, with a line end', 'acme.com\r\n'],
    ['a vCard', `${VCARD}EMAIL;TYPE=INTERNET:${MAIL}\nURL:${SITE}\nEND:VCARD`],
    ['an old vCard', `BEGIN:VCARD\nVERSION:2.1\nFN:Jo\nEMAIL;PREF;INTERNET:${MAIL}\nEND:VCARD`],
    ['a signature', 'Best regards\nJo Doe\nAcme GmbH\nT +49 30 123\nwww.acme.com'],
    ['a mail header', `Jo Doe\t<${MAIL}>`],
    ['an email', { value: [{ address: MAIL, name: 'Jo' }], html: '<b>Jo</b>', text: `<${MAIL}>` }],
    ['Outlook', { emailAddress: { address: MAIL, name: 'Jo' } }],
    ['Airtable', [SITE]],
    ['Airtable, several URLs', [PROFILE, SITE]],
    ['Airtable, with empty values', [null, '', SITE]],
    ['Airtable, an empty value last', [SITE, null]],
    ['Airtable, a button', { label: 'Open', url: SITE }],
    ['Airtable, a record', { id: 'rec1', createdTime: '2026-01-01', fields: { Website: SITE } }],
    ['Airtable, an error', { specialValue: 'N/A', website: 'acme.com' }],
    ['HubSpot', { value: 'acme.com', timestamp: 1_700_000_000_000, source: 'API' }],
    ['HubSpot, a company', { properties: { domain: { value: 'acme.com' } } }],
    ['Pipedrive', [pipedrive('home', 'jo@other.com'), pipedrive('work', MAIL, true)]],
    ['Pipedrive, private', [pipedrive('home', 'jo@gmail.com', true), pipedrive('work', MAIL)]],
    ['Pipedrive, empty', [pipedrive('work', '', true), pipedrive('home', MAIL)]],
    ['Pipedrive, a deal', { org_id: { cc_email: PIPEDRIVE }, email: [{ value: MAIL }] }],
    ['Google Contacts', [{ value: MAIL, type: 'work' }]],
    ['Google Forms', { textAnswers: { answers: [{ value: 'www.acme.com' }] } }],
    ['Notion, a URL', { type: 'url', url: SITE }],
    ['Notion, an email address', { type: 'email', email: MAIL }],
    ['Notion, text', { rich_text: [{ plain_text: 'acme.com', href: null }] }],
    ['Notion, a title', { type: 'title', title: [{ plain_text: 'acme.com', text: NO_LINK }] }],
    ['monday.com', { url: SITE, text: 'Acme' }],
    ['Attio', [{ domain: 'app.acme.com', root_domain: 'acme.com' }]],
    ['Attio, one domain', { domain: 'acme.com', root_domain: 'acme.com' }],
    ['a list of addresses', [{ address: MAIL, name: 'Jo' }]],
    ['a link named like its domain', { label: 'acme.com', url: SITE }],
    ['Close', [{ email: MAIL, type: 'office' }]],
    ['Close, the primary one', [{ email: 'jo@other.com' }, { email: MAIL, is_primary: true }]],
    ['Close, a private address first', [PRIVATE, { type: 'professional', email: MAIL }]],
    ['Close, URLs', { urls: [{ url: PROFILE }, { url: SITE }] }],
    ['Apollo', { linkedin_url: PROFILE, logo_url: LOGO, website_url: SITE }],
    ['Excel', { text: 'Acme', hyperlink: SITE }],
    ['a cell with a link', { link: SITE, text: 'Acme' }],
    ['a typed value', { valueType: 'text', text: 'acme.com' }],
    ['Twenty', { primaryLinkUrl: SITE, primaryLinkLabel: '', secondaryLinks: null }],
    ['Twenty, a company', { domainName: { primaryLinkUrl: SITE, primaryLinkLabel: '' } }],
    ['Mailchimp', { email_address: MAIL, opted_in: true }],
    ['Stripe', { business_profile: { url: SITE, support_email: null } }],
    ['GitHub', { login: 'jo', html_url: 'https://github.com/jo', blog: SITE, email: null }],
    ['Salesforce', { attributes: { type: 'Account', url: '/services/data' }, Website: SITE }],
    ['Calendly', { uri: 'https://api.calendly.com/scheduled_events/AB', email: MAIL }],
    ['a person with two addresses', { personal_email: 'jo@gmail.com', work_email: MAIL }],
    ['lists in a list', [[SITE]]],
    ['objects in lists in a list', [[{ value: 'acme.com' }]]],
    ['an object in a field', { company: { domain: 'acme.com' } }],
    ['a list in a field', { emails: [{ email: MAIL }] }],
    ['a link', { href: SITE }],
    ['a header in capitals', { Domain: 'acme.com' }],
    ['a header in mixed case', { webSite: 'acme.com' }],
    ['a header of two words', { 'Company Domain': 'acme.com' }],
    ['a header of an address', { Email: MAIL }],
    ['a JSON text', `[{"label":"work","value":"${MAIL}","primary":true}]`],
  ])('hold acme.com: %s', (_from, value) => {
    expect(read(value)).toBe('acme.com');
  });

  it.each<[from: string, value: unknown, reason: string]>([
    ['Pipedrive, empty', [{ value: '', primary: true }], 'empty'],
    ['only an avatar', { avatar: 'https://cdn.other.com/x.png' }, 'not_text'],
    ['only a profile page', ['https://x.com/acme'], 'profile_page'],
    ['an empty object', {}, 'not_text'],
    ['a circular object', CIRCLE, 'not_text'],
  ])('hold no domain: %s', (_from, value, reason) => {
    expect(read(value)).toBe(reason);
  });
});

describe('domains to ignore or accept', () => {
  const own = { ignoreDomains: new Set(['own.com']) };
  const accepted = ['linkedin.com', 'acme.zendesk.com', 'gmail.com', 'example.com'];

  it.each([
    ['jo@own.com', 'ignored'],
    ['https://shop.own.com/x', 'ignored'],
    ['own.com', 'ignored'],
    ['own.com, acme.com', 'acme.com'],
    ['https://linkedin.com/company/own jo@own.com', 'ignored'],
    ['notown.com', 'notown.com'],
  ])('reads %s as %s when own.com is ignored', (text, domain) => {
    expect(read(text, own)).toBe(domain);
  });

  it.each([
    ['https://www.linkedin.com/company/acme', 'linkedin.com'],
    ['https://acme.zendesk.com/hc', 'acme.zendesk.com'],
    ['other.zendesk.com', 'hosted_site'],
    ['jo@gmail.com', 'gmail.com'],
    ['www.example.com', 'example.com'],
  ])('reads %s as %s when four hosts are always accepted', (text, domain) => {
    expect(read(text, { acceptDomains: new Set(accepted) })).toBe(domain);
  });

  it('ignores a domain that is both ignored and accepted', () => {
    expect(read('own.com', { ...own, acceptDomains: new Set(['own.com']) })).toBe('ignored');
  });
});

it('names the host and what to do when a profile page is refused', () => {
  expect(normalizeDomain('https://de.linkedin.com/in/jo', USUAL)).toMatchObject({
    reason: 'profile_page',
    about: 'linkedin.com',
    message:
      "de.linkedin.com hosts pages about companies and people, not their own sites: use the company's own website or a company email address",
  });
});

it.each([
  ['https://de.linkedin.com/in/jo', 'profile_page'],
  ['x1@marketplace.amazon.com', 'free_mail'],
  ['https://www.shop.acme.com/x', 'shop.acme.com'],
])('refuses the same hosts when subdomains are kept: %s', (text, expected) => {
  expect(read(text, { subdomains: 'keep' })).toBe(expected);
});
