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

/**
 * Returns the technologies of a company, most popular first (Company, technologies), with the
 * effects of refreshes. Times are Unix seconds.
 */
export function technologiesOf({ world, freshness }: Source, company: Company) {
  const { start, technology, count, firstSeen, lastSeen, byTechnology } = world.detections;
  const fresh = freshness.detected(company.id);
  const own = [];
  for (let i = start[company.id - 1]!; i < start[company.id]!; i += 1) {
    own.push({
      technology: world.technologies[technology[i]!]!,
      popularity: byTechnology[technology[i]!]!.length,
      count: count[i]! + (fresh?.times ?? 0),
      firstSeen: firstSeen[i]!,
      lastSeen: Math.max(lastSeen[i]!, fresh?.at ?? 0),
    });
  }
  return own.sort(
    (a, b) => b.popularity - a.popularity || compareText(a.technology.key, b.technology.key),
  );
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
          technologies: technologiesOf(source, company).map((seen) => ({
            tech_key: seen.technology.key,
            display_name: seen.technology.name,
            detection_count: seen.count,
            first_seen: toTimestamp(seen.firstSeen),
            last_seen: toTimestamp(seen.lastSeen),
          })),
        }
      : {}),
  };
}
