import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

import { guardFormula } from '../../../../src/n8n/files/formula-guard';
import { withoutFormulas } from '../../../../src/n8n/files/guard-csv';

/** Guards a file that arrives in pieces of so many bytes. */
async function guarded(csv: string | Uint8Array, pieceSize = 7): Promise<string> {
  const bytes = Buffer.from(csv);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceSize) {
    pieces.push(bytes.subarray(at, at + pieceSize));
  }
  const out: Uint8Array[] = [];
  for await (const piece of withoutFormulas(toAsync(pieces))) out.push(piece);
  return Buffer.concat(out).toString();
}

async function* toAsync<T>(things: readonly T[]): AsyncGenerator<T> {
  for (const thing of things) yield await Promise.resolve(thing);
}

it.each([
  ['a,b\r\n=1,2\r\n', "a,b\r\n'=1,2\r\n"],
  ['=1', "'=1"],
  ['"=1"', '"\'=1"'],
  ['"",="",x', '"",\'="",x'],
  ['"""=1"', '"""=1"'],
  ['a,"x\n=1",b', 'a,"x\n=1",b'],
  ['-5,"-5",-x,"-x"', '-5,"-5",\'-x,"\'-x"'],
  ['\ufeff=1,b', "\ufeff'=1,b"],
  ['a,"\t1","\r1"', 'a,"\'\t1","\'\r1"'],
  ['a\n\n=1', "a\n\n'=1"],
  ['-', "'-"],
  ['ü,=é', "ü,'=é"],
])('%j becomes %j', async (csv, expected) => {
  for (const size of [1, 2, 3, 100]) expect(await guarded(csv, size)).toBe(expected);
});

const cell = fc.oneof(
  fc.constantFrom('=1', '-5', '+x', '@', '"', '""', ',', '\r\n', '\n', '\t', '-1-1', 'ü', ''),
  fc.string({ maxLength: 12 }),
  fc.double({ noNaN: true }).map(String),
);

it('changes exactly the cells that need it, and no other byte', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 20 }),
      async (rows, quoteAll, lineEnd, pieceSize) => {
        const text = (guard: (cell: string) => string) =>
          rows
            .map((row) =>
              row
                .map((one) => {
                  const quoted = quoteAll || /[",\r\n]/.test(one);
                  return quoted ? `"${guard(one).replaceAll('"', '""')}"` : guard(one);
                })
                .join(','),
            )
            .join(lineEnd);
        const csv = text((one) => one);
        const safe = await guarded(csv, pieceSize);

        expect(safe).toBe(text(guardFormula));
        expect(parse(safe, { relax_column_count: true, skip_empty_lines: false })).toEqual(
          rows.map((row) => row.map(guardFormula)),
        );
      },
    ),
  );
});
