import type { Company } from '../data/companies';
import { toTimestamp } from '../data/time';
import { isWellFormedDomain, normalizeDomain, requireBatch } from '../domains';
import {
  firmographics,
  partnershipCount,
  type Source,
  technologiesOf,
  technologyCount,
} from './companies';
import { enrichmentPartnership, partnersOf, sortPartners } from './partners';

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
  const isAccepted = (entry: string): boolean => isWellFormedDomain(normalizeDomain(entry));
  const batch = entries.filter(isAccepted);
  const rejected = entries.filter((entry) => !isAccepted(entry));
  requireBatch(batch, ceiling);
  const wanted = new Set(batch.map(normalizeDomain));

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
      ? sortPartners(partnersOf(source.world, company))
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
      ? technologiesOf(source, company).map((seen) => ({
          tech_key: seen.technology.key,
          display_name: seen.technology.name,
          vendor_name: seen.technology.vendor.name,
          last_seen_at: toTimestamp(seen.lastSeen),
          evidence_count: seen.count,
        }))
      : [],
    technology_count: technologyCount(source.world, company),
    partnership_count: partnershipCount(source.world, company),
  };
}
