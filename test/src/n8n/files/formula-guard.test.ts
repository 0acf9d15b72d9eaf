import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

import { createCsvEncoder, DELIMITERS } from '../../../../src/n8n/files/encoders';
import { guardFormula } from '../../../../src/n8n/files/formula-guard';
import cells from './formula-cells.json';
import { canReadAgain, patternRuns } from '../../support/patterns';

// An apostrophe stands before a formula, also where another locale starts a cell inside the text.
it.each(Object.entries(cells))('turns %j into %j', (cell, guarded) => {
  expect(guardFormula(cell)).toBe(guarded);
});

describe('a cell of 2,000,000 characters', () => {
  const MANY = 2_000_000;

  it.each([
    ['digits', (many: number) => `-${'1'.repeat(many)}x`, "'"],
    ['separators', (many: number) => ';'.repeat(many), ''],
    ['quotation marks', (many: number) => `;${'"'.repeat(many)}=`, ''],
  ])('of %s is guarded in linear time', (_name, cellOf, apostrophe) => {
    const guard = (many: number) => {
      const cell = cellOf(many);
      // Not with `toBe`, which would print both texts.
      expect(guardFormula(cell) === `${apostrophe}${cell}`).toBe(true);
    };
    const runs = patternRuns(() => {
      guard(MANY);
    });
    const runsOnFew = patternRuns(() => {
      guard(10);
    });
    expect(runs.map(({ source }) => source)).toEqual(runsOnFew.map(({ source }) => source));
    expect(runs.filter(({ source }) => canReadAgain(source))).toEqual([]);
  });

  it('with a formula after each separator gets an apostrophe before each formula', () => {
    expect(guardFormula(';=1;-1'.repeat(MANY / 6)) === ";'=1;-1".repeat(MANY / 6)).toBe(true);
  });
});

/** Returns whether a cell starts a formula. A number may be followed by text of the next cell. */
function isFormula(cell: string): boolean {
  const number = /^[+-](?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"*(?:$|[,;\t\r\n])/i;
  return /^[=+\-@＝＋－＠]/.test(cell) && !number.test(cell);
}

function cellsOf(file: string, delimiter: string): string[] {
  const form = {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  };
  const plain = parse(file, { ...form, quote: false }).flat();
  try {
    return [...plain, ...parse(file, form).flat()];
  } catch {
    // Text split at another delimiter can have an open quote.
    return plain;
  }
}

it('leaves no cell that starts a formula, whichever delimiter the file is read with', () => {
  const parts = ['=1', '-5', '+x', '@', '"', ',', ';', '\r\n', '\t', '-1-1', '＝1', 'ü', ' ', ''];
  const cell = fc.array(fc.constantFrom(...parts), { maxLength: 5 }).map((some) => some.join(''));
  const rows = fc.array(fc.record({ a: cell, b: cell }), { minLength: 1, maxLength: 4 });
  const delimiters = fc.constantFrom(
    ...(Object.keys(DELIMITERS) as Array<keyof typeof DELIMITERS>),
  );
  fc.assert(
    fc.property(rows, delimiters, (some, delimiter) => {
      const how = { columns: [], byteOrderMark: false, escapeFormulas: true, delimiter };
      const { head, encode } = createCsvEncoder(some, how);
      for (const other of Object.values(DELIMITERS)) {
        // Read with another delimiter, a cell can begin with white space of the file itself.
        const cells = cellsOf(head + encode(some), other).map((one) =>
          one.replace(/^[\t\r\n]+/, ''),
        );
        expect(cells.filter(isFormula)).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
});
