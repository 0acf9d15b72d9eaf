/** Tests the cache of companies read in the last 30 days: it is bounded and holds no names. */
import { inspect } from 'node:util';

import fc from 'fast-check';

import { FREE_REREAD_MS, RecentReads } from '../../../src/client/keys';

const domains = fc.uniqueArray(fc.domain(), { minLength: 1, maxLength: 30 });

it('remembers a company for 30 days from its first read, however often it is read again', () => {
  fc.assert(
    fc.property(domains, fc.array(fc.nat(FREE_REREAD_MS - 1)), (read, times) => {
      const reads = new RecentReads('secret', 0);
      for (const at of [0, ...times.sort((a, b) => a - b)]) reads.record(read, at);

      for (const domain of read) {
        expect(reads.has(domain, FREE_REREAD_MS - 1)).toBe(true);
        expect(reads.has(domain, FREE_REREAD_MS)).toBe(false);
        expect(reads.has(`not-${domain}`, 0)).toBe(false);
      }
    }),
  );
});

it('remembers a company for another 30 days when it is read after the first 30', () => {
  const reads = new RecentReads('secret', 0);
  reads.record(['acme.com'], 0);

  expect(reads.record(['acme.com'], FREE_REREAD_MS)).toBe(0);
  expect(reads.has('acme.com', 2 * FREE_REREAD_MS - 1)).toBe(true);
});

it('returns the number of companies that were already known, counting each once', () => {
  const reads = new RecentReads('secret', 0);
  reads.record(['a.com', 'b.com'], 0);

  expect(reads.record(['a.com', 'a.com', 'c.com', 'c.com', 'd.com'], 1)).toBe(1);
});

it('keeps a limited number of companies and drops the oldest first', () => {
  const reads = new RecentReads('secret', 0, 3);
  const read = ['a.com', 'b.com', 'c.com', 'd.com'];
  for (const [at, domain] of read.entries()) reads.record([domain], at);

  expect(read.filter((domain) => reads.has(domain, 4))).toEqual(['b.com', 'c.com', 'd.com']);
});

it('stores only hashes of domains, which differ between keys', () => {
  fc.assert(
    fc.property(domains, (read) => {
      const [one, other] = ['one', 'other'].map((secret) => {
        const reads = new RecentReads(secret, 0);
        reads.record(read, 0);
        return inspect(Reflect.get(reads, 'readTimes'), { maxArrayLength: null });
      });

      expect(one).not.toMatch(
        new RegExp(read.map((domain) => domain.replaceAll('.', '\\.')).join('|')),
      );
      expect(one).not.toEqual(other);
    }),
  );
});
