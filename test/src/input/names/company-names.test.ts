/** Tests company names: which are equal, the search text, and which candidate is meant. */
import fc from 'fast-check';

import { chooseCompany, type Candidate } from '../../../../src/input/names/choose-company';
import {
  parseCompanyName,
  hasOtherLegalForm,
  isSameName,
  type CompanyName,
} from '../../../../src/input/names/company-names';
import { toCountryCode } from '../../../../src/input/names/countries';
import { LEGAL_FORMS } from '../../../../src/input/names/legal-forms';
import { isPlaceholderText } from '../../../../src/input/placeholders';

function named(value: unknown): CompanyName {
  const name = parseCompanyName(value);
  if (name === undefined) throw new Error(`${String(value)} is no name`);
  return name;
}

const same = (a: unknown, b: unknown) => isSameName(named(a), named(b));

describe('isSameName', () => {
  it.each([
    ['Acme', 'ACME'],
    ['Nestlé S.A.', 'Nestle'],
    ['Müller GmbH', 'Mueller'],
    ['Boesch AG', 'Bösch'],
    ['Møller', 'Moeller'],
    ['Coca-Cola', 'Coca Cola'],
    ['Banque C.I.C.', 'Banque'],
    ['E.ON SE', 'EON'],
    ['J. P. Morgan', 'JP Morgan'],
    ['O’Reilly Media, Inc.', "O'Reilly Media"],
    ['Procter & Gamble Co.', 'Procter and Gamble'],
    ['ＡＣＭＥ　Ｃｏ．，　Ｌｔｄ．', 'Acme'],
    ['Müller & Söhne GmbH', 'Müller und Söhne'],
    ['Dupont & Fils SARL', 'Dupont et Fils'],
    ['Hansen & Søn ApS', 'Hansen og Søn'],
    ['Silva & Filhos, Lda.', 'Silva e Filhos'],
    ['The Walt Disney Company', 'Walt Disney'],
    ['The Coca-Cola Company', 'Coca-Cola Co.'],
    ['  Acme \n Inc ', 'Acme'],
    [7, '7'],
  ])('treats %s and %s as the same', (a, b) => {
    expect(same(a, b)).toBe(true);
  });

  it.each([
    ['Acme', 'Acme Labs'],
    ['Bösch', 'Bosch'],
    ['Müller GmbH', 'Muller'],
    ['Now Here', 'Nowhere'],
    ['Banque CIC', 'Banque'],
    ['Y Corp.', 'Y'],
    ['SIA Engineering', 'Engineering'],
    ['Acme (HQ)', 'Acme'],
    ['Mueller', 'Muller'],
    ['SAS Institute', 'Institute'],
    ['Day Spa GmbH', 'Day'],
    ['Studio Da', 'Studio'],
    ['Acme 2', 'Acme'],
    ['The Gap', 'Gap'],
    ['AS Roma', 'Roma'],
    ['Acme E', 'Acme &'],
    ['E Acme', 'Acme'],
  ])('treats %s and %s as different', (a, b) => {
    expect(same(a, b)).toBe(false);
  });
});

