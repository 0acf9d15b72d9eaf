import { domainToASCII, domainToUnicode } from 'node:url';

import fc from 'fast-check';

import { domainKey, readSuffix, withoutWww } from '../../../src/input/hosts';
import { normalizeDomain, type NormalizeOptions } from '../../../src/input/domains';

/** Normalizes a domain as the service does (API spec: Enrichment, rule 1). */
function asTheServiceReads(entry: string): string | undefined {
  const domain = entry
    .trim()
    .toLowerCase()
    .replace(/^www\./, '');
  return domain.includes('.') && domain.length <= 253 ? domain : undefined;
}

const anyOptions: fc.Arbitrary<NormalizeOptions> = fc.record({
  subdomains: fc.constantFrom('strip', 'keep'),
  rejectFreeMail: fc.constantFrom(true, false, undefined),
});

const label = fc.oneof(
  fc.constantFrom('www', 'WWW', 'ｗｗｗ', 'co', 'uk', 'com', 'github', 'io', 'local', 'gmail'),
  fc.stringMatching(/^[a-z0-9-]{1,12}$/),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
);

const host = fc.oneof(
  fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.')),
  fc.domain(),
  fc.domain().map((domain) => `www.${domain}`),
);

const messy = fc.oneof(
  host,
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.emailAddress(),
  fc.ipV4(),
  fc.ipV6(),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.tuple(fc.string(), host, fc.string()).map((parts) => parts.join(' ')),
  fc.tuple(fc.webUrl(), host).map((parts) => parts.join(',')),
);

it('returns a reason, or a domain that stays the same and equals the one of the service', () => {
  fc.assert(
    fc.property(fc.oneof(messy, messy, messy, fc.anything()), anyOptions, (value, options) => {
      const found = normalizeDomain(value, options);
      if (!found.valid) {
        expect([typeof found.reason, typeof found.message]).toEqual(['string', 'string']);
        return;
      }
      const { domain, freeMail, host } = found;
      expect(domain).toMatch(/^[a-z0-9._-]+$/);
      expect(host.endsWith(domain)).toBe(true);
      // A mail provider counts as a company only if the text gives its website, not its bare host.
      if (!freeMail || options.rejectFreeMail !== undefined) {
        const again = normalizeDomain(domain, options);
        // An address at a shared host (jo@a.t.cn) is of its company, its bare subdomain is a page.
        const isAddress = typeof value === 'string' && value.includes('@');
        const isPage = !again.valid && again.about !== undefined && isAddress;
        if (!isPage) expect(again).toMatchObject({ valid: true, domain, freeMail });
      }
      // The service's rule would strip `www.` from www.com and leave no domain.
      if (/^www\.[^.]*$/.test(domain)) return;
      expect(asTheServiceReads(domain)).toBe(domain);
      expect(domainKey(domain)).toBe(domain);
      expect(domainKey(` WWW.${domain.toUpperCase()} `)).toBe(domain);
    }),
    { numRuns: 2_000 },
  );
});

