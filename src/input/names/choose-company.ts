import { editDistanceRatio } from '../quote';
import { parseCompanyName, isSameName, type CompanyName } from './company-names';
import { toCountryKey } from './countries';

/** A company found by a search by name. */
export interface Candidate {
  readonly name: string;
  readonly domain: string;
  /** The country as the service writes it; undefined if it was not requested or is unknown. */
  readonly country?: string | undefined;
}

/** The result of choosing a company by name. */
export type Choice =
  | { readonly kind: 'match'; readonly company: Candidate }
  /** Several companies have the name; those in the country come first. */
  | { readonly kind: 'ambiguous'; readonly companies: readonly Candidate[] }
  /** No company has the name; the most similar names come first. */
  | { readonly kind: 'none'; readonly companies: readonly Candidate[] };

/**
 * Chooses the one company with exactly this name. The country decides between several companies;
 * nothing is guessed.
 *
 * @param country the country's name in any supported language, or its ISO code; undefined if unknown.
 */
export function chooseCompany(
  name: CompanyName,
  candidates: readonly Candidate[],
  country?: string,
): Choice {
  const distinct = [...new Map(candidates.map((one) => [one.domain, one])).values()];
  const same = distinct.filter((one) => {
    const other = parseCompanyName(one.name);
    return other !== undefined && isSameName(name, other);
  });
  if (same.length === 0) return { kind: 'none', companies: sortByDistance(name, distinct) };
  const [inCountry, elsewhere] = splitByCountry(same, country);
  const [company, another] = inCountry.length === 1 ? inCountry : same;
  if (company !== undefined && another === undefined) return { kind: 'match', company };
  return { kind: 'ambiguous', companies: [...inCountry, ...elsewhere] };
}

function splitByCountry(
  companies: readonly Candidate[],
  country: string | undefined,
): [inCountry: Candidate[], elsewhere: Candidate[]] {
  const key = toCountryKey(country ?? '');
  const isIn = (one: Candidate) => key !== '' && toCountryKey(one.country ?? '') === key;
  return [companies.filter(isIn), companies.filter((one) => !isIn(one))];
}

function sortByDistance({ query }: CompanyName, companies: readonly Candidate[]): Candidate[] {
  return companies
    .map((company) => ({ company, share: distanceTo(query, company.name) }))
    .sort((a, b) => a.share - b.share || a.company.name.length - b.company.name.length)
    .map(({ company }) => company);
}

function distanceTo(query: string, candidate: string): number {
  return editDistanceRatio(query, parseCompanyName(candidate)?.query ?? candidate);
}
