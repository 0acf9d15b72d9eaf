/** Tests lists, objects and options; `leads-of-exports.tsv` holds the cells of text. */
import { normalizeDomain, type NormalizeOptions } from '../../../src/input/domains';

const USUAL: NormalizeOptions = { subdomains: 'strip', rejectFreeMail: undefined };

/** Returns the domain, or the reason why there is none. */
function read(value: unknown, options = USUAL): string {
  const found = normalizeDomain(value, options);
  return found.valid ? found.domain : found.reason;
}

describe('lists and objects that nodes output', () => {
  it.each<[from: string, value: unknown, domain: string]>([
    ['Airtable', ['https://acme.com'], 'acme.com'],
    [
      'Airtable, several URLs',
      ['https://linkedin.com/company/acme', 'https://acme.com'],
      'acme.com',
    ],
    ['Airtable, a button', { label: 'Open', url: 'https://acme.com' }, 'acme.com'],
    ['HubSpot', { value: 'acme.com', timestamp: 1, source: 'API' }, 'acme.com'],
    ['HubSpot, a company', { properties: { domain: { value: 'acme.com' } } }, 'acme.com'],
    [
      'Pipedrive, the primary one',
      [
        { label: 'home', value: 'jo@other.com', primary: false },
        { label: 'work', value: 'jo@acme.com', primary: true },
      ],
      'acme.com',
    ],
    [
      'Pipedrive, with a private primary one',
      [
        { value: 'jo@gmail.com', primary: true },
        { value: 'jo@acme.com', primary: false },
      ],
      'acme.com',
    ],
    ['Pipedrive, empty', [{ value: '', primary: true }], 'empty'],
    ['Google Contacts', [{ value: 'jo@acme.com', type: 'work' }], 'acme.com'],
    ['Notion, a URL', { type: 'url', url: 'https://acme.com' }, 'acme.com'],
    ['Notion, text', { rich_text: [{ plain_text: 'acme.com', href: null }] }, 'acme.com'],
    ['monday.com', { url: 'https://acme.com', text: 'Acme' }, 'acme.com'],
    ['Attio', [{ domain: 'app.acme.com', root_domain: 'acme.com' }], 'acme.com'],
    ['Close', [{ email: 'jo@acme.com', type: 'office' }], 'acme.com'],
    ['Excel', { text: 'Acme', hyperlink: 'https://acme.com' }, 'acme.com'],
    ['a JSON text', '[{"label":"work","value":"jo@acme.com","primary":true}]', 'acme.com'],
    ['only an avatar', { avatar: 'https://cdn.other.com/x.png' }, 'not_text'],
    ['only a profile page', ['https://x.com/acme'], 'profile_page'],
    ['an empty object', {}, 'not_text'],
  ])('return a domain or a reason: %s', (_from, value, domain) => {
    expect(read(value)).toBe(domain);
  });

  it('are refused without an endless loop when they are circular', () => {
    const circle: Record<string, unknown> = { label: 'x' };
    circle.value = circle;
    expect(read(circle)).toBe('not_text');
  });
});

describe('domains to ignore or accept', () => {
  const own = { ...USUAL, ignoreDomains: new Set(['own.com']) };
  const accepting = {
    ...USUAL,
    acceptDomains: new Set(['linkedin.com', 'acme.zendesk.com', 'gmail.com', 'example.com']),
  };

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
    expect(read(text, accepting)).toBe(domain);
  });

  it('ignores a domain that is both ignored and accepted', () => {
    expect(read('own.com', { ...own, acceptDomains: new Set(['own.com']) })).toBe('ignored');
  });
});

it('names the host and what to do when a profile page is refused', () => {
  const found = normalizeDomain('https://de.linkedin.com/in/jo', USUAL);
  expect(found).toMatchObject({
    reason: 'profile_page',
    about: 'linkedin.com',
    message:
      "de.linkedin.com hosts pages about companies and people, not their own sites: use the company's own website or a company email address",
  });
});

it('refuses the same hosts when subdomains are kept', () => {
  const keep = { ...USUAL, subdomains: 'keep' } as const;
  expect(read('https://de.linkedin.com/in/jo', keep)).toBe('profile_page');
  expect(read('x1@marketplace.amazon.com', keep)).toBe('free_mail');
  expect(read('https://www.shop.acme.com/x', keep)).toBe('shop.acme.com');
});
