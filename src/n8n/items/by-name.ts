import type { IDataObject } from 'n8n-workflow';

import { buildRequest, createEmptyQuery } from '../../service/endpoint';
import { api } from '../../service/endpoints';
import { chooseCompany, type Candidate } from '../../input/names/choose-company';
import type { CompanyName } from '../../input/names/company-names';
import type { GivenCountry } from '../../input/names/places';
import { domainKey } from '../../input/hosts';
import { isJsonObject, type Row } from '../../values/json';
import { readPage, toPage } from '../../run/responses/page';
import type { Run } from '../../run/run';
import { readOptionalText } from '../parameters/parsers';
import type { NameCounts } from '../run-hints';
import { groupRequests, sendEach } from './engine';
import { toFailure, toSuccess, type Result } from './row-result';

/*
 * Rows without a usable domain, whose company is looked up by name: `GET /v1/companies?q=…`, 1 credit per
 * company returned. Each name is searched once, and only the first page is read.
 */

export interface NamedCompany {
  readonly name: CompanyName;
  /** Decides between companies with the same name; undefined if not given. */
  readonly country: GivenCountry | undefined;
}

const MAX_SHOWN_CANDIDATES = 5;

interface Match {
  readonly domain: string;
  readonly message: string | undefined;
}

interface NamesReport extends NameCounts {
  readonly matches: ReadonlyMap<NamedCompany, Match>;
  readonly results: ReadonlyMap<NamedCompany, Result>;
}

/**
 * Looks up companies by name. Names whose company is not found, is ambiguous or could not be looked up get
 * a result.
 */
export async function lookUpNames(
  run: Run,
  names: readonly NamedCompany[],
  candidatesPerName: number,
): Promise<NamesReport> {
  const before = run.credits.maxSpent;
  // Each name once, even if rows give different countries.
  const searches = await sendEach<readonly NamedCompany[], NameSearch | Error>(
    run,
    groupRequests(names, ({ name }) => name.keys[0]),
    async (group) => await searchByName(run, group, candidatesPerName),
    (failure) => failure,
  );
  const matches = new Map<NamedCompany, Match>();
  const results = new Map<NamedCompany, Result>();
  const counts = { ambiguous: 0, unknown: 0, not_tracked: 0 };
  let searched = 0;
  for (const [group, search] of searches) {
    if (!(search instanceof Error)) searched += 1;
    for (const request of group) {
      if (search instanceof Error) {
        results.set(request, toFailure(search, { domain: null }));
        continue;
      }
      const { candidates, others } = search;
      const choice = chooseCompany(request.name, candidates, others, request.country);
      if (choice.status === 'matched') {
        matches.set(request, { domain: choice.company.domain, message: choice.remark });
        continue;
      }
      const { status, companies, message } = choice;
      counts[status] += 1;
      const shown = companies.slice(0, MAX_SHOWN_CANDIDATES).map(toShownCandidate);
      results.set(request, toSuccess({ domain: null, status, message, candidates: shown }));
    }
  }
  const matched = matches.size;
  const { ambiguous, unknown: unread, not_tracked } = counts;
  const unmatched = unread + not_tracked;
  run.countLookups(matched + ambiguous + unmatched, matched);
  const credits = run.credits.maxSpent - before;
  return { matches, results, matched, ambiguous, unmatched, unread, searched, credits };
}

interface NameSearch {
  readonly candidates: readonly Candidate[];
  /** Number of further matches, by the total that the response states. */
  readonly others: number;
}

async function searchByName(
  run: Run,
  requests: readonly NamedCompany[],
  wanted: number,
): Promise<NameSearch> {
  // Firmographics are needed only if a row gives a country.
  const include = requests.some(({ country }) => country !== undefined)
    ? 'firmographics'
    : undefined;
  const q = requests[0]?.name.query;
  const parameters = { ...createEmptyQuery(api.companies), q, include };
  const call = buildRequest(api.companies, parameters);
  // All candidates or none: a choice among only some of them could be another company.
  const { rows, pagination } = await run.credits.sendWithinBudget(
    wanted,
    async () =>
      await run.request({
        ...call,
        query: { ...call.query, page: 1, limit: wanted },
        repeatable: true,
        read: (response) => toPage(response, readPage),
      }),
    (page) => page.rows.length,
  );
  const others = Math.max((pagination.totalResults ?? 0) - rows.length, 0);
  return { candidates: rows.flatMap(readCandidate), others };
}

function readCandidate({ name, primary_domain: domain, firmographics }: Row): Candidate[] {
  if (typeof name !== 'string' || typeof domain !== 'string') return [];
  const country = isJsonObject(firmographics) ? readOptionalText(firmographics.country) : undefined;
  return [{ name, domain: domainKey(domain), country }];
}

function toShownCandidate({ name, domain, country }: Candidate): IDataObject {
  return { name, primary_domain: domain, ...(country === undefined ? {} : { country }) };
}
