import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { parseCountry, readPlace } from '../../../../src/input/names/places';

/** Each line holds the countries that a place can be in, or a dash, and the place as people write it. */
const lines = readFileSync(join(__dirname, 'places.tsv'), 'utf8').trimEnd().split('\n');

it('reads every place of the table as the table states', () => {
  expect(lines.length).toBeGreaterThan(400);
  const found = lines.map((line) => {
    const [, place = ''] = line.split('\t');
    return `${[...readPlace(place)].sort().join(' ') || '-'}\t${place}`;
  });
  expect(found.filter((line, at) => line !== lines[at])).toEqual([]);
});

it.each<[codes: string[] | undefined, ...values: unknown[]]>([
  [['DE'], ['Germany'], '["Germany"]', [null, 'Germany'], [' Germany ', 'N/A']],
  [['DE'], { id: 12, name: 'Germany' }, { code: 'DE', name: 'Germany' }, [{ fields: { x: 'DE' } }]],
  [['DE'], { city: 'Hamburg', country: 'Germany' }, ['Germany', 'Deutschland'], ['Hamburg', 'DE']],
  [['GE'], 'Georgia', { id: 7, name: 'Georgia' }],
  [[], ['Germany', 'France'], { name: 'Atlantis' }, { id: 12 }, 'Germany, France', 'x'.repeat(201)],
  [undefined, undefined, null, '', ' ', [], {}, [''], ['N/A'], '?'],
  [undefined, ...'N/A|-|unknown|none|n.a.|N.A.|Unknown|null|–|keine Angabe'.split('|')],
])('reads %j from %j, %j and others', (codes, ...values) => {
  for (const value of values) {
    expect([value, parseCountry(value)?.codes]).toEqual([value, codes]);
  }
});

it('reads any text', () => {
  const word = fc.constantFrom(...'Berlin|DE|, | - |(|Germany|TX| |東京|10115'.split('|'));
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(word).map((words) => words.join('')),
  );
  fc.assert(
    fc.property(text, (given) => {
      expect(readPlace(given).filter((code) => !/^[A-Z]{2}$/.test(code))).toEqual([]);
    }),
  );
});
