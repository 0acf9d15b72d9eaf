import type { Company } from '../data/companies';
import type { Partnership, PartnershipType } from '../data/partnerships';
import { toTimestamp } from '../data/time';
import type { World } from '../data/world';
import { LIMITS } from '../limits';
import { companyReference } from './companies';

/** A partnership as seen from one of its companies. */
export interface Partner {
  readonly company: Company;
  readonly link: Partnership;
}

/**
 * Returns all partners of a company, whichever side lists them (Enrichment result; Partnerships,
 * 1).
 */
export function partnersOf(world: World, company: Company): Partner[] {
  const position = company.id - 1;
  return world.partnershipsOf[position]!.map((index) => {
    const link = world.partnerships[index]!;
    return { link, company: world.companies[link.a === position ? link.b : link.a]! };
  });
}

/**
 * Returns the partnership element of an enrichment result. `category` and `description` are
 * reserved.
 */
export function enrichmentPartnership({ company, link }: Partner) {
  return { ...partnerReference(company), ...observed(link), category: null, description: null };
}

function partnerReference(company: Company) {
  return {
    partner_name: company.name,
    partner_domain: company.primaryDomain,
    partner_slug: company.slug,
  };
}

function observed(link: Partnership) {
  return {
    first_observed_at: toTimestamp(link.firstObserved),
    last_observed_at: toTimestamp(link.lastObserved),
    observation_count: link.observations,
  };
}

/**
 * Returns the partners that list the company (reverse row). Whether the company lists them does not
 * matter.
 */
export function listedBy(world: World, company: Company): Partner[] {
  return partnersOf(world, company).filter(({ link }) =>
    link.a === company.id - 1 ? link.listedByB : link.listedByA,
  );
}

export const PARTNER_SORTS = [
  'last_observed_at',
  '-last_observed_at',
  'first_observed_at',
  '-first_observed_at',
  'observation_count',
  '-observation_count',
] as const;

const SORT_VALUES: Readonly<Record<string, (partner: Partner) => number>> = {
  last_observed_at: ({ link }) => link.lastObserved,
  first_observed_at: ({ link }) => link.firstObserved,
  observation_count: ({ link }) => link.observations,
};

/** Sorts partners by a field (`-` for descending), then by name. By default, newest first. */
export function sortPartners(
  partners: readonly Partner[],
  sort: (typeof PARTNER_SORTS)[number] = '-last_observed_at',
): Partner[] {
  const value = SORT_VALUES[sort.replace('-', '')]!;
  const direction = sort.startsWith('-') ? -1 : 1;
  return [...partners].sort(
    (a, b) =>
      direction * (value(a) - value(b)) || (a.company.nameLower < b.company.nameLower ? -1 : 1),
  );
}

/** Counts partners per type, independent of the request's filters (Partnerships, rule 1). */
export function typeCounts(partners: readonly Partner[]): Record<PartnershipType, number> {
  const counts = { technology: 0, channel: 0, generic: 0 };
  for (const { link } of partners) counts[link.type] += 1;
  return counts;
}

/** Returns a row of a company's partner list. */
export function partnerRow({ company, link }: Partner) {
  return { ...partnerReference(company), partnership_type: link.type, ...observed(link) };
}

/** Returns the partnership between two companies, or null. */
export function partnershipBetween(world: World, a: Company, b: Company): Partnership | null {
  return partnersOf(world, a).find((partner) => partner.company.id === b.id)?.link ?? null;
}

/** Returns the partners that both companies share, most connected first. */
export function sharedPartners(world: World, a: Company, b: Company): Company[] {
  const ofB = new Set(partnersOf(world, b).map((partner) => partner.company.id));
  return partnersOf(world, a)
    .map((partner) => partner.company)
    .filter((company) => ofB.has(company.id))
    .sort(byConnections(world));
}

/** Returns a comparator: most partnerships first, then by name. */
export function byConnections(world: World) {
  const count = (company: Company): number => world.partnershipsOf[company.id - 1]!.length;
  return (a: Company, b: Company): number =>
    count(b) - count(a) || world.nameRank[a.id - 1]! - world.nameRank[b.id - 1]!;
}

const SOURCES = [
  { source: 'partner_page', label: 'Partner page' },
  { source: 'integration_directory', label: 'Integration directory' },
  { source: 'press_release', label: 'Press release' },
  { source: 'case_study', label: 'Case study' },
] as const;

/**
 * Returns where the partnership was observed: up to 50 places, most recent first (Partnership
 * detail).
 */
function attributions(link: Partnership) {
  const span = link.lastObserved - link.firstObserved;
  const shown = Math.min(LIMITS.attributions, link.observations);
  return Array.from({ length: shown }, (_, index) => {
    const age = link.observations === 1 ? 0 : Math.floor((span * index) / (link.observations - 1));
    const { source, label } = SOURCES[(link.a + link.b + index) % SOURCES.length]!;
    return { source, source_label: label, observed_at: toTimestamp(link.lastObserved - age) };
  });
}

/** Returns the Partnership detail of a pair. */
export function partnershipDetail(world: World, a: Company, b: Company, link: Partnership) {
  return {
    company_a: companyReference(a),
    company_b: companyReference(b),
    partnership_type: link.type,
    first_observed_at: toTimestamp(link.firstObserved),
    shared_partner_count: sharedPartners(world, a, b).length,
    attributions: attributions(link),
  };
}
