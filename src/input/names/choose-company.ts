import { editDistanceRatio } from '../quote';
import { hasOtherLegalForm, isSameName, parseCompanyName, type CompanyName } from './company-names';
import { toCountryCode } from './countries';

/** A company found by a search by name. */
export interface Candidate {
  readonly name: string;
  readonly domain: string;
  /** The country as the service writes it; undefined if it was not requested or is unknown. */
  readonly country?: string | undefined;
}

/** Why a name does not identify one company. */
export type Doubt =
  /** Several companies have the name, and the country does not decide between them. */
  | 'several'
  /** Not every company that matches the search was read, so another one can have the name. */
  | 'unread'
  /** The only company with the name is in another country. */
  | 'country'
  /** The only company with the name has the legal form of another country. */
  | 'form';

/** The result of choosing a company by name. */
export type Choice =
  /** `isCountryUnknown`: a country was given, and the service does not know that of the company. */
  | { readonly kind: 'match'; readonly company: Candidate; readonly isCountryUnknown: boolean }
  /** The companies with the name; those in the country come first. */
  | { readonly kind: 'ambiguous'; readonly companies: readonly Candidate[]; readonly doubt: Doubt }
  /** No company has the name; the most similar names come first. */
  | { readonly kind: 'none'; readonly companies: readonly Candidate[] };

/**
 * Chooses the one company with exactly this name. The country decides between several companies;
 * nothing is guessed.
 *
 * @param others Number of companies that match the search and were not read.
 * @param country The country's name in any supported language, or its ISO code; undefined if unknown.
 */
export function chooseCompany(
  name: CompanyName,
  candidates: readonly Candidate[],
  others: number,
  country?: string,
): Choice {
  const distinct = [...new Map(candidates.map((one) => [one.domain, one])).values()];
  const same = distinct.flatMap((company) => {
    const other = parseCompanyName(company.name);
    return other !== undefined && isSameName(name, other) ? [{ company, other }] : [];
  });
  if (same.length === 0) return { kind: 'none', companies: sortByDistance(name, distinct) };
  const code = toCountryCode(country);
  const isIn = ({ company }: { company: Candidate }) => toCountryCode(company.country) === code;
  const inCountry = code === undefined ? [] : same.filter(isIn);
  const elsewhere = same.filter((one) => !inCountry.includes(one));
  const companies = [...inCountry, ...elsewhere].map(({ company }) => company);
  const doubtful = (doubt: Doubt): Choice => ({ kind: 'ambiguous', companies, doubt });
  if (others > 0) return doubtful('unread');
  const [one, another] = inCountry.length > 0 ? inCountry : same;
  if (one === undefined || another !== undefined) return doubtful('several');
  const isCountryUnknown = code !== undefined && toCountryCode(one.company.country) === undefined;
  if (code !== undefined && inCountry.length === 0 && !isCountryUnknown) return doubtful('country');
  if (inCountry.length === 0 && hasOtherLegalForm(name, one.other)) return doubtful('form');
  return { kind: 'match', company: one.company, isCountryUnknown };
}

function sortByDistance({ query }: CompanyName, companies: readonly Candidate[]): Candidate[] {
  return companies
    .map((company) => ({ company, share: distanceTo(query, company.name) }))
    .sort((a, b) => a.share - b.share || a.company.name.length - b.company.name.length)
    .map(({ company }) => company);
}

/** The time of a comparison grows with the length of the names. */
const MAX_COMPARED_LENGTH = 100;

function distanceTo(query: string, candidate: string): number {
  const other = parseCompanyName(candidate)?.query ?? candidate;
  return editDistanceRatio(
    query.slice(0, MAX_COMPARED_LENGTH),
    other.slice(0, MAX_COMPARED_LENGTH),
  );
}
