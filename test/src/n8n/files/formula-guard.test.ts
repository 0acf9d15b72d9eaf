import { guardFormula } from '../../../../src/n8n/files/formula-guard';

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
])('%j gets an apostrophe', (cell) => {
  expect(guardFormula(cell)).toBe(`'${cell}`);
});

it.each(['', 'Acme', "'=1", 'a=b', '5', '-5', '+5', '-0.25', '.5', '-1e-7', '5-3', ' =1'])(
  '%j stays as it is',
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
])('%j becomes %j: a spreadsheet of another locale begins a cell inside it', (cell, guarded) => {
  expect(guardFormula(cell)).toBe(guarded);
});

it.each(['a;b', 'a;-5', '1;-2;+3', 'a; =1', 'a;""=1', 'x=y;z', 'a,b;c\td', 'ä;ö', '5;-1.5e3'])(
  '%j stays as it is',
  (cell) => {
    expect(guardFormula(cell)).toBe(cell);
  },
);

it('takes no longer for a long cell than for many short ones', () => {
  for (const cell of [
    `-${'1'.repeat(2_000_000)}x`,
    ';'.repeat(2_000_000),
    `;${'"'.repeat(2_000_000)}=`,
  ]) {
    expect(guardFormula(cell).length).toBeGreaterThanOrEqual(cell.length);
  }
});
