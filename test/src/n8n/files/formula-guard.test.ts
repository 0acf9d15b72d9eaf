import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

import { guardFormula, guardFile } from '../../../../src/n8n/files/formula-guard';
import { canReadAgain, patternRuns } from '../../support/patterns';

it.each([
  '=1+1',
  '=HYPERLINK("http://x.example","Open")',
  '+SUM(A1)',
  '-2+3',
  '@home',
  '\t1',
  '\r1',
  '\n1',
  '＝1+1',
  '＋1',
  '－1',
  '＠home',
  '+49 30 1234',
  '-',
  '=5',
])('prefixes %j with an apostrophe', (cell) => {
  expect(guardFormula(cell)).toBe(`'${cell}`);
});

it.each(['', 'Acme', "'=1", 'a=b', '5', '-5', '+5', '-0.25', '.5', '-1e-7', '5-3', ' =1'])(
  'leaves %j unchanged',
  (cell) => {
    expect(guardFormula(cell)).toBe(cell);
  },
);

it.each([
  ['\t=1', "'\t'=1"],
  ['\r=1', "'\r'=1"],
  ['\n=1', "'\n'=1"],
  ["Acme;=cmd|' /C calc'!A0", "Acme;'=cmd|' /C calc'!A0"],
  ['Acme\t@x', "Acme\t'@x"],
  ['Acme,+x', "Acme,'+x"],
  ['Acme\n=x', "Acme\n'=x"],
  ['Acme;＝x', "Acme;'＝x"],
  ['Acme;"=x"', 'Acme;"\'=x"'],
  ['a;-5;-x', "a;-5;'-x"],
  ['=a;=b', "'=a;'=b"],
])('turns %j into %j, because another locale starts a cell inside it', (cell, guarded) => {
  expect(guardFormula(cell)).toBe(guarded);
});

it.each(['a;b', 'a;-5', '1;-2;+3', 'a; =1', 'a;""=1', 'x=y;z', 'a,b;c\td', 'ä;ö', '5;-1.5e3'])(
  'leaves %j unchanged, because no cell inside it starts with a formula',
  (cell) => {
    expect(guardFormula(cell)).toBe(cell);
  },
);

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

/** Guards a file that arrives in chunks of `pieceSize` bytes. */
async function guardedBytes(bytes: Uint8Array, pieceSize: number): Promise<Buffer> {
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += pieceSize) {
      yield await Promise.resolve(bytes.subarray(at, at + pieceSize));
    }
  };
  const out: Uint8Array[] = [];
  for await (const piece of guardFile(pieces())) out.push(piece);
  return Buffer.concat(out);
}

async function guarded(csv: string, pieceSize: number): Promise<string> {
  return (await guardedBytes(Buffer.from(csv), pieceSize)).toString();
}

it.each([
  // A program that ignores quotation marks starts a new line there.
  ['a,"x\n=1",b', 'a,"x\n\'=1",b'],
  ['＝1,"＋1",a;－1,"a;＠1"', '\'＝1,"\'＋1",a;\'－1,"a;\'＠1"'],
  ['\ufeff＝1', "\ufeff'＝1"],
  ['5" pipe,"=1",=2\n"=3"', '5" pipe,"\'=1",\'=2\n"\'=3"'],
  ['a|=1|-5|"=1"\n-x', "a|'=1|-5|\"'=1\"\n'-x"],
  ['a,b|=1,-5|x', "a,b|=1,'-5|x"],
  ['sep=^\r\n=1^-5^=x', "sep=^\r\n'=1^-5^'=x"],
  ['\ufeff=1,b', "\ufeff'=1,b"],
])('turns the file %j into %j', async (csv, expected) => {
  for (const size of [1, 2, 3, 100]) expect(await guarded(csv, size)).toBe(expected);
});

