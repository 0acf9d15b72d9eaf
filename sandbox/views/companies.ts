import type { Company } from '../data/companies';
import { toTimestamp } from '../data/time';
import { compareText, type World } from '../data/world';
import type { Freshness } from '../jobs/freshness';

/** The data from which every view of a company is computed. */
export interface Source {
  readonly world: World;
  readonly freshness: Freshness;
}

/** Returns `{slug, name, primary_domain}`, the short form of a company within other objects. */
export function companyReference(company: Company) {
  return { slug: company.slug, name: company.name, primary_domain: company.primaryDomain };
}

export function partnershipCount(world: World, company: Company): number {
  return world.partnershipsOf[company.id - 1]!.length;
}

export function technologyCount(world: World, company: Company): number {
  const { start } = world.detections;
  return start[company.id]! - start[company.id - 1]!;
}

/**
 * Returns the firmographics. This is a derived view, so it shows a refresh late (Companies, rule
 * 4).
 */
export function firmographics({ world, freshness }: Source, company: Company) {
  return {
    industry: company.industry,
    employee_range: company.employeeRange,
    country: company.country,
    founded_year: company.foundedYear,
    tech_count: technologyCount(world, company),
    open_jobs_count: company.openJobs + (freshness.derived(company.id)?.times ?? 0),
    partnership_count: partnershipCount(world, company),
  };
}

/** Returns the detections of a company, most popular technology first (Company, technologies). */
export function detectionsByPopularity(world: World, company: Company): number[] {
  const { start, technology, byTechnology } = world.detections;
  const own: number[] = [];
  for (let i = start[company.id - 1]!; i < start[company.id]!; i += 1) {
    own.push(i);
  }
  const popularity = (detection: number): number => byTechnology[technology[detection]!]!.length;
  const key = (detection: number): string => world.technologies[technology[detection]!]?.key ?? '';
  return own.sort((a, b) => popularity(b) - popularity(a) || compareText(key(a), key(b)));
}

/** Returns a detection with the effects of refreshes: evidence, and when last seen (Unix seconds). */
export function detectionOf({ world, freshness }: Source, detection: number) {
  const { company, technology, count, firstSeen, lastSeen } = world.detections;
  const fresh = freshness.detected(company[detection]! + 1);
  const known = world.technologies[technology[detection]!];
  if (known === undefined) throw new Error(`Detection ${detection} has no technology.`);
  return {
    technology: known,
    count: count[detection]! + (fresh?.times ?? 0),
    firstSeen: firstSeen[detection]!,
    lastSeen: Math.max(lastSeen[detection]!, fresh?.at ?? 0),
  };
}

/** Returns the Company object of a lookup or list. */
export function companyView(
  source: Source,
  company: Company,
  include: ReadonlyArray<'technologies' | 'firmographics'>,
) {
  return {
    name: company.name,
    primary_domain: company.primaryDomain,
    ...(company.slug === null ? {} : { slug: company.slug }),
    partnership_count: partnershipCount(source.world, company),
    ...(company.otherDomains === null
      ? {}
      : { domains: [company.primaryDomain, ...company.otherDomains] }),
    ...(company.investors === null
      ? {}
      : { investors: company.investors.map((name) => ({ name })) }),
    ...(include.includes('firmographics') ? { firmographics: firmographics(source, company) } : {}),
    ...(include.includes('technologies')
      ? {
          technologies: detectionsByPopularity(source.world, company).map((detection) => {
            const seen = detectionOf(source, detection);
            return {
              tech_key: seen.technology.key,
              display_name: seen.technology.name,
              detection_count: seen.count,
              first_seen: toTimestamp(seen.firstSeen),
              last_seen: toTimestamp(seen.lastSeen),
            };
          }),
        }
      : {}),
  };
}
