import { domainToASCII } from 'node:url';

import fc from 'fast-check';

import {
  normalizeDomain,
  type InvalidReason,
  type NormalizeOptions,
} from '../../../src/input/domains';
import { MAX_SEARCHED } from '../../../src/input/tokens';
import { canReadAgain, patternRuns } from '../support/patterns';

const STRIP: NormalizeOptions = { subdomains: 'strip', rejectFreeMail: false };
const KEEP: NormalizeOptions = { ...STRIP, subdomains: 'keep' };

/** Returns the domain, or the reason why there is none. */
const read = (value: unknown, options = STRIP): string => {
  const found = normalizeDomain(value, options);
  return found.valid ? found.domain : `(${found.reason})`;
};

describe('finds acme.com in', () => {
  describe.each([
    [
      'bare domains',
      ['  ACME.Com \n', 'acme.com.', 'acme.com...', '.acme.com', 'ａｃｍｅ．ｃｏｍ'],
    ],
    ['ports', ['acme.com:8080', 'acme.com:', 'http://acme.com:8080/a/b.html']],
    ['paths', ['acme.com/careers', 'acme.com?utm=1', 'acme.com#x', 'acme.com\\x', '//acme.com/x']],
    ['URLs', ['HTTPS://WWW.ACME.COM/About?x=1#top', 'https://user:pa:ss@acme.com/']],
    ['URLs in URLs', ['https://acme.com/?next=https://other.com', 'https://https://acme.com']],
    ['mistyped URLs', ['http:acme.com', 'http//acme.com', 'https:///acme.com']],
    [
      'email addresses',
      ['mailto:jo@acme.com', 'Jo Doe <jo@acme.com>', '"Doe, Jo" <jo@acme.com>', '@acme.com'],
    ],
    ['sentences', ['see acme.com!', 'Acme Inc. acme.com', 'acme.com, New York', 'e.g. acme.com']],
    ['mistyped dots', ['jo@acme,com', 'www.acme,com', 'acme .com', 'Acme. COM', 'jo @ acme . com']],
    ['text with markup', ['[acme](https://acme.com)', '*acme.com', '“Jo O’Neill” <jo@acme.com>']],
    [
      'symbols',
      ['Acme®•acme.com™', 'acme.com¹', '1️⃣acme.com', 'ac\u00adme.\u200bcom', 'url=acme.com'],
    ],
    ['HTML entities', ['&#8220;acme&#x2e;com&rdquo;']],
    ['obfuscated addresses', ['hxxps[://]acme[.]com/x', 'jo [at] acme (dot) com']],
  ])('%s', (_what, texts) => {
    it.each(texts)('%p', (text) => {
      expect([read(text), read(text, KEEP)]).toEqual(['acme.com', 'acme.com']);
    });
  });
});

