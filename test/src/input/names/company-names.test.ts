/** Tests company names: which are equal, the search text, and which candidate is meant. */
import fc from 'fast-check';

import { chooseCompany, type Candidate } from '../../../../src/input/names/choose-company';
import {
  parseCompanyName,
  isSameName,
  type CompanyName,
} from '../../../../src/input/names/company-names';
import { toCountryKey } from '../../../../src/input/names/countries';
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
    ['Müller GmbH', 'Muller'],
    ['Møller', 'Moeller'],
    ['Coca-Cola', 'Coca Cola'],
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
  it.each([
    ['Acme Inc.', 'United States'],
    ['Acme, L.L.C.', 'United States'],
    ['Acme & Co.', 'United States'],
    ['Acme PLC', 'United Kingdom'],
    ['Acme DAC', 'Ireland'],
    ['Acme Ltée', 'Canada'],
    ['Acme (Pty) Ltd', 'Australia'],
    ['Acme Pvt.Ltd.', 'India'],
    ['Acme Pte. Ltd.', 'Singapore'],
    ['Acme Sdn. Bhd.', 'Malaysia'],
    ['Acme Co., Ltd.', 'China'],
    ['Acme K.K.', 'Japan'],
    ['株式会社Acme', 'Japan'],
    ['(주)Acme', 'South Korea'],
    ['PT Acme Tbk', 'Indonesia'],
    ['Acme GmbH & Co. KG', 'Germany'],
    ['Acme UG (haftungsbeschränkt)', 'Germany'],
    ['Acme e.K.', 'Germany'],
    ['Acme SE & Co. KGaA', 'Germany'],
    ['Acme Ges.m.b.H.', 'Austria'],
    ['Acme Sàrl', 'Switzerland'],
    ['Acme S.A.S.', 'France'],
    ['Acme S.à r.l.', 'Luxembourg'],
    ['Acme BVBA', 'Belgium'],
    ['Acme B.V.', 'Netherlands'],
    ['Acme S.p.A.', 'Italy'],
    ['Acme SpA', 'Italy'],
    ['Acme, S.L.U.', 'Spain'],
    ['Acme, Lda.', 'Portugal'],
    ['Acme LTDA - EPP', 'Brazil'],
    ['Acme S/A', 'Brazil'],
    ['Acme, S.A.P.I. de C.V.', 'Mexico'],
    ['Acme A/S', 'Denmark'],
    ['Acme ApS', 'Denmark'],
    ['Acme AS', 'Norway'],
    ['Acme AB (publ)', 'Sweden'],
    ['Acme Oyj', 'Finland'],
    ['Acme hf.', 'Iceland'],
    ['Acme OÜ', 'Estonia'],
    ['UAB Acme', 'Lithuania'],
    ['SIA "Acme"', 'Latvia'],
    ['Acme Sp. z o.o. Sp.k.', 'Poland'],
    ['Acme, spol. s r.o.', 'Czech Republic'],
    ['Acme Kft.', 'Hungary'],
    ['Acme d.o.o.', 'Croatia'],
    ['Acme EOOD', 'Bulgaria'],
    ['Acme Α.Ε.', 'Greece'],
    ['Acme San. ve Tic. A.Ş.', 'Turkey'],
    ['ООО «Acme»', 'Russia'],
    ['Acme בע"מ', 'Israel'],
    ['Acme FZ-LLC', 'United Arab Emirates'],
    ['Acme JSC', 'Vietnam'],
    ['Công ty Cổ phần Acme', 'Vietnam'],
    ['บริษัท Acme จำกัด (มหาชน)', 'Thailand'],
    ['M/s Acme', 'India'],
    ['Acme GmbH i.L.', 'Germany'],
    ['Acme S.r.l. Unipersonale', 'Italy'],
    ['Acme, S.L. (Sociedad Unipersonal)', 'Spain'],
    ['Acme, S. Coop.', 'Spain'],
    ['Acme Cía. Ltda.', 'Ecuador'],
    ['Acme Spółka z ograniczoną odpowiedzialnością', 'Poland'],
    ['Acme ЕООД', 'Bulgaria'],
    ['Oy Acme Ab', 'Finland'],
    ['Aktiebolaget Acme', 'Sweden'],
    ['Общество с ограниченной ответственностью "Acme"', 'Russia'],
  ])('are removed from %s (%s) for the search', (text) => {
    expect(named(text)).toMatchObject({ query: 'Acme', keys: ['acme'] });
  });

  it('stay in a name that consists only of one', () => {
    expect(named('SAS').query).toBe('SAS');
    expect(named('SAS Inc.').query).toBe('SAS');
    expect(named('Niet Bekend B.V.').query).toBe('Niet Bekend');
  });
});

