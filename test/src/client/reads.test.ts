/** What is remembered of companies that were read: for 30 days, boundedly, and without their names. */
import { inspect } from 'node:util';

import fc from 'fast-check';

import { FREE_MS, Reads } from '../../../src/client/keys';

const domains = fc.uniqueArray(fc.domain(), { minLength: 1, maxLength: 30 });

it('knows a company for 30 days from the first time, however often it is read again', () => {
  fc.assert(
    fc.property(domains, fc.array(fc.nat(FREE_MS - 1)), (read, times) => {
      const reads = new Reads('secret', 0);
      for (const at of [0, ...times.sort((a, b) => a - b)]) reads.note(read, at);

      for (const domain of read) {
        expect(reads.knows(domain, FREE_MS - 1)).toBe(true);
        expect(reads.knows(domain, FREE_MS)).toBe(false);
        expect(reads.knows(`not-${domain}`, 0)).toBe(false);
      }
    }),
  );
});

it('starts over when it is read after the 30 days', () => {
  const reads = new Reads('secret', 0);
  reads.note(['acme.com'], 0);

  expect(reads.note(['acme.com'], FREE_MS)).toBe(0);
  expect(reads.knows('acme.com', 2 * FREE_MS - 1)).toBe(true);
});

it('tells how many companies are known, each once', () => {
  const reads = new Reads('secret', 0);
  reads.note(['a.com', 'b.com'], 0);

  expect(reads.note(['a.com', 'a.com', 'c.com', 'c.com', 'd.com'], 1)).toBe(1);
});

it('holds so many at most, and forgets the oldest first', () => {
  const reads = new Reads('secret', 0, 3);
  const read = ['a.com', 'b.com', 'c.com', 'd.com'];
  for (const [at, domain] of read.entries()) reads.note([domain], at);

  expect(read.filter((domain) => reads.knows(domain, 4))).toEqual(['b.com', 'c.com', 'd.com']);
});

it('keeps no names, and hashes that differ from key to key', () => {
  fc.assert(
    fc.property(domains, (read) => {
      const [one, other] = ['one', 'other'].map((secret) => {
        const reads = new Reads(secret, 0);
        reads.note(read, 0);
        return inspect(Reflect.get(reads, 'times'), { maxArrayLength: null });
      });

      expect(one).not.toMatch(
        new RegExp(read.map((domain) => domain.replaceAll('.', '\\.')).join('|')),
      );
      expect(one).not.toEqual(other);
    }),
  );
});