const cell = fc.oneof(
  fc.constantFrom('=1', '-5', '+x', '@', '"', '""', ',', ';', '\r\n', '\n', '\t', '-1-1', 'ü', ''),
  fc.constantFrom(
    'a;=x',
    'a,=x',
    'a\t=x',
    'a;"=x"',
    '\n=1',
    '＝1',
    'a;＠1',
    'a;b',
    'a;-5',
    '"=1',
    '-5"',
  ),
  fc.string({ maxLength: 12 }),
  fc
    .array(
      fc.constantFrom('=', '+', '-', '@', '＝', '"', "'", ',', ';', '\t', '\r', '\n', '1', 'a'),
      {
        maxLength: 8,
      },
    )
    .map((pieces) => pieces.join('')),
  fc.double({ noNaN: true }).map(String),
);
const table = fc
  .array(fc.array(cell, { minLength: 2, maxLength: 4 }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((rows) => [['name', 'primary_domain', 'slug'], ...rows]);
const delimiters = [',', ';', '\t'];

/** Writes a file as its author would: it quotes cells that contain the file's own separator. */
function fileOf(
  rows: ReadonlyArray<readonly string[]>,
  form: { delimiter: string; quoteAll: boolean; lineEnd: string },
  finish: (cell: string) => string = (one) => one,
): string {
  const { delimiter, quoteAll, lineEnd } = form;
  const cellOf = (one: string) => {
    const quoted = quoteAll || one.includes(delimiter) || /["\r\n]/.test(one);
    return quoted ? `"${finish(one).replaceAll('"', '""')}"` : finish(one);
  };
  return rows.map((row) => row.map(cellOf).join(delimiter)).join(lineEnd);
}

const form = fc.record({
  delimiter: fc.constantFrom(...delimiters),
  quoteAll: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n'),
});

it('changes exactly the cells that need it, and no other byte, in chunks of any size', async () => {
  await fc.assert(
    fc.asyncProperty(table, form, fc.integer({ min: 1, max: 90 }), async (rows, how, pieceSize) => {
      const safe = await guarded(fileOf(rows, how), pieceSize);

      expect(safe).toBe(fileOf(rows, how, guardFormula));
      const { delimiter } = how;
      expect(parse(safe, { delimiter, relax_column_count: true, skip_empty_lines: false })).toEqual(
        rows.map((row) => row.map(guardFormula)),
      );
    }),
    { numRuns: 500 },
  );
});

/**
 * Returns whether a field starts a formula. A number may be followed by text that another locale
 * treats as part of the cell.
 */
function isFormula(field: string): boolean {
  const number = /^[+-](?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"*(?:$|[,;\t\r\n])/i;
  return /^[=+\-@＝＋－＠\t\r\n]/.test(field) && !number.test(field);
}

/**
 * Returns the cells read with and without quotation marks.
 * Text split at another separator may have an open quote.
 */
function cellsOf(csv: string, delimiter: string): string[] {
  const form = {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  };
  const plain = parse(csv, { ...form, quote: false }).flat();
  try {
    return [...plain, ...parse(csv, form).flat()];
  } catch {
    return plain;
  }
}

it('leaves no cell that starts with a formula, whichever separator the file is read with', async () => {
  await fc.assert(
    fc.asyncProperty(table, form, async (rows, how) => {
      const safe = await guarded(fileOf(rows, how), 64);
      parse(safe, { delimiter: how.delimiter, relax_column_count: true });
      for (const delimiter of delimiters) {
        const cells = cellsOf(safe, delimiter);
        // Read with another separator, cells can begin with white space from the file's own form.
        const seen = cells.map((one) => one.replace(/^[\t\r\n]+/, ''));
        expect(seen.filter(isFormula)).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
});

it('changes nothing but apostrophes in any bytes, in chunks of any size', async () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 1, max: 90 }), async (given, pieceSize) => {
      const whole = await guardedBytes(given, given.length + 1);
      expect(await guardedBytes(given, pieceSize)).toEqual(whole);
      const without = (some: Uint8Array) => some.filter((byte) => byte !== 0x27);
      expect(without(Uint8Array.from(whole))).toEqual(without(given));
    }),
    { numRuns: 500 },
  );
});

it('fails when a quoted cell is never closed', async () => {
  const file = Buffer.from(`a,b\n"${'x,y\n'.repeat(500_000)}`);

  await expect(guardedBytes(file, 64 * 1024)).rejects.toThrow(/cannot be read: a cell has no end/);
});
