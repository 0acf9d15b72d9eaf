/** Tests cells as people, CRMs, scrapers, forms and mail programs of many countries write them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { domainToASCII } from 'node:url';

import fc from 'fast-check';

import {
  normalizeDomain,
  SERVICE_DOMAIN_OPTIONS,
  type InvalidReason,
} from '../../../src/input/domains';
import { MAX_SEARCHED } from '../../../src/input/tokens';
import { canReadAgain, patternRuns } from '../support/patterns';
import { read, USUAL } from './support';

const KEEP = { subdomains: 'keep' } as const;
const ANY_MAIL = { rejectFreeMail: false } as const;

/**
 * Each line holds the expected domain, or the reason why there is none, and the cell. Sites below
 * hosts of the public suffix list count as separate companies.
 */
const lines = readFileSync(join(__dirname, 'leads-of-exports.tsv'), 'utf8').trimEnd().split('\n');

it('reads every cell of the table as the table states', () => {
  expect(lines.length).toBeGreaterThan(900);
  const found = lines.map((line) => {
    const [, cell = ''] = line.split('\t');
    return `${read(cell)}\t${cell}`;
  });
  expect(found.filter((line, at) => line !== lines[at])).toEqual([]);
});

it.each([
  ...['  ACME.Com \n', 'acme.com...', '.acme.com', 'ａｃｍｅ．ｃｏｍ', 'acme.com:', 'acme.com\\x'],
  ...['https://user:pa:ss@acme.com/', 'http:acme.com', 'https:///acme.com', '“J” <jo@acme.com>'],
  ...['jo@acme,com', 'Acme. COM', 'jo @ acme . com', 'Acme®•acme.com™', '1️⃣acme.com', 'acme.com¹'],
  ...[
    'ac\u00adme.\u200bcom',
    'url=acme.com',
    '&#8220;acme&#x2e;com&rdquo;',
    'hxxps[://]acme[.]com/x',
  ],
  ...['acme.com\u200bother.com', 'localhost acme.com', '127.0.0.1 acme.com', 'report.pdf acme.com'],
])('finds acme.com in %p', (text) => {
  expect([read(text), read(text, KEEP)]).toEqual(['acme.com', 'acme.com']);
});

