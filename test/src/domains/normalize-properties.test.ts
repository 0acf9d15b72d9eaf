import fc from 'fast-check';

import { domainKey } from '../../../src/domains/domain-key';
import { normalizeDomain, type NormalizeOptions } from '../../../src/domains/normalize';

/** The service's own normalization, written down from the interface (Enrichment, rule 1). */
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

it('never throws, and always says either the domain or a reason', () => {
  fc.assert(
    fc.property(fc.oneof(messy, fc.anything()), anyOptions, (value, options) => {
      const found = normalizeDomain(value, options);
      if (found.valid) expect(found.domain).not.toBe('');
      else expect([typeof found.reason, typeof found.message]).toEqual(['string', 'string']);
    }),
    { numRuns: 500 },
  );
});

it('a domain that was found is found again, unchanged', () => {
  fc.assert(
    fc.property(messy, anyOptions, (text, options) => {
      const once = normalizeDomain(text, options);
      fc.pre(once.valid);
      const again = normalizeDomain(once.domain, options);
      expect(again).toMatchObject({ valid: true, domain: once.domain, freeMail: once.freeMail });
    }),
    { numRuns: 1_000 },
  );
});

it('the service reads it as the same domain, so that its answer finds its row', () => {
  fc.assert(
    fc.property(messy, anyOptions, (text, options) => {
      const found = normalizeDomain(text, options);
      // www.com is the one name that the service's rule takes apart.
      fc.pre(found.valid && !/^www\.[^.]*$/.test(found.domain));
      expect(asTheServiceReads(found.domain)).toBe(found.domain);
      expect(domainKey(found.domain)).toBe(found.domain);
      expect(domainKey(` WWW.${found.domain.toUpperCase()} `)).toBe(found.domain);
      expect(found.domain).toMatch(/^[a-z0-9._-]+$/);
      expect(found.host.endsWith(found.domain)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

it('any domain is found, however it is wrapped', () => {
  const wraps: ReadonlyArray<(domain: string) => string> = [
    (domain) => domain.toUpperCase(),
    (domain) => `https://${domain}/path?q=a.b#c.d`,
    (domain) => `http://www.${domain}:8080`,
    (domain) => `jo.doe@${domain}`,
    (domain) => `Jo Doe <jo@${domain}>`,
    (domain) => `  ${domain}.  `,
  ];
  fc.assert(
    fc.property(fc.domain(), fc.constantFrom(...wraps), (domain, wrap) => {
      const options: NormalizeOptions = { subdomains: 'keep', rejectFreeMail: false };
      const plain = normalizeDomain(domain, options);
      fc.pre(plain.valid);
      expect(normalizeDomain(wrap(domain), options)).toMatchObject({ domain: plain.domain });
    }),
    { numRuns: 500 },
  );
});
