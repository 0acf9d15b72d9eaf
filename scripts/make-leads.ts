/**
 * Writes examples/data/messy-leads.csv: 300 leads as in forms, spreadsheets and exports. Run `npx
 * tsx scripts/make-leads.ts` after a change here; a test compares the file.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, type Random } from '../sandbox/data/random';
import { getWorld } from '../sandbox/data/world';

export const LEADS_FILE = join(__dirname, '..', 'examples', 'data', 'messy-leads.csv');

/** Size of the world that the leads are from, which is the service's default. */
export const COMPANIES = 3000;
export const SEED = 1;

const DISTINCT_COMPANIES = 150;
const ROWS = { tracked: 185, unknown: 40, subdomain: 10, freeMail: 25, junk: 40 };

const SOURCES = ['webinar', 'trade fair', 'contact form', 'newsletter', 'old CRM', 'partner list'];
const MAILBOXES = ['info', 'sales', 'Office', 'hello', 'purchasing', 'it-team', 'CONTACT'];
const FREE_MAIL = ['gmail.com', 'outlook.com', 'yahoo.com', 'gmx.de', 'icloud.com', 'proton.me'];

/** Texts that people write around a domain. The nodes still find the company in all of them. */
const DISGUISES: ReadonlyArray<(domain: string, random: Random) => string> = [
  (domain) => domain,
  (domain) => domain.toUpperCase(),
  (domain) => `www.${domain}`,
  (domain) => `WWW.${domain[0]?.toUpperCase() ?? ''}${domain.slice(1)}`,
  (domain) => `https://${domain}`,
  (domain) => `https://www.${domain}/`,
  (domain) => `http://${domain}/about-us?utm_source=newsletter&utm_campaign=spring`,
  (domain) => `https://www.${domain}:443/en/products#top`,
  (domain) => `HTTP://${domain.toUpperCase()}:8080/index.html`,
  (domain) => `//${domain}/contact`,
  (domain) => `${domain}/careers`,
  (domain) => `  ${domain} `,
  (domain) => `${domain}.`,
  (domain, random) => `${random.pick(MAILBOXES)}@${domain}`,
  (domain, random) => `mailto:${random.pick(MAILBOXES)}@${domain}?subject=Offer`,
  (domain, random) => ` ${random.pick(MAILBOXES)}@${domain.toUpperCase()} `,
  (domain) => `https://www.linkedin.com/company/${domain.split('.')[0] ?? ''}; https://${domain}`,
  (domain, random) => `N/A ${random.pick(MAILBOXES)}@${domain}`,
];

const JUNK = [
  '',
  '   ',
  'n/a',
  'N/A',
  '-',
  'unknown',
  'none',
  'null',
  '?',
  'localhost',
  'http://localhost:3000/',
  '192.168.0.12',
  'http://10.0.0.7/login',
  '[2001:db8::1]',
  'tbd (ask sales)',
  'not a company, private person',
  'http://',
  'www.',
  '@',
  'info@',
  'acme',
  'foo..bar.com',
  '.com',
  'com.',
  '-leading-hyphen.com',
  'under_score_host',
  `${'very-long-name-'.repeat(20)}.com`,
  'Long free text instead of a website: '.repeat(12).trim(),
  '=HYPERLINK("x")',
  '12345',
  'https://www.linkedin.com/company/acme',
  'https://de.linkedin.com/in/jo-doe-123/',
  'https://www.facebook.com/acme/',
  'https://bit.ly/3xYzAbC',
  'https://apps.apple.com/us/app/acme/id1234567890',
  'acme.zendesk.com',
  'https://calendly.com/jo-doe/30min',
  'www.example.com',
  'Müller GmbH & Co.KG',
  'Mr.Green',
];

interface Lead {
  readonly company: string;
  readonly contact: string;
}

/** Returns the file's text: a header and 300 rows, always the same. */
export function makeLeads(): string {
  const random = createRandom(300);
  const { companies } = getWorld(COMPANIES, SEED);
  const chosen = new Set<number>();
  while (chosen.size < DISTINCT_COMPANIES) chosen.add(random.int(0, companies.length - 1));
  const domains = [...chosen].map((position) => companies[position]?.primaryDomain ?? '');

  const leads: Lead[] = [];
  const add = (company: string, role: string): void => {
    leads.push({ company, contact: `${role} ${leads.length + 1}` });
  };
  for (let index = 0; index < ROWS.tracked; index += 1) {
    // When every company has a row, further rows are duplicates with a different disguise.
    const domain = domains[index] ?? random.pick(domains);
    add(cycle(DISGUISES, index)(domain, random), 'Buyer');
  }
  for (let index = 0; index < ROWS.unknown; index += 1) {
    const domain = cycle(
      [
        `unlisted-company-${index + 1}.com`,
        `no-such-firm-${index + 1}.example`,
        `bücher-laden-${index + 1}.de`,
        `kein-eintrag-${index + 1}.co.uk`,
      ],
      index,
    );
    add(cycle(DISGUISES, index * 5)(domain, random), 'Prospect');
  }
  for (let index = 0; index < ROWS.subdomain; index += 1) {
    add(
      `https://${cycle(['app', 'shop', 'blog'], index)}.${cycle(domains, index * 7)}/login`,
      'User',
    );
  }
  for (let index = 0; index < ROWS.freeMail; index += 1) {
    const host = random.pick(FREE_MAIL);
    add(index % 5 === 0 ? host : `lead.${index + 1}@${host}`, 'Visitor');
  }
  for (let index = 0; index < ROWS.junk; index += 1) {
    add(cycle(JUNK, index), 'Lead');
  }

  const shuffled = shuffle(leads, random);
  // Real lists often start with an unknown lead.
  const unknown = shuffled.findIndex(({ contact }) => contact.startsWith('Prospect'));
  shuffled.unshift(...shuffled.splice(unknown, 1));
  const rows = shuffled.map((lead, index) => ({
    lead_id: `L${String(index + 1).padStart(4, '0')}`,
    company: lead.company,
    full_name: lead.contact,
    source: random.pick(SOURCES),
  }));
  return csvOf(['lead_id', 'company', 'full_name', 'source'], rows);
}

/** Formats rows as CSV, with a header line. */
export function csvOf<Column extends string>(
  columns: readonly Column[],
  rows: ReadonlyArray<Readonly<Record<Column, string>>>,
): string {
  const lines = rows.map((row) => columns.map((column) => csvField(row[column])).join(','));
  return [columns.join(','), ...lines, ''].join('\n');
}

/** Returns the value for an index, repeating the values. */
function cycle<T>(values: readonly T[], index: number): T {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('There is nothing to repeat.');
  return value;
}

function shuffle<T>(values: readonly T[], random: Random): T[] {
  const shuffled = [...values];
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    const other = random.int(0, index);
    [shuffled[index], shuffled[other]] = [shuffled[other] as T, shuffled[index] as T];
  }
  return shuffled;
}

function csvField(text: string): string {
  return /[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

if (require.main === module) {
  const text = makeLeads();
  writeFileSync(LEADS_FILE, text);
  process.stdout.write(`${LEADS_FILE}: ${text.split('\n').length - 2} leads\n`);
}
