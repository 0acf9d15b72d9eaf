import { isPlaceholderText } from '../placeholders';
import { hasOtherLegalForm, isSameName, parseCompanyName, type CompanyName } from './company-names';
import { toCountryCode } from './countries';
import { squeeze } from './fold';

export interface Candidate {
  readonly name: string;
  readonly domain: string;
  /** The country as the service writes it; undefined if it was not requested or is unknown. */
  readonly country?: string | undefined;
}

/** Why a name does not identify one company. */
type Doubt =
  /** A country was given, and the text names no country or several. */
  | 'unread_country'
  /** Several companies have the name, and the country does not decide between them. */
  | 'several'
  /** Not every company that matches the search was read, so another one can have the name. */
  | 'unread'
  /** The only company with the name is in another country. */
  | 'country'
  /** The only company with the name has the legal form of another country. */
  | 'form';

export type Choice =
  /** `isCountryUnknown`: a country was given, and the service does not know that of the company. */
  | { readonly kind: 'match'; readonly company: Candidate; readonly isCountryUnknown: boolean }
  /** The companies with the name; those in the country come first. */
  | { readonly kind: 'ambiguous'; readonly companies: readonly Candidate[]; readonly doubt: Doubt }
  /** No company has the name; the most similar names come first. */
  | { readonly kind: 'none'; readonly companies: readonly Candidate[] };

/**
 * The country decides between several companies with exactly this name; nothing is guessed.
 *
 * @param others Companies that match the search and were not read.
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
  if (same.length === 0) return { kind: 'none', companies: sortBySimilarity(name, distinct) };
  const wanted = readCountry(country);
  const isIn = ({ company }: { company: Candidate }) =>
    wanted !== undefined && readCountry(company.country) === wanted;
  const inCountry = same.filter(isIn);
  const elsewhere = same.filter((one) => !isIn(one));
  const companies = [...inCountry, ...elsewhere].map(({ company }) => company);
  const doubtful = (doubt: Doubt): Choice => ({ kind: 'ambiguous', companies, doubt });
  const isUnread = wanted !== undefined && toCountryCode(country) === undefined;
  if (isUnread && inCountry.length === 0) return doubtful('unread_country');
  if (others > 0) return doubtful('unread');
  const [one, another] = inCountry.length > 0 ? inCountry : same;
  if (one === undefined || another !== undefined) return doubtful('several');
  const isCountryUnknown = wanted !== undefined && readCountry(one.company.country) === undefined;
  if (wanted !== undefined && inCountry.length === 0 && !isCountryUnknown)
    return doubtful('country');
  if (inCountry.length === 0 && hasOtherLegalForm(name, one.other)) return doubtful('form');
  return { kind: 'match', company: one.company, isCountryUnknown };
}

/** An ISO code, or the text itself if it names none. */
function readCountry(text = ''): string | undefined {
  if (text.trim() === '' || isPlaceholderText(text.trim())) return undefined;
  return toCountryCode(text) ?? squeeze(text);
}

/** Names that begin with the searched text come first, then those that contain it, short ones first. */
function sortBySimilarity({ query }: CompanyName, companies: readonly Candidate[]): Candidate[] {
  const wanted = squeeze(query);
  const rank = ({ name }: Candidate) => {
    const at = squeeze(name).indexOf(wanted);
    return (at === 0 ? 0 : at > 0 ? 1000 : 2000) + Math.min(name.length, 999);
  };
  return [...companies].sort((a, b) => rank(a) - rank(b));
}
