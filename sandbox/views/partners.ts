import type { Company } from '../data/companies';
import type { Partnership } from '../data/partnerships';
import { toTimestamp } from '../data/time';
import type { World } from '../data/world';

/** A partnership as seen from one of its companies. */
export interface Partner {
  readonly company: Company;
  readonly link: Partnership;
}

/** All partners of a company, whichever side observed them (Enrichment result; Partnerships, 1). */
export function partnersOf(world: World, company: Company): Partner[] {
  const position = company.id - 1;
  return (world.partnershipsOf[position] as readonly number[]).map((index) => {
    const link = world.partnerships[index] as Partnership;
    return { link, company: world.companies[link.a === position ? link.b : link.a] as Company };
  });
}

/** Newest observation first, then by name: the same order every time. */
export function byLastObserved(a: Partner, b: Partner): number {
  return (
    b.link.lastObserved - a.link.lastObserved ||
    (a.company.nameLower < b.company.nameLower ? -1 : 1)
  );
}

/** The partnership element of an enrichment result; `category` and `description` are reserved. */
export function enrichmentPartnership({ company, link }: Partner) {
  return {
    partner_name: company.name,
    partner_domain: company.primaryDomain,
    partner_slug: company.slug,
    first_observed_at: toTimestamp(link.firstObserved),
    last_observed_at: toTimestamp(link.lastObserved),
    observation_count: link.observations,
    category: null,
    description: null,
  };
}
