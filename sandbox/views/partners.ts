import type { Company } from '../data/companies';
import type { Partnership, PartnershipType } from '../data/partnerships';
import { toTimestamp } from '../data/time';
import type { World } from '../data/world';

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

/** Sorts by newest observation, then by name, so that the order is always the same. */
export function byLastObserved(a: Partner, b: Partner): number {
  return (
    b.link.lastObserved - a.link.lastObserved ||
    (a.company.nameLower < b.company.nameLower ? -1 : 1)
  );
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

/** Sorts partners by a field (`-` for descending), then by name. */
export function sortPartners(
  partners: readonly Partner[],
  sort: (typeof PARTNER_SORTS)[number],
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