describe('legal forms', () => {
  const FORMS: ReadonlyArray<[region: string, names: string[]]> = [
    ['North America', ['Acme Inc.', 'Acme, L.L.C.', 'Acme & Co.', 'Acme Ltée']],
    ['Great Britain and Ireland', ['Acme PLC', 'Acme DAC']],
    ['Australia and India', ['Acme (Pty) Ltd', 'Acme Pvt.Ltd.', 'M/s Acme']],
    ['Southeast Asia', ['Acme Pte. Ltd.', 'Acme Sdn. Bhd.', 'Acme Tbk', 'Acme JSC']],
    ['Southeast Asia', ['Công ty Cổ phần Acme', 'บริษัท Acme จำกัด (มหาชน)']],
    ['East Asia', ['Acme Co., Ltd.', 'Acme K.K.', '株式会社Acme', '(주)Acme']],
    ['Germany', ['Acme GmbH & Co. KG', 'Acme UG (haftungsbeschränkt)', 'Acme e.K.']],
    ['Germany', ['Acme SE & Co. KGaA', 'Acme GmbH i.L.']],
    ['Austria and Switzerland', ['Acme Ges.m.b.H.', 'Acme Sàrl']],
    ['France and the Benelux', ['Acme S.A.S.', 'Acme S.à r.l.', 'Acme BVBA', 'Acme B.V.']],
    ['Italy', ['Acme S.p.A.', 'Acme SpA', 'Acme S.r.l. Unipersonale']],
    ['Spain', ['Acme, S.L.U.', 'Acme, S.L. (Sociedad Unipersonal)', 'Acme, S. Coop.']],
    ['Portugal and Brazil', ['Acme, Lda.', 'Acme LTDA - EPP', 'Acme S/A']],
    ['Mexico and Ecuador', ['Acme, S.A.P.I. de C.V.', 'Acme Cía. Ltda.']],
    ['Northern Europe', ['Acme A/S', 'Acme ApS', 'Acme AS', 'Acme AB (publ)', 'Acme Oyj']],
    ['Northern Europe', ['Acme hf.', 'Aktiebolaget Acme']],
    ['the Baltic states', ['Acme OÜ', 'Acme, UAB', '"Acme" SIA']],
    ['Poland', ['Acme Sp. z o.o. Sp.k.', 'Acme Spółka z ograniczoną odpowiedzialnością']],
    ['Czechia and Hungary', ['Acme, spol. s r.o.', 'Acme Kft.']],
    ['the Balkans', ['Acme d.o.o.', 'Acme EOOD', 'Acme ЕООД', 'Acme Α.Ε.']],
    ['Turkey', ['Acme San. ve Tic. A.Ş.']],
    ['Russia', ['ООО «Acme»', 'Общество с ограниченной ответственностью "Acme"']],
    ['the Middle East', ['Acme בע"מ', 'Acme FZ-LLC']],
  ];

  describe.each(FORMS)('of %s', (_country, names) => {
    it.each(names)('are removed from %s for the search', (text) => {
      expect(named(text)).toMatchObject({ query: 'Acme', keys: ['acme'] });
    });
  });

  it('stay in a name that consists only of one', () => {
    expect(named('SAS').query).toBe('SAS');
    expect(named('SAS Inc.').query).toBe('SAS');
    expect(named('Niet Bekend B.V.').query).toBe('Niet Bekend');
  });
});

describe('hasOtherLegalForm', () => {
  it.each([
    ['Globex, Inc.', 'Globex GmbH', true],
    ['Globex S.p.A.', 'Globex GmbH', true],
    ['Globex AS', 'Globex AB', true],
    ['Globex GmbH & Co. KG', 'Globex GmbH', false],
    ['Globex Inc.', 'Globex Corporation', false],
    ['Globex Pvt. Ltd.', 'Globex Limited', false],
    ['Globex SA', 'Globex S.A.', false],
    ['株式会社Globex', 'Globex Co., Ltd.', false],
    ['Globex', 'Globex GmbH', false],
  ])('of %s and %s is %s', (a, b, expected) => {
    expect(hasOtherLegalForm(named(a), named(b))).toBe(expected);
    expect(hasOtherLegalForm(named(b), named(a))).toBe(expected);
  });
});

it.each([
  ['Wrenreach-Travel', 'Wrenreach Travel'],
  ['Acme (HQ)', 'Acme'],
  ['Acme GmbH | Berlin', 'Acme'],
  ['Acme – Sales', 'Acme'],
  ['UAB Girteka', 'Girteka'],
  ['Acme Labs', undefined],
])('searches %s as %s if nothing contains it', (text, fallback) => {
  expect(named(text).fallback).toBe(fallback);
});

it.each([
  ...['', ' ', '-', 'n/a', 'N/A', '#N/A', 'none', 'Unknown', 'self-employed', 'keine Angabe'],
  ...['n / a', '#REF!', '(blank)', 'no disponible', 'нет', 'なし', 'Private', 'Freelancer'],
  ...['GmbH', 'Co., Ltd.', 'S.p.A.', 'Sp. z o.o.', '株式会社', '!株式会社!', '#nA', '(n/a)'],
  ...[
    'Stealth',
    'Stealth Startup',
    'Confidential',
    'Various',
    'Self-employed',
    'Freelance',
    'Myself',
  ],
  ...['TBD', 'Selbstständig', 'Auto-entrepreneur', 'Autónomo', 'Libero professionista', 'ZZP’er'],
  ...['Самозанятый', 'フリーランス', 'Egenföretagare', 'Selvstændig', 'Własna działalność'],
  ...['x'.repeat(201), '\ud83d', undefined, null, {}, ['Acme']],
])('returns undefined for %p', (value) => {
  expect(parseCompanyName(value)).toBeUndefined();
});