it.each([
  ['acme.co', 'acme.co'],
  ['acme.museum', 'acme.museum'],
  ['acme‑corp.com', 'acme-corp.com'],
  ['acme.example', 'acme.example'],
  ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['MÜNCHEN.DE', 'xn--mnchen-3ya.de'],
  ['m&uuml;nchen.de', 'xn--mnchen-3ya.de'],
  ['https://例え.jp/x', 'xn--r8jz45g.jp'],
  ['日本。jp', 'xn--wgv71a.jp'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['l·lacuna.cat', 'xn--llacuna-vma.cat'],
  ['日本・東京.jp', domainToASCII('日本・東京.jp')],
  ['צה״ל.co.il', domainToASCII('צה״ל.co.il')],
  ['نامه\u200cای.com', domainToASCII('نامه\u200cای.com')],
])('normalizes %p, with another ending or script, to %s', (text, domain) => {
  expect([read(text), read(text, KEEP)]).toEqual([domain, domain]);
});

describe('finds no domain, for the reason', () => {
  const V6 = '2001:db8::1';

  describe.each<[InvalidReason, unknown[]]>([
    ['empty', [undefined, null, '', ' \t\n ']],
    ['not_text', [{}, [], [{ size: 3 }], true]],
    ['placeholder', ['n/a', '-', '(blank)', '#N/A', 'NULL', ['none']]],
    ['no_dot', ['@acme. It is', 'Acme, Inc. com', 'Acme,de', 'VB .net']],
    ['no_dot', ['acme', 42, '???', 'jo@acme', 'https://', '. . .', '\\nacme.com', '💥']],
    ['ip_address', ['127.0.0.1', 'http://10.1.2.3:8080/x', 'jo@192.168.0.1', '::1', V6]],
    ['ip_address', [`http://[${V6}]:80/`, `http://[${V6}]/acme.com`, `jo@[IPv6:${V6}]`]],
    ['unknown_tld', ['report.pdf', 'https://acme.html/x', 'valleyfinch.com.auu']],
    ['public_suffix', ['com.au', 'http://www.co.uk/', 'valleyfinch,com.au', 'valleyfinch,uk.com']],
    ['localhost', ['localhost', 'http://localhost:3000', 'app.localhost', 'PC.LocalDomain']],
    ['localhost', ['printer.local', 'ｐｒｉｎｔｅｒ.ｌｏｃａｌ']],
    ['malformed', ['m\ufffdnchen.de', 'AT&amp;T.com', 'acme..com', '-acme.com', 'acme-.com']],
    ['malformed', ['ac%20me.com', 'acme.c', 'acme.123', 'xn--.com', `${'a'.repeat(64)}.com`]],
    ['malformed', [3.14, '1.2.3', '999.999.999.999']],
  ])('%s', (reason, values) => {
    it.each(values)('%p', (value) => {
      const message: unknown = expect.stringMatching(/\w+ \w+/);
      expect(normalizeDomain(value, STRIP)).toMatchObject({ valid: false, reason, message });
      expect(read(value, KEEP)).toBe(`(${reason})`);
    });
  });
});

describe('subdomains', () => {
  it.each([
    ['app.acme.com', 'acme.com', 'app.acme.com'],
    ['www.app.acme.com', 'acme.com', 'app.acme.com'],
    ['a.b.c.acme.co.uk', 'acme.co.uk', 'a.b.c.acme.co.uk'],
    ['acme.co.uk', 'acme.co.uk', 'acme.co.uk'],
    ['Jo.Doe+tag@Sales.Acme.COM', 'acme.com', 'sales.acme.com'],
    ['www.acme.com.au', 'acme.com.au', 'acme.com.au'],
    // Shops and pages on a shared host count as companies.
    ['www.acme.myshopify.com', 'acme.myshopify.com', 'acme.myshopify.com'],
    ['blog.acme.github.io', 'acme.github.io', 'blog.acme.github.io'],
    // The shared host itself.
    ['github.io', 'github.io', 'github.io'],
    ['url: za.com', 'za.com', 'za.com'],
    ['* github.io *', 'github.io', 'github.io'],
    ['www.www.acme.com', 'acme.com', 'acme.com'],
    ['www.acme.com.www.acme.com', 'acme.com', 'acme.com.www.acme.com'],
    ['www.com', 'www.com', 'www.com'],
  ])('reads %s as %s when stripped, and as %s when kept', (text, stripped, kept) => {
    expect(read(text, STRIP)).toBe(stripped);
    expect(read(text, KEEP)).toBe(kept);
  });

  it('returns the host with its subdomain next to the stripped domain', () => {
    expect(normalizeDomain('https://App.ACME.com/x', STRIP)).toEqual({
      valid: true,
      domain: 'acme.com',
      host: 'app.acme.com',
      freeMail: false,
    });
  });
});

describe('several candidates', () => {
  it.each([
    ['acme.com, other.com', 'acme.com'],
    ['jo@gmail.com, jo@acme.com', 'acme.com'],
    ['jo@gmail.com jo@yahoo.com', 'gmail.com'],
    ['jo@gmail.com, intranet.acme', 'gmail.com'],
    ['acme.com\u200bother.com', 'acme.com'],
    ['github.io, acme.com', 'acme.com'],
    ['localhost acme.com', 'acme.com'],
    ['127.0.0.1 acme.com', 'acme.com'],
    ['report.pdf acme.com', 'acme.com'],
    ['Acme, Inc. | https://www.acme.com | +1.555.0100', 'acme.com'],
    // The reason belongs to the piece that came closest to a domain.
    ['Acme 127.0.0.1', '(ip_address)'],
  ])('chooses from %s: %s', (text, domain) => {
    expect(read(text)).toBe(domain);
  });
});

describe('free mail', () => {
  const REJECT = { ...STRIP, rejectFreeMail: true };

  it.each(['jo@gmail.com', 'jo@GMAIL.com', 'gmail.com', 'jo@web.de', 'jo@yahoo.co.uk'])(
    'marks %s as free mail, and rejects it when the option is on',
    (text) => {
      expect(normalizeDomain(text, STRIP)).toMatchObject({ valid: true, freeMail: true });
      expect(normalizeDomain(text, REJECT)).toMatchObject({ valid: false, reason: 'free_mail' });
    },
  );

  describe('with the option unset', () => {
    const USUAL = { ...STRIP, rejectFreeMail: undefined };

    it.each([
      'maria@gmail.com',
      'Maria <maria@gmail.com>',
      'mailto:maria@gmail.com?subject=Offer',
      'maria@mail.yahoo.com',
      '@gmx.de',
      '‘jo@gmail.com’',
      'Email:jo@gmail.com',
      'gmail.com',
      'www.GMX.de.',
      'yahoo.com',
      'mail.yahoo.co.uk',
      '“hotmail.fr”',
    ])('rejects an email address, or a host that only offers email: %s', (text) => {
      expect(read(text, USUAL)).toBe('(free_mail)');
    });

    it.each([
      ['bt.com', 'bt.com'],
      ['https://www.zoho.com/crm', 'zoho.com'],
      ['https://maria@yahoo.com/', 'yahoo.com'],
      ['//maria@yahoo.com', 'yahoo.com'],
      ['maria@gmail.com, see https://gmail.com', 'gmail.com'],
      ['yahoo.com/business', 'yahoo.com'],
      ['https://www.gmx.de', 'gmx.de'],
      ['maria@gmail.com, maria@acme.com', 'acme.com'],
    ])('accepts a website, or a host that is also a company: %s', (text, domain) => {
      expect(read(text, USUAL)).toBe(domain);
    });

    it('returns the same as with the option on or off, for any text', () => {
      const text = fc.oneof(fc.emailAddress(), fc.webUrl(), fc.domain(), fc.string());
      const host = fc.constantFrom('gmail.com', 'yahoo.com', 'acme.com', '');
      fc.assert(
        fc.property(text, host, (before, after) => {
          const given = `${before}${after}`;
          const usual = read(given, USUAL);

          expect([read(given, STRIP), read(given, REJECT)]).toContain(usual);
        }),
      );
    });
  });

  it('finds a company next to a free mail address, and does not mark it', () => {
    expect(normalizeDomain('jo@gmail.com, acme.com', REJECT)).toMatchObject({
      domain: 'acme.com',
      freeMail: false,
    });
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
    expect(read(name(254), KEEP)).toBe('(too_long)');
  });

  it('is measured in the ASCII form that is sent', () => {
    const long = `${'üñ'.repeat(18)}.`.repeat(6).concat('de');
    expect(long.length).toBeLessThan(253);
    expect(domainToASCII(long).length).toBeGreaterThan(253);
    expect(read(long, KEEP)).toBe('(too_long)');
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
        expect(normalizeDomain(textOf(many), STRIP).valid).toBe(false);
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
    expect(normalizeDomain(`${pieces}acme.com`, STRIP)).toEqual({
      valid: false,
      reason: 'too_long',
      message: 'The first 10,000 characters contain no domain, and only these are searched',
    });
    expect(read(`acme.com ${pieces}`)).toBe('acme.com');
    expect(read('a.co '.repeat(200_000))).toBe('a.co');
  });

  it('are not read as a shorter domain when the search ends within one', () => {
    for (let length = 9_985; length <= 10_005; length += 1) {
      const found = read(`${'x'.repeat(length)} acme.com rest ${'y '.repeat(50)}`);
      expect(found).toMatch(/^acme\.com$|^\(/);
    }
    expect(read(`${'x'.repeat(9_991)} acme.com rest`)).toBe('acme.com');
    expect(read(`${'x'.repeat(9_993)} acme.com`)).toMatch(/^\(/);
  });

  it('are read when they hold a URL with a very long query', () => {
    expect(read(`https://www.acme.com/?q=${'x'.repeat(100_000)}`)).toBe('acme.com');
  });

  it('are refused as too long when they hold a host of 1,000,000 characters', () => {
    expect(read('a.'.repeat(500_000))).toBe('(too_long)');
  });
});
