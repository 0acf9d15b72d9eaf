import type { Company } from '../data/companies';
import { toTimestamp } from '../data/time';
import { isWellFormedDomain, normalizeDomain } from '../domains';
import { errors } from '../errors';
import {
  detectionOf,
  detectionsByPopularity,
  firmographics,
  partnershipCount,
  type Source,
  technologyCount,
} from './companies';
import { byLastObserved, enrichmentPartnership, partnersOf } from './partners';

export type BulkSection = 'technologies' | 'partnerships' | 'firmographics';

/**
 * Handles the bulk lookup (Companies, rule 2).
 *
 * @param entries domains as sent; normalized and deduplicated like those of enrichment
 * @param ceiling maximum number of well-formed entries per request, including duplicates
 * @returns the response, and the ids of the companies to charge for
 * @throws 400 `batch_too_large` above the ceiling; malformed entries do not count
 */
export function bulkLookup(
  source: Source,
  entries: readonly string[],
  include: readonly BulkSection[],
  ceiling: number,
) {
  const isRejected = (entry: string): boolean => !isWellFormedDomain(normalizeDomain(entry));
  const rejected = entries.filter(isRejected);
  const batch = entries.length - rejected.length;
  if (batch > ceiling) throw errors.batchTooLarge(ceiling, batch);
  const wanted = new Set(entries.filter((entry) => !isRejected(entry)).map(normalizeDomain));

  const chargedIds: number[] = [];
  const notFound: string[] = [];
  const data = [...wanted].map((domain) => {
    const company = source.world.resolveDomain(domain);
    if (company === null) {
      notFound.push(domain);
      return notTracked(domain);
    }
    chargedIds.push(company.id);
    const partners = include.includes('partnerships')
      ? partnersOf(source.world, company).sort(byLastObserved)
      : [];
    for (const partner of partners) chargedIds.push(partner.company.id);
    return {
      ...tracked(source, domain, company, include),
      partnerships: partners.map(enrichmentPartnership),
    };
  });
  return {
    response: {
      data,
      total_domains_requested: wanted.size,
      domains_found: wanted.size - notFound.length,
      domains_not_found: notFound,
      rejected: rejected.length,
      rejected_domains: rejected,
    },
    chargedIds,
  };
}

function notTracked(domain: string) {
  return {
    domain,
    status: 'not_tracked',
    company: null,
    technologies: [],
    partnerships: [],
    technology_count: 0,
    partnership_count: 0,
  };
}

function tracked(
  source: Source,
  domain: string,
  company: Company,
  include: readonly BulkSection[],
) {
  return {
    domain,
    status: 'tracked',
    company: {
      name: company.name,
      primary_domain: company.primaryDomain,
      slug: company.slug,
      ...(include.includes('firmographics')
        ? { firmographics: firmographics(source, company) }
        : {}),
    },
    technologies: include.includes('technologies')
      ? detectionsByPopularity(source.world, company).map((detection) => {
          const seen = detectionOf(source, detection);
          return {
            tech_key: seen.technology.key,
            display_name: seen.technology.name,
            vendor_name: seen.technology.vendor.name,
            last_seen_at: toTimestamp(seen.lastSeen),
            evidence_count: seen.count,
          };
        })
      : [],
    technology_count: technologyCount(source.world, company),
    partnership_count: partnershipCount(source.world, company),
  };
}