const realDomain = fc
  .tuple(
    fc.array(fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.constantFrom('com', 'co.uk', 'de', 'com.au', 'io', 'рф', 'example'),
  )
  .map(([labels, ending]) => [...labels, ending].join('.'))
  // Excludes public suffixes, shared and listed hosts, and invalid punycode.
  .filter(
    (domain) => normalizeDomain(`https://${domain}/x`, KEEP).valid && !readSuffix(domain).isBare,
  );
const KEEP: NormalizeOptions = { subdomains: 'keep', rejectFreeMail: false };

/** Texts that can surround a domain: one before it and one after it. */
const AROUND =
  '“” ‘’ «» ‹› „“ 「」 （） "\' <> ＜＞ ❝❞ () [] ## ' +
  '\u200e\u200e \u202a\u202a \u2066\u2066 \u200b\u200b \u200d\u200d \u00ad\u00ad \uf0b7\uf0b7 \u0007\u0007';
const ENTITIES = 'lt gt|ldquo rdquo|nbsp nbsp|bull trade|#8226 hellip|#x2192 #174';
const BEFORE = ['http://', 'HTTP:\\\\', 'Web:', 'url: ', 'view-source:', 'Сайт：'];
/** Characters that can stand on either side of a domain. */
const BESIDE = '• ‣ ▪ · – — → ➡️ ™ ® ©️ … ´ ✓ 🚀 ① ， 、';

const pairs: ReadonlyArray<readonly [string, string]> = [
  ...AROUND.split(' ').map(([open, close]) => [open!, close!] as const),
  ...ENTITIES.split('|').map((names) => {
    const [open, close] = names.split(' ');
    return [`&${open};`, `&${close};`] as const;
  }),
  ...BESIDE.split(' ').flatMap((sign) => [[sign, ''] as const, ['', sign] as const]),
  ...BEFORE.map((before) => [before, ''] as const),
  ['https://', '/x?a=b.c#d'],
  ['* ', ' *'],
  ...['~~', '\ufeff', '\u00a0'].map((both) => [both, both] as const),
];

it('finds any domain in a URL, an email address or other text', () => {
  const address = fc.constantFrom('', 'www.', 'jo.doe@', 'jo@www.');
  const wraps = fc.array(fc.constantFrom(...pairs), { maxLength: 5 });
  fc.assert(
    fc.property(realDomain, address, fc.boolean(), wraps, (domain, before, isUpper, around) => {
      const bare = `${before}${isUpper ? domain.toUpperCase() : domain}`;
      const wrapped = around.reduce((text, [open, close]) => `${open}${text}${close}`, bare);
      const { domain: plain } = normalizeDomain(domain, KEEP) as { domain: string };
      expect([wrapped, normalizeDomain(wrapped, KEEP)]).toMatchObject([wrapped, { domain: plain }]);
    }),
    { numRuns: 2_000 },
  );
});

it('finds no domain that the text does not contain', () => {
  const noise = fc.oneof(
    fc.constantFrom(...pairs.flat()),
    fc.constantFrom('.', ',', '@', ':', '/', '-', '&', '[.]', 'www.', '\ufffd', '\u2011', ' '),
    realDomain,
    fc.stringMatching(/^[a-z0-9]{1,4}$/),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(noise, { maxLength: 8 }), (parts) => {
      const found = normalizeDomain(parts.join(''), KEEP);
      fc.pre(found.valid);
      const seen = parts
        .join('')
        .replace(/\[\.\]/g, '.')
        .replace(/[\p{Cf}\p{DI}]/gu, '');
      const text = seen
        // Hosts of URLs can be percent-encoded.
        .replace(/(?:%[\da-f]{2})+/gi, (escaped) =>
          Buffer.from(escaped.replaceAll('%', ''), 'hex').toString(),
        )
        .normalize('NFKC')
        // A host can mix labels of both forms.
        .replace(/xn--[a-z\d-]+/gi, (label) => domainToUnicode(label) || label)
        .replace(/[\u2010-\u2013\u2212]/g, '-')
        .replace(/[\u3002\uff61]/g, '.')
        // In a domain, both forms of sharp s become SS, but
        // `toUpperCase` changes only the small one.
        .toLowerCase()
        .toUpperCase();
      // A space can interrupt a host that begins with a scheme or `www.`, and precede its ending.
      const joined = text.replace(/((?:\/\/|WWW\.)[\p{L}\p{N}-]+) | (?=\.)/gu, '$1');
      const names = [domainToUnicode(found.domain), found.domain].map((one) => one.toUpperCase());
      const isThere = names.some((name) => text.includes(name) || joined.includes(name));
      expect([text, names, isThere]).toEqual([text, names, true]);
    }),
    { numRuns: 5_000, examples: [[['%4A', '0.0.com']]] },
  );
});

it('uses the ASCII form of any host as its key', () => {
  const part = fc.stringMatching(/^[a-z0-9_-]{1,8}$|^xn--[a-z0-9-]{1,8}$|^[äß工а]{1,3}$/);
  const hosts = fc.array(part, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
  fc.assert(
    fc.property(hosts, (name) => {
      expect(domainKey(name)).toBe(domainToASCII(withoutWww(name)) || withoutWww(name));
    }),
    { numRuns: 2_000 },
  );
  const others = ['  ACME.com ', 'acme.com.', 'a.www.acme.com', 'www.com', ''].map(domainKey);
  expect(others).toEqual(['acme.com', 'acme.com', 'a.www.acme.com', 'www.com', '']);
  const numbers = Array.from({ length: 20_000 }, (_unused, n) => 0x4e00 + n);
  const tooLong = `${String.fromCodePoint(...numbers)}.com`;
  expect(domainKey(` WWW.${tooLong} `)).toBe(tooLong);
});