it.each([
  ...['', ' ', '-', 'n/a', 'N/A', '#N/A', 'none', 'Unknown', 'self-employed', 'keine Angabe'],
  ...['n / a', '#REF!', '(blank)', 'no disponible', 'нет', 'なし', 'Private', 'Freelancer'],
  ...[
    'GmbH',
    'Co., Ltd.',
    'S.p.A.',
    'Sp. z o.o.',
    '株式会社',
    '!株式会社!',
    'x'.repeat(201),
    '\ud83d',
  ],
  ...['#nA', '(n/a)'],
  ...[undefined, null, {}, ['Acme']],
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
  ['Atlantis', 'ATLANTIS'],
])('treats %s and %s as the same country', (a, b) => {
  expect(toCountryKey(a)).toBe(toCountryKey(b));
});

it('treats unknown countries as different and an empty text as no country', () => {
  expect(toCountryKey('Austria')).not.toBe(toCountryKey('Australia'));
  expect(toCountryKey('EMEA')).not.toBe(toCountryKey('DACH'));
  expect(toCountryKey('–')).toBe('');
});

describe('chooseCompany', () => {
  const acme = (domain: string, country?: string, name = 'Acme'): Candidate => ({
    name,
    domain,
    country,
  });
  const choose = (candidates: readonly Candidate[], country?: string) =>
    chooseCompany(named('Acme GmbH'), candidates, country);

  it('chooses the only company with the name', () => {
    const labs = acme('acmelabs.com', 'Germany', 'Acme Labs');
    expect(choose([labs, acme('acme.com', 'France', 'ACME Inc.')])).toEqual({
      kind: 'match',
      company: acme('acme.com', 'France', 'ACME Inc.'),
    });
  });

  it('chooses the only company in the country', () => {
    const german = acme('acme.de', 'Germany');
    expect(choose([acme('acme.com', 'United States'), german], 'DE')).toEqual({
      kind: 'match',
      company: german,
    });
  });

  it('chooses none of several, with or without a country', () => {
    const [us, de1, de2] = [acme('acme.com'), acme('acme.de', 'DE'), acme('acme.berlin', 'DE')];
    expect(choose([us, de1])).toEqual({ kind: 'ambiguous', companies: [us, de1] });
    expect(choose([us, de1, de2], 'Germany')).toEqual({
      kind: 'ambiguous',
      companies: [de1, de2, us],
    });
    expect(choose([us, de1], 'France')).toMatchObject({ kind: 'ambiguous' });
  });

  it('counts a company once if it occurs twice', () => {
    expect(choose([acme('acme.com'), acme('acme.com')])).toMatchObject({ kind: 'match' });
  });

  it('sorts other companies by similarity', () => {
    const found = [acme('a.com', undefined, 'Acme Logistics'), acme('b.com', undefined, 'Acmes')];
    const other = acme('c.com', undefined, 'The Bakery of Acme');
    expect(choose([other, ...found])).toEqual({
      kind: 'none',
      companies: [found[1], found[0], other],
    });
  });
});

describe('any company name', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc
      .array(
        fc.constantFrom('Acme', 'Müller', '&', 'Söhne', 'S.A.', 'GmbH', 'Co.', 'z o.o.', '7'),
        {
          maxLength: 6,
        },
      )
      .map((words) => words.join(' ')),
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
