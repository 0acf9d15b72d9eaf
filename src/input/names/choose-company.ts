import { quote } from '../../values/text';
import { hasOtherLegalForm, isSameName, parseCompanyName, type CompanyName } from './company-names';
import { squeeze } from './fold';
import { parseCountry, type GivenCountry } from './places';

export interface Candidate {
  readonly name: string;
  readonly domain: string;
  /** The country as the service writes it; undefined if it was not requested or is unknown. */
  readonly country?: string | undefined;
}

export type Choice =
  /** `remark` if a country was given and the service does not know that of the company. */
  | { readonly status: 'matched'; readonly company: Candidate; readonly remark?: string }
  | {
      /** `unknown` if a company that was not read could have the name. */
      readonly status: 'ambiguous' | 'unknown' | 'not_tracked';
      /** Those with the name, first those in the country; if none has it, the most similar names first. */
      readonly companies: readonly Candidate[];
      readonly message: string;
    };

const NO_COUNTRY = "The service doesn't know this company's country, so Country was not compared";

/**
 * The country decides between several companies with exactly this name; nothing is guessed.
 *
 * @param others Companies that match the search and were not read.
 * @param country Understood, or not given.
 */
export function chooseCompany(
  name: CompanyName,
  candidates: readonly Candidate[],
  others: number,
  country?: GivenCountry,
): Choice {
  const distinct = [...new Map(candidates.map((one) => [one.domain, one])).values()];
  const same = distinct.flatMap((company) => {
    const other = parseCompanyName(company.name);
    return other !== undefined && isSameName(name, other) ? [{ company, other }] : [];
  });
  if (same.length === 0) return createNoMatch(name, distinct, candidates.length, others);
  const isIn = ({ company }: { company: Candidate }) => {
    const codes = parseCountry(company.country)?.codes ?? [];
    return codes.some((code) => country?.codes.includes(code) === true);
  };
  const inCountry = same.filter(isIn);
  const elsewhere = same.filter((one) => !isIn(one));
  const companies = [...inCountry, ...elsewhere].map(({ company }) => company);
  const doubtful = (message: string): Choice => ({ status: 'ambiguous', companies, message });
  const text = quote(name.text);
  if (others > 0) {
    const all = candidates.length + others;
    return doubtful(
      `${String(all)} companies match ${text}, of which ${String(candidates.length)} were read. Raise Candidates per Name, or enter the domain of the right one`,
    );
  }
  const [one, another] = inCountry.length > 0 ? inCountry : same;
  if (one === undefined || another !== undefined) {
    return doubtful(
      `Several companies are named ${text}. Enter the domain of the right one, or set Country under Domain`,
    );
  }
  const { company, other } = one;
  const isCountryUnknown = country !== undefined && parseCountry(company.country) === undefined;
  if (country !== undefined && inCountry.length === 0 && !isCountryUnknown) {
    return doubtful(
      `The only company named ${text} is in ${quote(company.country)}, not in ${quote(country.text)}. Enter its domain if it is the right one`,
    );
  }
  if (inCountry.length === 0 && hasOtherLegalForm(name, other)) {
    return doubtful(
      `The only company named like ${text} has another legal form: ${quote(company.name)}. Set Country under Domain, or enter its domain`,
    );
  }
  return { status: 'matched', company, ...(isCountryUnknown ? { remark: NO_COUNTRY } : {}) };
}

function createNoMatch(
  name: CompanyName,
  distinct: readonly Candidate[],
  read: number,
  others: number,
): Choice {
  const companies = sortBySimilarity(name, distinct);
  const text = quote(name.text);
  if (others > 0) {
    const message = `None of the ${String(read)} companies read is named exactly ${text}, but more companies match. To read more, raise Candidates per Name`;
    return { status: 'unknown', companies, message };
  }
  const [nearest] = companies;
  const hint = nearest && `. The closest match is ${quote(nearest.name)} (${nearest.domain})`;
  const message = `The service tracks no company named ${text}${hint ?? ''}`;
  return { status: 'not_tracked', companies, message };
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
