/** Tests that replaying the changes of any history of an account reproduces each state. */
import fc from 'fast-check';

import type { Row } from '../../../src/run/responses/rows';
import { diffSection, readSection, type SectionName } from '../../../src/watch/account';
import { compareStates, toSaved, type Watched } from '../../../src/watch/watched-companies';

const keys = fc.shuffledSubarray(['a', 'b', 'c', 'd']);

/** Returns a bulk result in which an account has these technologies or partners. */
function rowOf(name: SectionName, has: readonly string[]): Row {
  return name === 'technologies'
    ? { technologies: has.map((tech_key) => ({ tech_key })), technology_count: has.length }
    : {
        partnerships: has.flatMap((one) => [
          { partner_slug: one },
          // The service can return a partner once per type.
          { partner_slug: one, partner_domain: `${one}.com`, partnership_type: 'channel' },
        ]),
      };
}

it.each(['technologies', 'partnerships'] as const)('reports exactly the changes of %s', (name) => {
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 10 }), (history) => {
      let saved: readonly Watched[] = [];
      let before: readonly string[] = [];
      for (const has of history) {
        const comparison = compareStates(saved, readSection(rowOf(name, has), name) ?? []);
        const changes = diffSection({ domain: 'acme.com' }, name, comparison);
        const events = changes.map(({ event, id }) => `${event} ${id}`);
        expect(new Set(events).size).toBe(changes.length);
        const keysOf = (pattern: RegExp) =>
          changes.filter(({ event }) => pattern.test(event)).map(({ id }) => id.at(9));
        expect(keysOf(/Adopted|Gained/).sort()).toEqual(
          has.filter((key) => !before.includes(key)).sort(),
        );
        expect(keysOf(/Dropped|Lost/).sort()).toEqual(
          before.filter((key) => !has.includes(key)).sort(),
        );
        saved = toSaved(comparison.current);
        before = has;
      }
    }),
  );
});

it.each<[string, Row]>([
  ['is missing', { status: 'tracked' }],
  ['was shortened', { technologies: [{ tech_key: 'a' }], technology_count: 2 }],
  ['belongs to an account that is not tracked', { status: 'not_tracked', technologies: [] }],
])('does not read a section that %s', (_what, row) => {
  expect(readSection(row, 'technologies')).toBeUndefined();
});
