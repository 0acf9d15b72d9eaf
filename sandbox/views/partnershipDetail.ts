import type { Company } from '../data/companies';
import type { Partnership } from '../data/partnerships';
import { toTimestamp } from '../data/time';
import type { World } from '../data/world';
import { LIMITS } from '../limits';
import { companyReference } from './companies';
import { partnersOf } from './partners';

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
