import { buildCompanies, type Company } from './companies';
import { buildDetections, type Detections } from './detections';
import { buildPartnerships, type Partnership } from './partnerships';
import { createRandom } from './random';
import { buildTechnologies, type Technology, type Vendor } from './technologies';
import { normalizeDomain } from '../domains';

/**
 * The service's initial data. It never changes after it is built, so servers in one process can
 * share it. Changes by refresh jobs are kept separately (see jobs/freshness). A company's
 * *position* is its index in `companies`; its id is the position plus 1.
 */
export interface World {
  readonly companies: readonly Company[];
  readonly technologies: readonly Technology[];
  readonly technologyByKey: ReadonlyMap<string, Technology>;
  readonly vendorByDomain: ReadonlyMap<string, Vendor>;
  readonly detections: Detections;
  readonly partnerships: readonly Partnership[];
  /** The partnerships (indexes) of each company. */
  readonly partnershipsOf: ReadonlyArray<readonly number[]>;
  /** Company positions, most partnerships first, then by name. */
  readonly byPartnershipCount: readonly number[];
  /** Company positions by name. */
  readonly byName: readonly number[];
  /** Index in `byName` for each company position. */
  readonly nameRank: Uint32Array;
  /** For each company position, whether the company lists partners. */
  readonly hasPartnerPage: Uint8Array;
  /** Finds a company by any of its domains or by its slug. Returns null if it is not tracked. */
  resolve(identifier: string): Company | null;
  /** Finds a company by an already normalized domain. */
  resolveDomain(domain: string): Company | null;
}

/** Seed of the random numbers. Every world of a size is the same on every machine. */
const SEED = 1;

const built = new Map<number, World>();

/** Returns the world of that size, building it on first use. */
export function getWorld(companyCount: number): World {
  let world = built.get(companyCount);
  if (world === undefined) {
    world = buildWorld(companyCount);
    built.set(companyCount, world);
  }
  return world;
}

function buildWorld(companyCount: number): World {
  const companies = buildCompanies(companyCount, createRandom(SEED));
  const { technologies, vendors } = buildTechnologies();
  const detections = buildDetections(companyCount, technologies, createRandom(SEED + 1));
  const { partnerships, byCompany } = buildPartnerships(companyCount, createRandom(SEED + 2));

  const byDomain = new Map<string, Company>();
  const bySlug = new Map<string, Company>();
  for (const company of companies) {
    byDomain.set(company.primaryDomain, company);
    company.otherDomains?.forEach((domain) => byDomain.set(domain, company));
    if (company.slug !== null) bySlug.set(company.slug, company);
  }
  const byName = companies
    .map((_, position) => position)
    .sort((a, b) => compareText(nameOf(companies, a), nameOf(companies, b)));
  const rank = new Uint32Array(companyCount);
  byName.forEach((position, index) => (rank[position] = index));
  const byPartnershipCount = [...byName].sort(
    (a, b) => (byCompany[b]?.length ?? 0) - (byCompany[a]?.length ?? 0) || rank[a]! - rank[b]!,
  );
  const hasPartnerPage = new Uint8Array(companyCount);
  for (const link of partnerships) {
    if (link.listedByA) hasPartnerPage[link.a] = 1;
    if (link.listedByB) hasPartnerPage[link.b] = 1;
  }
  return {
    companies,
    technologies,
    technologyByKey: new Map(technologies.map((technology) => [technology.key, technology])),
    vendorByDomain: new Map(vendors.map((vendor) => [vendor.domain, vendor])),
    detections,
    partnerships,
    partnershipsOf: byCompany,
    byPartnershipCount,
    byName,
    nameRank: rank,
    hasPartnerPage,
    resolve: (identifier) => {
      const wanted = normalizeDomain(identifier);
      return byDomain.get(wanted) ?? bySlug.get(wanted) ?? null;
    },
    resolveDomain: (domain) => byDomain.get(domain) ?? null,
  };
}

function nameOf(companies: readonly Company[], position: number): string {
  return companies[position]!.nameLower;
}

/** Compares by UTF-16 code unit, because that order does not depend on the machine's locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
