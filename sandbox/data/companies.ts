import type { Random } from './random';
import { toKey } from './technologies';
import { COUNTRIES, EMPLOYEE_RANGES, FIRST_WORDS, INVESTORS, SECOND_WORDS, TRADES } from './words';

/** Properties of a company. Its counts are computed from detections and partnerships. */
export interface Company {
  /** 1, 2, 3 …: the company's position in the world, plus 1. */
  readonly id: number;
  readonly name: string;
  readonly nameLower: string;
  /** Null when not known. */
  readonly slug: string | null;
  readonly primaryDomain: string;
  /** Further domains; null when not known. */
  readonly otherDomains: readonly string[] | null;
  /** Null when not known. */
  readonly investors: readonly string[] | null;
  readonly industry: string;
  readonly employeeRange: string;
  readonly country: string;
  readonly foundedYear: number;
  readonly openJobs: number;
}

/**
 * Additional words for names in very large worlds, which need more names than there are
 * combinations.
 */
const FURTHER_WORDS = 'Group Holdings International Partners Services Works One Global'.split(' ');
const COLLISIONS_BEFORE_FURTHER_WORD = 12;

const SHARE_WITHOUT_SLUG = 0.03;
const SHARE_WITHOUT_DOMAINS = 0.2;
const SHARE_WITHOUT_INVESTORS = 0.45;

/** Invents `count` companies with unique slugs and domains. A few share a name with another company. */
export function buildCompanies(count: number, random: Random): Company[] {
  const takenDomains = new Set<string>();
  const takenSlugs = new Set<string>();
  const companies: Company[] = [];
  let collisions = 0;
  while (companies.length < count) {
    const trade = random.pick(TRADES);
    const first = random.pick(FIRST_WORDS);
    const second = random.pick(SECOND_WORDS);
    if (first === second) continue;
    const withTrade = random.chance(0.55);
    const country = random.pick(COUNTRIES);
    const plain = `${first}${second}`.toLowerCase();
    const full = `${plain}${trade.word.toLowerCase()}`;
    const tld = random.chance(0.6) ? 'com' : country.tld;
    const further = collisions < COLLISIONS_BEFORE_FURTHER_WORD ? '' : random.pick(FURTHER_WORDS);
    const plainName = withTrade
      ? `${first}${second.toLowerCase()} ${trade.word}`
      : `${first} ${second}`;
    const name = further === '' ? plainName : `${plainName} ${further}`;
    const label = `${withTrade && random.chance(0.6) ? full : plain}${further.toLowerCase()}`;
    const primaryDomain = `${label}.${tld}`;
    const slug = toKey(name);
    if (takenDomains.has(primaryDomain) || takenSlugs.has(slug)) {
      collisions += 1;
      continue;
    }
    collisions = 0;
    takenDomains.add(primaryDomain);
    takenSlugs.add(slug);
    const extra = [`${label}.${country.tld}`, `get${label}.com`, `${label}-group.com`].filter(
      (domain) => !takenDomains.has(domain) && random.chance(0.4),
    );
    const knowsDomains = !random.chance(SHARE_WITHOUT_DOMAINS);
    if (knowsDomains) extra.forEach((domain) => takenDomains.add(domain));
    const size = random.steps(0.55, EMPLOYEE_RANGES.length) - 1;
    companies.push({
      id: companies.length + 1,
      name,
      nameLower: name.toLowerCase(),
      slug: random.chance(SHARE_WITHOUT_SLUG) ? null : slug,
      primaryDomain,
      otherDomains: knowsDomains ? extra : null,
      investors: random.chance(SHARE_WITHOUT_INVESTORS)
        ? null
        : [...new Set([random.pick(INVESTORS), random.pick(INVESTORS), random.pick(INVESTORS)])],
      industry: trade.industry,
      employeeRange: EMPLOYEE_RANGES[size] as string,
      country: country.name,
      foundedYear: 2024 - random.int(0, random.chance(0.2) ? 120 : 25),
      openJobs: random.int(0, 4 * (size + 1) ** 2),
    });
  }
  return companies.map((company) => withNamesake(company, companies));
}

/**
 * One in this many companies has the name of another one plus a legal form, as happens with real
 * companies.
 */
const NAMESAKE_EVERY = 250;

function withNamesake(company: Company, companies: readonly Company[]): Company {
  const { id, country } = company;
  const other = id % NAMESAKE_EVERY === 0 ? companies[id - NAMESAKE_EVERY / 2 - 1] : undefined;
  if (other === undefined) return company;
  const { legalForm } = COUNTRIES.find((one) => one.name === country)!;
  const name = `${other.name} ${legalForm}`;
  return { ...company, name, nameLower: name.toLowerCase() };
}
