import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';

import { chooseCompany, type Candidate } from '../../../../src/input/names/choose-company';
import {
  parseCompanyName,
  hasOtherLegalForm,
  isSameName,
  type CompanyName,
} from '../../../../src/input/names/company-names';
import { LEGAL_FORMS } from '../../../../src/input/names/legal-forms';
import { findNoCompany } from '../../../../src/input/names/no-company';
import { parseCountry } from '../../../../src/input/names/places';
import { isPlaceholderText } from '../../../../src/input/placeholders';

function named(value: unknown): CompanyName {
  const name = parseCompanyName(value);
  if (name === undefined) throw new Error(`${String(value)} is no name`);
  return name;
}

const same = (a: unknown, b: unknown) => isSameName(named(a), named(b));
const haveOtherForms = (a: string, b: string) =>
  [hasOtherLegalForm(named(a), named(b)), hasOtherLegalForm(named(b), named(a))].join();
const isNamedAcme = (text: string) =>
  isDeepStrictEqual([named(text).query, named(text).keys], ['Acme', ['acme']]);

/** What the lines of company-names.tsv that begin with a word state. */
const STATEMENTS: Record<string, (a: string, b: string) => boolean> = {
  same: (a, b) => same(a, b),
  different: (a, b) => !same(a, b),
  // Legal forms are removed for the search.
  form: isNamedAcme,
  'other form': (a, b) => haveOtherForms(a, b) === 'true,true',
  'same form': (a, b) => haveOtherForms(a, b) === 'false,false',
  none: (text) => parseCompanyName(text) === undefined,
  'no company': (text) => findNoCompany(text) !== undefined,
  company: (text) => findNoCompany(text) === undefined,
};

const lines = readFileSync(join(__dirname, 'company-names.tsv'), 'utf8').trimEnd().split('\n');

it.each(Object.entries(STATEMENTS))('compares names as the table states: %s', (word, isTrue) => {
  const statements = lines.map((line) => line.split('\t')).filter(([first]) => first === word);
  expect(statements.length).toBeGreaterThan(2);
  expect(statements.filter(([, a = '', b = '']) => !isTrue(a, b))).toEqual([]);
});

it('ignores white space, reads a number as a name, and keeps a legal form that is the name', () => {
  expect([same('  Acme \n Inc ', 'Acme'), same(7, '7')]).toEqual([true, true]);
  const names = ['SAS', 'SAS Inc.', 'Niet Bekend B.V.'].map((text) => named(text).query);
  expect(names).toEqual(['SAS', 'SAS', 'Niet Bekend']);
});

it('reads the one name of a list or an object, and none from other values', () => {
  const acme = [
    ['Acme'],
    [' Acme ', null],
    { id: 7, name: 'Acme' },
    [{ fields: { Name: 'Acme' } }],
  ];
  expect(acme.map((value) => named(value).text)).toEqual(acme.map(() => 'Acme'));
  const two = ['Acme', 'Globex'];
  for (const value of ['', ' ', 'x'.repeat(201), '\ud83d', undefined, null, {}, [], two, [true]]) {
    expect([value, parseCompanyName(value)]).toEqual([value, undefined]);
  }
});

describe('chooseCompany', () => {
  const acme = (domain: string, country?: string, name = 'Acme'): Candidate => {
    return { name, domain, country };
  };
  const [plain, us] = [acme('acme.io'), acme('acme.com', 'United States')];
  const [de, de2] = [acme('acme.de', 'Germany'), acme('acme.berlin', 'DE')];
  const fr = acme('acme.fr', 'France');
  const moon = acme('acme.space', 'Moon');
  const inc = acme('acme.org', undefined, 'Acme, Inc.');
  const choose = (candidates: readonly Candidate[], country?: string, others = 0) =>
    chooseCompany(named('Acme GmbH'), candidates, others, parseCountry(country));

  it.each([
    { title: 'the only company', candidates: [acme('x.com', 'DE', 'Acme Labs'), us], right: us },
    { title: 'the only one in the country', candidates: [us, plain, de], country: 'DE', right: de },
    { title: 'a company that occurs twice', candidates: [us, us], right: us },
    { title: 'the only one if N/A is given', candidates: [us], country: 'N/A', right: us },
    { title: 'either country of a code', candidates: [us], country: 'Hamburg, DE', right: us },
    { title: 'the other one', candidates: [de, fr], country: 'Hamburg, DE', right: de },
  ])('decides for $title', ({ candidates, country, right }) => {
    expect(choose(candidates, country)).toMatchObject({ status: 'matched', company: right });
  });

  it('says when it could not compare the country', () => {
    const remark = expect.stringContaining('Country was not compared');
    expect(choose([plain], 'DE')).toMatchObject({ remark });
    expect(choose([de], 'DE')).not.toHaveProperty('remark');
    expect(choose([plain])).not.toHaveProperty('remark');
  });

  it.each([
    ['Several', [us, de], undefined, 0, [us, de]],
    ['Several', [us, de, de2], 'Germany', 0, [de, de2, us]],
    ['Several', [us, plain], 'France', 0, [us, plain]],
    ['" is in "', [us], 'Germany', 0, [us]],
    ['" is in "', [moon], 'Germany', 0, [moon]],
    ['Several', [de, us], 'Hamburg, DE', 0, [de, us]],
    ['" is in "', [fr], 'Hamburg, DE', 0, [fr]],
    ['1 were read', [de], 'Germany', 1, [de]],
    ['1 were read', [us], undefined, 1, [us]],
    ['legal form', [inc], undefined, 0, [inc]],
  ] as const)('decides for none: %s', (words, candidates, country, others, companies) => {
    const [status, message] = ['ambiguous', expect.stringContaining(words)];
    expect(choose(candidates, country, others)).toEqual({ status, companies, message });
  });

  it('sorts other companies by similarity, and long names by their beginning', () => {
    const names = ['Acmes', 'Acme Logistics', 'The Bakery of Acme', 'B'.repeat(100_000)];
    const companies = names.map((name, index) => acme(`${String(index)}.com`, undefined, name));
    expect(choose([...companies].reverse())).toMatchObject({ status: 'not_tracked', companies });
  });
});

describe('any company name', () => {
  const words = 'Acme|Müller|&|Söhne|S.A.|GmbH|Co.|z o.o.|7';
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.array(fc.constantFrom(...words.split('|')), { maxLength: 6 }).map((some) => some.join(' ')),
  );
  const forms = Object.values(LEGAL_FORMS).flatMap((one) => one.split(','));

  it('contains its search text, which means the same company', () => {
    fc.assert(
      fc.property(text, (given) => {
        const name = parseCompanyName(given);
        if (name === undefined) return;
        expect(name.text).toContain(name.query);
        // A placeholder ("Niet Bekend") counts as a name only with its legal form: Niet Bekend B.V.
        if (!isPlaceholderText(name.query)) {
          expect(named(name.query).keys[0]).toBe(name.keys[0]);
        }
      }),
    );
  });

  it('means the same with another legal form, case or spacing', () => {
    const letters = fc.stringMatching(/^[b-df-hj-np-tv-z][a-z]{5,12}$/).map((one) => `${one}xq`);
    fc.assert(
      fc.property(letters, fc.constantFrom(...forms), (word, form) => {
        expect(named(`${word} ${form}`).keys[0]).toBe(word);
        expect(named(`${word}, ${form.toUpperCase()}.`).keys[0]).toBe(word);
        expect(named(`  ${word.toUpperCase()}\t${form}  `).keys[0]).toBe(word);
      }),
    );
  });
});
