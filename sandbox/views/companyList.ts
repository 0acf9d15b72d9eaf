import type { Company } from '../data/companies';
import type { PartnershipType } from '../data/partnerships';
import { partnershipCount, type Source } from './companies';
import { partnersOf } from './partners';

export const COMPANY_SORTS = ['partnership_count', '-partnership_count', 'name', '-name'] as const;

/** Filters of `GET /v1/companies` (Companies, rule 5). A company must pass all given filters. */
export interface CompanyFilters {
  readonly q?: string | undefined;
  readonly partner_with?: string | undefined;
  readonly partnership_types?: readonly PartnershipType[] | undefined;
  readonly partner_count_min?: number | undefined;
  readonly partner_count_max?: number | undefined;
  readonly has_partner_page?: boolean | undefined;
  readonly sort: (typeof COMPANY_SORTS)[number];
}

/** Returns the companies that pass all filters, in order. An unknown `partner_with` has no partners. */
export function listCompanies({ world }: Source, filters: CompanyFilters): Company[] {
  const text = filters.q?.trim().toLowerCase();
  const types = filters.partnership_types?.length ? new Set(filters.partnership_types) : undefined;
  const partners =
    filters.partner_with === undefined
      ? undefined
      : idsOfPartners(world.resolve(filters.partner_with), types);

  function idsOfPartners(company: Company | null, of: Set<PartnershipType> | undefined) {
    const links = company === null ? [] : partnersOf(world, company);
    return new Set(
      links
        .filter(({ link }) => of === undefined || of.has(link.type))
        .map((partner) => partner.company.id),
    );
  }

  const passes = (company: Company): boolean => {
    const count = partnershipCount(world, company);
    return (
      (text === undefined || company.nameLower.includes(text)) &&
      count >= (filters.partner_count_min ?? 0) &&
      count <= (filters.partner_count_max ?? Infinity) &&
      (filters.has_partner_page === undefined ||
        (world.hasPartnerPage[company.id - 1] === 1) === filters.has_partner_page) &&
      (partners === undefined
        ? types === undefined || partnersOf(world, company).some(({ link }) => types.has(link.type))
        : partners.has(company.id))
    );
  };
  const found = orderOf(world, filters.sort)
    .map((position) => world.companies[position]!)
    .filter(passes);
  return found;
}

function orderOf(world: Source['world'], sort: CompanyFilters['sort']): readonly number[] {
  switch (sort) {
    case 'name':
      return world.byName;
    case '-name':
      return [...world.byName].reverse();
    case '-partnership_count':
      return world.byPartnershipCount;
    case 'partnership_count':
      return [...world.byPartnershipCount].reverse();
  }
}