it.each([
  ['DE', 'Germany'],
  ['deu', 'Deutschland'],
  ['U.S.A.', 'United States'],
  ['US', 'Vereinigte Staaten'],
  ['UK', 'Great Britain'],
  ['England', 'United Kingdom'],
  ['NL', 'The Netherlands'],
  ['Türkiye', 'Turkey'],
  ['Czechia', 'Czech Republic'],
  ['España', 'Spain'],
  ['Côte d’Ivoire', 'Ivory Coast'],
  ['Berlin, Germany', 'DE'],
  ['Deutschland (DE)', 'DE'],
  ['US-CA', 'United States'],
])('treats %s and %s as the same country', (a, b) => {
  expect(toCountryCode(a)).toBe(toCountryCode(b));
  expect(toCountryCode(a)).toMatch(/^[A-Z]{2}$/);
});

it.each(['EMEA', 'DACH', '–', '', undefined, 'Germany, France', 'San Diego, CA'])(
  'reads no country from %p',
  (text) => {
    expect(toCountryCode(text)).toBeUndefined();
  },
);

describe('chooseCompany', () => {
  const acme = (domain: string, country?: string, name = 'Acme'): Candidate => {
    return { name, domain, country };
  };
  const [plain, us, de, de2] = [
    acme('acme.io'),
    acme('acme.com', 'United States'),
    acme('acme.de', 'Germany'),
    acme('acme.berlin', 'DE'),
  ];
  const inc = acme('acme.org', undefined, 'Acme, Inc.');
  const choose = (candidates: readonly Candidate[], country?: string, others = 0) =>
    chooseCompany(named('Acme GmbH'), candidates, others, country);

  it.each([
    { title: 'the only company', candidates: [acme('x.com', 'DE', 'Acme Labs'), us], right: us },
    { title: 'the only one in the country', candidates: [us, plain, de], country: 'DE', right: de },
    { title: 'a company that occurs twice', candidates: [us, us], right: us },
    { title: 'the only one if a region is given', candidates: [us], country: 'EMEA', right: us },
  ])('decides for $title', ({ candidates, country, right }) => {
    expect(choose(candidates, country)).toMatchObject({ kind: 'match', company: right });
  });

  it('says when it could not compare the country', () => {
    expect(choose([plain], 'DE')).toMatchObject({ kind: 'match', isCountryUnknown: true });
    expect(choose([de], 'DE')).toMatchObject({ kind: 'match', isCountryUnknown: false });
    expect(choose([plain])).toMatchObject({ kind: 'match', isCountryUnknown: false });
  });

  it.each([
    ['several', [us, de], undefined, 0, [us, de]],
    ['several', [us, de, de2], 'Germany', 0, [de, de2, us]],
    ['several', [us, plain], 'France', 0, [us, plain]],
    ['country', [us], 'Germany', 0, [us]],
    ['unread', [de], 'Germany', 1, [de]],
    ['unread', [us], undefined, 1, [us]],
    ['form', [inc], undefined, 0, [inc]],
  ] as const)('decides for none: %s', (doubt, candidates, country, others, companies) => {
    expect(choose(candidates, country, others)).toEqual({ kind: 'ambiguous', doubt, companies });
  });

  it('compares a name of 100,000 characters by its beginning', () => {
    const long = acme('long.com', undefined, 'A'.repeat(100_000));
    expect(choose([long])).toEqual({ kind: 'none', companies: [long] });
  });

  it('sorts other companies by similarity', () => {
    const logistics = acme('a.com', undefined, 'Acme Logistics');
    const acmes = acme('b.com', undefined, 'Acmes');
    const bakery = acme('c.com', undefined, 'The Bakery of Acme');
    const companies = [acmes, logistics, bakery];
    expect(choose([bakery, logistics, acmes])).toEqual({ kind: 'none', companies });
  });
});

describe('any company name', () => {
  const part = fc.constantFrom(
    'Acme',
    'Müller',
    '&',
    'Söhne',
    'S.A.',
    'GmbH',
    'Co.',
    'z o.o.',
    '7',
  );
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.array(part, { maxLength: 6 }).map((words) => words.join(' ')),
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