it.each([
  ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
  ['MÜNCHEN.DE', 'xn--mnchen-3ya.de'],
  ['m&uuml;nchen.de', 'xn--mnchen-3ya.de'],
  ['日本。jp', 'xn--wgv71a.jp'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['l·lacuna.cat', 'xn--llacuna-vma.cat'],
  ['日本・東京.jp', domainToASCII('日本・東京.jp')],
  ['צה״ל.co.il', domainToASCII('צה״ל.co.il')],
  ['نامه\u200cای.com', domainToASCII('نامه\u200cای.com')],
])('normalizes %p, in another script, to %s', (text, domain) => {
  expect([read(text), read(text, KEEP)]).toEqual([domain, domain]);
});

const V6 = '2001:db8::1';

it.each<[InvalidReason, ...unknown[]]>([
  ['empty', undefined, null, '', ' \t\n '],
  ['not_text', {}, [], [{ size: 3 }], true],
  ['placeholder', 'n/a', '-', '(blank)', '#N/A', 'NULL', ['none']],
  ['no_dot', '@acme. It is', 'Acme,de', 'VB .net', 42, '???', 'jo@acme', 'https://', '💥'],
  ['ip_address', '127.0.0.1', 'http://10.1.2.3:8080/x', 'jo@192.168.0.1', '::1', V6],
  ['ip_address', `http://[${V6}]:80/`, `http://[${V6}]/acme.com`, `jo@[IPv6:${V6}]`],
  ['unknown_tld', 'report.pdf', 'https://acme.html/x', 'valleyfinch.com.auu'],
  ['public_suffix', 'com.au', 'http://www.co.uk/', 'valleyfinch,com.au', 'valleyfinch,uk.com'],
  ['localhost', 'http://localhost:3000', 'app.localhost', 'PC.LocalDomain', 'printer.local'],
  ['malformed', 'm\ufffdnchen.de', 'AT&amp;T.com', 'acme..com', '-acme.com', 'acme-.com', 3.14],
  ['malformed', 'ac%20me.com', 'acme.c', 'acme.123', `${'a'.repeat(64)}.com`, '999.999.999.999'],
])('finds no domain, for the reason %s', (reason, ...values) => {
  for (const value of values) {
    const message: unknown = expect.stringMatching(/\w+ \w+/);
    expect([value, normalizeDomain(value, USUAL)]).toMatchObject([value, { reason, message }]);
    expect(read(value, KEEP)).toBe(reason);
  }
});

it.each([
  ['www.app.acme.com', 'acme.com', 'app.acme.com'],
  ['a.b.c.acme.co.uk', 'acme.co.uk', 'a.b.c.acme.co.uk'],
  ['Jo.Doe+tag@Sales.Acme.COM', 'acme.com', 'sales.acme.com'],
  // Shops and pages on a shared host count as companies.
  ['www.acme.myshopify.com', 'acme.myshopify.com', 'acme.myshopify.com'],
  ['blog.acme.github.io', 'acme.github.io', 'blog.acme.github.io'],
  ['url: za.com', 'za.com', 'za.com'],
  ['* github.io *', 'github.io', 'github.io'],
  ['www.acme.com.www.acme.com', 'acme.com', 'acme.com.www.acme.com'],
  ['www.com', 'www.com', 'www.com'],
  ['https://de.linkedin.com/in/jo', 'profile_page', 'profile_page'],
])('reads %s as %s when subdomains are stripped, and as %s when kept', (text, stripped, kept) => {
  expect([read(text), read(text, KEEP)]).toEqual([stripped, kept]);
});

it('returns the host with its subdomain, and the host and fix of a refused page', () => {
  const valid = { valid: true, domain: 'acme.com', host: 'app.acme.com', freeMail: false };
  expect(normalizeDomain('https://App.ACME.com/x', USUAL)).toEqual(valid);
  expect(normalizeDomain('https://de.linkedin.com/in/jo', USUAL)).toEqual({
    valid: false,
    reason: 'profile_page',
    about: 'linkedin.com',
    message:
      "de.linkedin.com hosts pages about companies and people, not their own sites: use the company's own website or a company email address",
  });
});

describe('free email', () => {
  const rejected = { rejectFreeMail: true };

  it.each(['jo@gmail.com', 'jo@GMAIL.com', 'gmail.com', 'jo@web.de', 'jo@yahoo.co.uk'])(
    'is marked or rejected, as the option says: %s',
    (text) => {
      expect(normalizeDomain(text, { ...USUAL, ...ANY_MAIL })).toMatchObject({ freeMail: true });
      expect(read(text, rejected)).toBe('free_mail');
    },
  );

  it.each([
    ...['Maria <maria@gmail.com>', 'mailto:maria@gmail.com?subject=Offer', 'maria@mail.yahoo.com'],
    ...['@gmx.de', '‘jo@gmail.com’', 'gmail.com', 'www.GMX.de.', 'mail.yahoo.co.uk'],
  ])('is an address, or a host that only offers email: %s', (text) => {
    expect(read(text)).toBe('free_mail');
  });

  it.each([
    ['bt.com', 'bt.com'],
    ['https://maria@yahoo.com/', 'yahoo.com'],
    ['maria@gmail.com, see https://gmail.com', 'gmail.com'],
    ['yahoo.com/business', 'yahoo.com'],
    ['maria@gmail.com, maria@acme.com', 'acme.com'],
  ])('is no website, and no host that is also a company: %s', (text, domain) => {
    expect(read(text)).toBe(domain);
  });

  it('is read the same as with the option on or off, for any text', () => {
    const text = fc.oneof(fc.emailAddress(), fc.webUrl(), fc.domain(), fc.string());
    const host = fc.constantFrom('gmail.com', 'yahoo.com', 'acme.com', '');
    fc.assert(
      fc.property(text, host, (before, after) => {
        const given = `${before}${after}`;
        expect([read(given, ANY_MAIL), read(given, rejected)]).toContain(read(given));
      }),
    );
  });
});

describe('domains that the user names', () => {
  const own = { ignoreDomains: new Set(['own.com']) };
  const acceptDomains = new Set(['linkedin.com', 'acme.zendesk.com', 'gmail.com', 'example.com']);

  it.each([
    ['jo@own.com', 'ignored'],
    ['https://shop.own.com/x', 'ignored'],
    ['own.com, acme.com', 'acme.com'],
    ['https://linkedin.com/company/own jo@own.com', 'ignored'],
    ['notown.com', 'notown.com'],
  ])('are ignored: %s is %s', (text, domain) => {
    expect(read(text, own)).toBe(domain);
    expect(read('own.com', { ...own, acceptDomains: new Set(['own.com']) })).toBe('ignored');
  });

  it.each([
    ['https://www.linkedin.com/company/acme', 'linkedin.com'],
    ['https://acme.zendesk.com/hc', 'acme.zendesk.com'],
    ['other.zendesk.com', 'hosted_site'],
    ['jo@gmail.com', 'gmail.com'],
    ['www.example.com', 'example.com'],
  ])('are accepted: %s is %s', (text, domain) => {
    expect(read(text, { acceptDomains })).toBe(domain);
  });

  it.each(['yahoo.com', 'web.de', 'test.com', 'bit.ly', 'acme.zendesk.com', 'linkedin.com'])(
    'are companies when they are typed or come from the service: %s',
    (domain) => {
      expect(read(`https://${domain}/x`, SERVICE_DOMAIN_OPTIONS)).toBe(domain);
    },
  );
});

const SITE = 'https://acme.com';
const MAIL = 'jo@acme.com';
const PROFILE = 'https://linkedin.com/company/acme';
const PRIVATE = { type: 'personal', email: 'jo@gmail.com' };
const LOGO = 'https://production.s3.amazonaws.com/uploads/picture';
const VCARD = 'BEGIN:VCARD\nVERSION:3.0\nN:Doe;Jo\nORG:Acme\nTEL;TYPE=WORK:+49301234567\n';

const CIRCLE: Record<string, unknown> = { label: 'x' };
CIRCLE.value = CIRCLE;

const pipedrive = (label: string, value: string, primary = false) => ({ label, value, primary });

describe('values that nodes and mail programs output', () => {
  it.each<[from: string, value: unknown]>([
    ['a sheet, with a no-break space', 'acme.com\u00a0'],
    ['a file, with a byte order mark', `\ufeff${SITE}`],
    ['a vCard', `${VCARD}EMAIL;TYPE=INTERNET:${MAIL}\nURL:${SITE}\nEND:VCARD`],
    ['a signature', 'Best regards\nJo Doe\nAcme GmbH\nT +49 30 123\nwww.acme.com'],
    ['a mail header', `Jo Doe\t<${MAIL}>`],
    ['an email', { value: [{ address: MAIL, name: 'Jo' }], html: '<b>Jo</b>', text: `<${MAIL}>` }],
    ['Outlook', { emailAddress: { address: MAIL, name: 'Jo' } }],
    ['Airtable, several URLs', [PROFILE, SITE]],
    ['Airtable, a button', { label: 'Open', url: SITE }],
    ['Airtable, a record', { id: 'rec1', createdTime: '2026-01-01', fields: { Website: SITE } }],
    ['Airtable, an error', { specialValue: 'N/A', website: 'acme.com' }],
    ['HubSpot', { value: 'acme.com', timestamp: 1_700_000_000_000, source: 'API' }],
    ['HubSpot, a company', { properties: { domain: { value: 'acme.com' } } }],
    ['Pipedrive', [pipedrive('home', 'jo@other.com'), pipedrive('work', MAIL, true)]],
    ['Pipedrive, private', [pipedrive('home', 'jo@gmail.com', true), pipedrive('work', MAIL)]],
    ['Pipedrive, empty', [pipedrive('work', '', true), pipedrive('home', MAIL)]],
    ['Google Forms', { textAnswers: { answers: [{ value: 'www.acme.com' }] } }],
    ['Notion, a URL', { type: 'url', url: SITE }],
    ['Notion, text', { rich_text: [{ plain_text: 'acme.com', href: null }] }],
    ['monday.com', { url: SITE, text: 'Acme' }],
    ['Attio', [{ domain: 'app.acme.com', root_domain: 'acme.com' }]],
    ['Close, the primary one', [{ email: 'jo@other.com' }, { email: MAIL, is_primary: true }]],
    ['Close, a private address first', [PRIVATE, { type: 'professional', email: MAIL }]],
    ['Close, URLs', { urls: [{ url: PROFILE }, { url: SITE }] }],
    ['Apollo', { linkedin_url: PROFILE, logo_url: LOGO, website_url: SITE }],
    ['Excel', { text: 'Acme', hyperlink: SITE }],
    ['Twenty, a company', { domainName: { primaryLinkUrl: SITE, primaryLinkLabel: '' } }],
    ['Stripe', { business_profile: { url: SITE, support_email: null } }],
    ['GitHub', { login: 'jo', html_url: 'https://github.com/jo', blog: SITE, email: null }],
    ['Calendly', { uri: 'https://api.calendly.com/scheduled_events/AB', email: MAIL }],
    ['a person with two addresses', { personal_email: 'jo@gmail.com', work_email: MAIL }],
    ['objects in lists in a list', [[{ value: 'acme.com' }]]],
    ['a header in capitals', { Domain: 'acme.com' }],
    ['a header of two words', { 'Company Domain': 'acme.com' }],
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

describe('length', () => {
  /** Returns a well-formed domain name of this length. */
  const name = (length: number) => {
    const labels = 'a'.repeat(62).concat('.').repeat(4);
    return `${labels.slice(0, length - 4).replace(/\.$/, 'a')}.com`;
  };

  it('accepts 253 characters and refuses 254', () => {
    expect(name(253)).toHaveLength(253);
    expect(read(name(253), KEEP)).toBe(name(253));
    expect(name(254)).toHaveLength(254);
    expect(read(name(254), KEEP)).toBe('too_long');
  });

  it('is measured in the ASCII form that is sent', () => {
    const long = `${'üñ'.repeat(18)}.`.repeat(6).concat('de');
    expect(long.length).toBeLessThan(253);
    expect(domainToASCII(long).length).toBeGreaterThan(253);
    expect(read(long, KEEP)).toBe('too_long');
  });

  it.each([
    ['dots', (many: number) => `a${'.'.repeat(many)}a`],
    ['colons', (many: number) => `a${':'.repeat(many)}a`],
    ['at signs', (many: number) => '@'.repeat(many)],
    ['slashes', (many: number) => `${'/'.repeat(many)}acme`],
    ['letters', (many: number) => 'a'.repeat(many)],
    ['brackets', (many: number) => '<>'.repeat(many)],
    ['line breaks', (many: number) => `a${'\n'.repeat(many)}a`],
    ['escapes', (many: number) => '%20'.repeat(many)],
  ])('refuses a text of very many %s in linear time', (_name, textOf) => {
    const runsOf = (many: number) =>
      patternRuns(() => {
        expect(normalizeDomain(textOf(many), USUAL).valid).toBe(false);
      });
    const runs = runsOf(20_000);
    expect(runs).toHaveLength(runsOf(40_000).length);
    // Patterns on more than the searched characters read each character once.
    const whole = runs.filter(({ length }) => length > MAX_SEARCHED);
    expect(whole).not.toEqual([]);
    expect(whole.filter(({ source }) => canReadAgain(source))).toEqual([]);
  });
});

describe('cells that contain much more than a domain', () => {
  it('are searched only in their first 10,000 characters', () => {
    const pieces = 'not-a-domain '.repeat(80_000);
    expect(read(`${pieces}acme.com`)).toBe('no_dot');
    expect(read(`acme.com ${pieces}`)).toBe('acme.com');
    expect(read('a.co '.repeat(200_000))).toBe('a.co');
  });

  it('are not read as a shorter domain when the search ends within one', () => {
    for (let length = 9_985; length <= 10_005; length += 1) {
      const found = read(`${'x'.repeat(length)} acme.com rest ${'y '.repeat(50)}`);
      expect(found).toMatch(/^acme\.com$|^[a-z_]+$/);
    }
    expect(read(`${'x'.repeat(9_991)} acme.com rest`)).toBe('acme.com');
    expect(read(`${'x'.repeat(9_993)} acme.com`)).toMatch(/^[a-z_]+$/);
  });

  it('are read when they hold a URL with a very long query', () => {
    expect(read(`https://www.acme.com/?q=${'x'.repeat(100_000)}`)).toBe('acme.com');
  });

  it('are refused as too long when they hold a host of 1,000,000 characters', () => {
    expect(read('a.'.repeat(500_000))).toBe('too_long');
  });
});
