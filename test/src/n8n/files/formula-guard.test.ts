import { guardFormula } from '../../../../src/n8n/files/formula-guard';

it.each([
  '=1+1',
  '=HYPERLINK("http://x.example","Open")',
  '+SUM(A1)',
  '-2+3',
  '@home',
  '\t=1',
  '\r=1',
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
