import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { domainToASCII } from 'node:url';

import fc from 'fast-check';

import { normalizeDomain, SERVICE_DOMAIN_OPTIONS } from '../../../src/input/domains';
import { MAX_SEARCHED } from '../../../src/input/tokens';
import { canReadAgain, patternRuns } from '../support/patterns';
import { read, USUAL } from './support';
import values from './values-of-nodes.json';

const KEEP = { subdomains: 'keep' } as const;
const ANY_MAIL = { rejectFreeMail: false } as const;

/**
 * Each line holds the expected domain, or the reason why there is none, and the cell. Some state
 * also the domain with its subdomains. Sites below hosts of the public suffix list count as
 * separate companies.
 */
const lines = readFileSync(join(__dirname, 'leads-of-exports.tsv'), 'utf8').trimEnd().split('\n');

it('reads every cell of the table as the table states', () => {
  expect(lines.length).toBeGreaterThan(1_000);
  const found = lines.map((line) => {
    const [, cell = '', kept] = line.split('\t');
    return [read(cell), cell, ...(kept === undefined ? [] : [read(cell, KEEP)])].join('\t');
  });
  expect(found.filter((line, at) => line !== lines[at])).toEqual([]);
});

/** Cells that no line of the table can hold. */
it.each<[expected: string, ...unknown[]]>([
  ['acme.com', '  ACME.Com \n', 'ac\u00adme.\u200bcom', 'acme.com\u200bother.com'],
  [domainToASCII('نامه\u200cای.com'), 'نامه\u200cای.com'],
  ['empty', undefined, null, '', ' \t\n '],
  ['not_text', {}, [], [{ size: 3 }], true],
  ['placeholder', ['none']],
  ['no_dot', 42],
  ['malformed', 'm\ufffdnchen.de', 3.14, `${'a'.repeat(64)}.com`],
])('reads %s from %j, %j', (expected, ...values) => {
  for (const value of values) {
    expect([value, read(value), read(value, KEEP)]).toEqual([value, expected, expected]);
  }
});

it('says why a cell has no domain, in more than one word', () => {
  const reasons = lines.map((line) => normalizeDomain(line.split('\t')[1], USUAL));
  const messages = reasons.flatMap((found) => (found.valid ? [] : [found.message]));
  expect(messages.filter((message) => !/\w+ \w+/.test(message))).toEqual([]);
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

  it('is marked or rejected, as the option says', () => {
    for (const text of ['jo@gmail.com', 'jo@GMAIL.com', 'gmail.com', 'jo@yahoo.co.uk']) {
      expect(normalizeDomain(text, { ...USUAL, ...ANY_MAIL })).toMatchObject({ freeMail: true });
      expect(read(text, rejected)).toBe('free_mail');
    }
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
  const acceptDomains = new Set(['linkedin.com', 'acme.zendesk.com', 'gmail.com', 'example.com']);

  it.each([
    ['https://www.linkedin.com/company/acme', 'linkedin.com'],
    ['https://de.linkedin.com/company/acme', 'linkedin.com'],
    ['https://acme.zendesk.com/hc', 'acme.zendesk.com'],
    ['other.zendesk.com', 'hosted_site'],
    ['jo@gmail.com', 'gmail.com'],
    ['www.example.com', 'example.com'],
    ['https://www.linkedin.com./company/acme', 'linkedin.com'],
  ])('are accepted: %s is %s', (text, domain) => {
    expect(read(text, { acceptDomains })).toBe(domain);
  });

  it('are companies when they are typed or come from the service', () => {
    const hosts = 'yahoo.com web.de test.com bit.ly acme.zendesk.com linkedin.com'.split(' ');
    const found = hosts.map((host) => read(`https://${host}/x`, SERVICE_DOMAIN_OPTIONS));
    expect(found).toEqual(hosts);
  });
});

const CIRCLE: Record<string, unknown> = { label: 'x' };
CIRCLE.value = CIRCLE;

describe('values that nodes and mail programs output', () => {
  it.each(Object.entries<unknown>(values))('hold acme.com: %s', (_from, value) => {
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

it('reads the target of up to three links in each other', () => {
  const wrap = (link: string) => `https://l.facebook.com/l.php?u=${encodeURIComponent(link)}`;
  const links = ['https://acme.com/'];
  while (links.length < 5) links.push(wrap(links.at(-1)!));
  expect(links.map((link) => read(link))).toEqual([...Array(4).fill('acme.com'), 'short_link']);
});

describe('length', () => {
  const name = (length: number) => {
    const labels = 'a'.repeat(62).concat('.').repeat(4);
    return `${labels.slice(0, length - 4).replace(/\.$/, 'a')}.com`;
  };

  it('is up to 253 characters in the ASCII form that is sent', () => {
    expect([name(253).length, name(254).length]).toEqual([253, 254]);
    expect(read(name(253), KEEP)).toBe(name(253));
    expect(read(name(254), KEEP)).toBe('too_long');
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

  it('are read with a very long query, and refused with a host of 1,000,000 characters', () => {
    expect(read(`https://www.acme.com/?q=${'x'.repeat(100_000)}`)).toBe('acme.com');
    expect(read('a.'.repeat(500_000))).toBe('too_long');
  });
});
