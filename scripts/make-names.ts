/**
 * Writes examples/data/company-names.csv: 100 company names as in lists without websites, each with
 * the right company. Run `npx tsx scripts/make-names.ts` after a change here; a test compares the
 * file.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../sandbox/data/random';
import { getWorld } from '../sandbox/data/world';
import { COMPANIES, csvOf, SEED } from './make-leads';

export const NAMES_FILE = join(__dirname, '..', 'examples', 'data', 'company-names.csv');

/** One in this many companies has the name of another one, see sandbox/data/companies.ts. */
const NAMESAKE_EVERY = 250;

/** Variants that people write instead of a name. They still mean the same company. */
const DISGUISES: ReadonlyArray<(name: string) => string> = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => `  ${name} `,
  (name) => `"${name}"`,
  (name) => `${name}.`,
  ...[
    ...[', Inc.', ' LLC', ' & Co.', ' Ltd', ' PLC', ' (Pty) Ltd', ' Pvt. Ltd.', ' Pte. Ltd.'],
    ...[' Sdn. Bhd.', ' Co., Ltd.', ' GmbH', ' GmbH & Co. KG', ' AG', ' SAS', ' S.à r.l.'],
    ...[' B.V.', ' S.p.A.', ', S.L.', ', Lda.', ' Ltda.', ', S.A. de C.V.', ' A/S', ' AS'],
    ...[' AB (publ)', ' Oy', ' Sp. z o.o.', ' s.r.o.', ' Kft.', ' d.o.o.', ' A.Ş.', ' OÜ', ' K.K.'],
  ].map((form) => (name: string) => `${name}${form}`),
];

const NOBODY = [
  ...['Kuhn & Vogel Maschinenbau GmbH', 'Unheard-of Trading LLC', 'Société Inconnue S.A.'],
  ...['Nunca Vista, S.L.', 'Niet Bekend B.V.', 'Okänd Industri AB', 'Nikde s.r.o.', '無名株式会社'],
];
const NO_NAMES = ['', 'n/a', '-', 'unknown', 'GmbH', 'self-employed'];
const WORDS = ['Amber', 'Bay', 'Robotics', 'Stone'];

interface Named {
  readonly company: string;
  readonly country: string;
  readonly right_status: string;
  readonly right_domain: string;
}

/** Returns the file's text: a header and 100 rows, always the same. */
export function makeNames(): string {
  const random = createRandom(100);
  const { companies } = getWorld(COMPANIES, SEED);
  const at = (id: number) => {
    const company = companies[id - 1];
    if (company === undefined) throw new Error(`There is no company ${String(id)}.`);
    return company;
  };
  const nobody = (company: string, right_status: string): Named => ({
    company,
    country: '',
    right_status,
    right_domain: '',
  });
  const disguised = Array.from({ length: 62 }, (_one, index): Named => {
    const { name, country, primaryDomain } = at(7 + 40 * index);
    const disguise = DISGUISES[index % DISGUISES.length] ?? String;
    return {
      company: disguise(name),
      country: index % 2 === 0 ? country : '',
      right_status: 'tracked',
      right_domain: primaryDomain,
    };
  });
  const namesakes = Array.from({ length: 10 }, (_one, index): Named => {
    const [first, second] = [at(NAMESAKE_EVERY * (index + 0.5)), at(NAMESAKE_EVERY * (index + 1))];
    const isTold = index % 2 === 0 && first.country !== second.country;
    return isTold
      ? {
          ...nobody(first.name, 'tracked'),
          country: second.country,
          right_domain: second.primaryDomain,
        }
      : nobody(second.name, 'ambiguous');
  });
  const parts = Array.from({ length: 10 }, (_one, index) => {
    const { name } = at(11 + 60 * index);
    return nobody(index % 2 === 0 ? `${name} Ventures` : name.slice(0, -1), 'not_tracked');
  });
  const rows = [
    ...disguised,
    ...namesakes,
    ...parts,
    ...NOBODY.map((name) => nobody(name, 'not_tracked')),
    ...WORDS.map((name) => nobody(name, 'unknown')),
    ...NO_NAMES.map((name) => nobody(name, 'invalid')),
  ]
    .map((row) => ({ row, rank: random.next() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ row }) => row);
  return csvOf(['company', 'country', 'right_status', 'right_domain'], rows);
}

if (require.main === module) {
  const text = makeNames();
  writeFileSync(NAMES_FILE, text);
  process.stdout.write(`${NAMES_FILE}: ${text.split('\n').length - 2} names\n`);
}
