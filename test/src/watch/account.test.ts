/** Tests that replaying the changes of any history of an account reproduces each state. */
import fc from 'fast-check';

import type { Row } from '../../../src/run/responses/rows';
import {
  readAccount,
  parseAccount,
  EMPTY_ACCOUNT,
  diffAccount,
  serializeAccount,
  type Account,
  type StoredAccount,
} from '../../../src/watch/account';
import { packSnapshot } from '../../../src/watch/snapshot';

const SECTIONS = ['technologies', 'partnerships'];
const RIVALS = [['crm-a', 'crm-b', 'crm-c']];

/** Returns the account as the next poll reads it from the saved state. */
const remembered = (account: Account): Account =>
  parseAccount(JSON.parse(JSON.stringify(serializeAccount(account))) as StoredAccount);

const keys = fc.uniqueArray(fc.constantFrom('crm-a', 'crm-b', 'crm-c', 'shop', 'mail'));
const types = fc.dictionary(
  fc.constantFrom('one.com', 'two.com', 'three = odd %name.com'),
  fc.constantFrom('technology', 'channel', 'generic'),
);
const row = fc.record({ keys, types }).map(({ keys: technologies, types: partners }): Row => ({
  status: 'tracked',
  technologies: technologies.map((tech_key) => ({ tech_key })),
  technology_count: technologies.length,
  partnerships: Object.entries(partners).map(([partner_domain, partnership_type]) => ({
    partner_domain,
    partnership_type,
  })),
  partnership_count: Object.keys(partners).length,
}));

const plain = ({ technologies, partnerships }: Account) => ({
  technologies: [...(technologies?.keys() ?? [])].sort(),
  partnerships: [...(partnerships ?? [])].map(([id, { type }]) => `${id} ${type}`).sort(),
});

it('reports exactly the changes between two states', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 10 }), (history) => {
      const technologies = new Set<string>();
      const partnerships = new Map<string, unknown>();
      const move = (key: unknown, into: boolean) => {
        expect(technologies.has(String(key))).toBe(!into);
        if (into) technologies.add(String(key));
        else technologies.delete(String(key));
      };
      let before = EMPTY_ACCOUNT;
      for (const one of history) {
        const now = readAccount(one, SECTIONS);
        const changes = diffAccount('acme.com', before, now, RIVALS);
        expect(new Set(changes.map(({ event, id }) => `${event} ${id}`)).size).toBe(changes.length);
        for (const { event, facts } of changes) {
          const partner = facts['partner'] as string;
          const type = facts['partnership_type'];
          if (event === 'technologyAdopted') move(facts['tech_key'], true);
          else if (event === 'technologyDropped') move(facts['tech_key'], false);
          else if (event === 'technologyMigrated') {
            for (const { tech_key } of facts['from'] as Row[]) move(tech_key, false);
            for (const { tech_key } of facts['to'] as Row[]) move(tech_key, true);
          } else if (event === 'partnershipLost') expect(partnerships.delete(partner)).toBe(true);
          else {
            expect(partnerships.get(partner)).toBe(facts['previous_partnership_type']);
            expect(partnerships.get(partner)).not.toBe(type);
            partnerships.set(partner, type);
          }
        }
        expect({
          technologies: [...technologies].sort(),
          partnerships: Array.from(partnerships, ([id, type]) => `${id} ${String(type)}`).sort(),
        }).toEqual(plain(now));
        // The next poll compares with the saved state.
        before = remembered(now);
        expect(plain(before)).toEqual(plain(now));
      }
    }),
  );
}, 60_000);

/**
 * The name fields of a partner in one response. Two consecutive responses share at least one field.
 */
const names = fc.subarray(['partner_name', 'partner_slug', 'partner_domain'], { minLength: 2 });

it('recognizes a partner by any of its names', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(names, names), { minLength: 2, maxLength: 6 }), (states) => {
      let before: Account | undefined;
      for (const state of states) {
        const partnerships = state.map((fields, index) =>
          Object.fromEntries(fields.map((field) => [field, `${field} ${String(index)}`])),
        );
        const now = readAccount({ partnerships }, ['partnerships'], before);
        if (before !== undefined) expect(diffAccount('acme.com', before, now, [])).toEqual([]);
        expect(now.partnerships?.size).toBe(2);
        before = remembered(now);
      }
    }),
  );
});

it('merges rows of one partner if only one of them has its domain', () => {
  const domainless = { partner_name: 'Beta', partnership_type: 'technology' };
  const named = { partner_name: 'Beta', partner_domain: 'beta.com', partnership_type: 'channel' };
  const read = (partnerships: Row[], known?: Account) =>
    readAccount({ partnerships }, ['partnerships'], known);
  const before = read([domainless]);
  const changes = diffAccount('acme.com', before, read([named, domainless], before), []);

  expect(changes.map(({ event }) => event)).toEqual(['partnershipTypeChanged']);
});

it('saves the same text whatever the order of the rows in the response', () => {
  fc.assert(
    fc.property(row, (one) => {
      const known = remembered(readAccount(one, SECTIONS));
      const turned = Object.fromEntries(
        Object.entries(one).map(([name, value]) => [
          name,
          Array.isArray(value) ? (value as unknown[]).toReversed() : value,
        ]),
      );
      const text = (account: Account) => JSON.stringify(serializeAccount(account));
      expect(text(readAccount(turned, SECTIONS, known))).toBe(text(known));
    }),
  );
});

it('reports no change from or to unknown values', () => {
  fc.assert(
    fc.property(row, row, fc.subarray(SECTIONS), (one, other, sections) => {
      const changesTo = (later: Row, read: string[]) =>
        diffAccount('acme.com', readAccount(one, SECTIONS), readAccount(later, read), []);
      const changes = changesTo(other, sections);
      const reports = (prefix: string) => changes.some(({ event }) => event.startsWith(prefix));
      if (!sections.includes('technologies')) expect(reports('technology')).toBe(false);
      if (!sections.includes('partnerships')) expect(reports('partnership')).toBe(false);
      const lost = { ...other, technologies: [], technology_count: 3 };
      expect(changesTo(lost, ['technologies'])).toEqual([]);
      expect(changesTo({ status: 'not_tracked', technologies: [] }, SECTIONS)).toEqual([]);
    }),
  );
});

it('packs the technologies of 50,000 accounts into less than 4 MB', async () => {
  const technologies = Array.from({ length: 500 }, (_one, index) => `technology-${String(index)}`);
  const table = new Map(
    Array.from({ length: 50_000 }, (_one, account): [string, unknown] => {
      // A few technologies are common, most are rare.
      const own = Array.from({ length: 14 }, (_two, index) => {
        const spread = ((account * 7919 + index * 104_729) % 10_007) / 10_007;
        return technologies[Math.floor(500 * spread ** 3)] ?? '';
      });
      const rows = [...new Set(own)].map((tech_key) => ({
        tech_key,
        display_name: `A ${tech_key}`,
      }));
      const kept = serializeAccount(readAccount({ technologies: rows }, ['technologies']));
      return [`account-${String(account * 31)}.com`, kept];
    }),
  );

  expect((await packSnapshot(table)).length).toBeLessThan(4_000_000);
}, 60_000);
