import type { IDataObject } from 'n8n-workflow';

import { buildRequest, createEmptyQuery } from '../../service/endpoint';
import { api } from '../../service/endpoints';
import { CancelledError } from '../../client/errors';
import { chooseCompany, type Candidate } from '../../input/names/choose-company';
import type { CompanyName } from '../../input/names/company-names';
import { domainKey } from '../../input/hosts';
import { isJsonObject, type Row } from '../../values/json';
import { readPage, toPage, type Page } from '../../run/responses/page';
import { mapInParallel } from '../../concurrency';
import type { Run } from '../../run/run';
import { toError } from '../failures';
import { readOptionalText } from '../parameters/parsers';
import type { NameCounts } from '../run-hints';
import { toFailure, toSuccess } from './row-result';
import { groupTasks, type Task } from './tasks';

/*
 * Rows without a usable domain, whose company is looked up by name: `GET /v1/companies?q=…`, 1 credit per
 * company returned. Each name is searched once, and only the first page is read.
 */

export interface NamedCompany {
  readonly name: CompanyName;
  /** Decides between companies with the same name; undefined if not given. */
  readonly country: string | undefined;
}

const MAX_SHOWN_CANDIDATES = 5;

interface NameLookupOptions {
  readonly candidatesPerName: number;
}

/** By task, with a remark for the row. */
type Matches<Request> = Map<
  Task<Request>,
  { readonly domain: string; readonly message: string | undefined }
>;

export interface NamesReport<Request> extends NameCounts {
  /** The companies of the tasks whose company was found; all other tasks have an outcome. */
  readonly found: Readonly<Matches<Request>>;
}

/**
 * Looks up companies by name. Sets the outcome of tasks whose company is not found, is ambiguous, or
 * could not be looked up.
 *
 * @throws {CancelledError} If the run is stopped.
 */
export async function lookUpNames<Request extends NamedCompany>(
  run: Run,
  tasks: ReadonlyArray<Task<Request>>,
  { candidatesPerName: most }: NameLookupOptions,
): Promise<NamesReport<Request>> {
  const before = run.credits.maxSpent;
  const matches: Matches<Request> = new Map();
  const counts = { ambiguous: 0, unknown: 0, not_tracked: 0 };
  let requests = 0;
  const applySearch = (task: Task<Request>, { candidates, others }: NameSearch) => {
    const { name, country } = task.request;
    const choice = chooseCompany(name, candidates, others, country);
    if (choice.status !== 'matched') {
      const { status, companies, message } = choice;
      counts[status] += 1;
      const shown = companies.slice(0, MAX_SHOWN_CANDIDATES).map(toShownCandidate);
      task.outcome = toSuccess({ domain: null, status, message, candidates: shown });
      return;
    }
    matches.set(task, { domain: choice.company.domain, message: choice.remark });
  };
  // Each name once, even if rows request different sections.
  await mapInParallel(
    groupTasks(tasks, ({ name }) => name.keys[0]),
    async (group) => {
      try {
        run.breaker.assertClosed();
        const found = await searchByName(run, group[0].request.name, group, most);
        requests += 1;
        for (const task of group) applySearch(task, found);
      } catch (error) {
        if (error instanceof CancelledError || run.signal?.aborted === true) throw error;
        run.breaker.recordItemFailure(error);
        for (const task of group) task.outcome = toFailure(toError(error), { domain: null });
      }
    },
  );
  const matched = matches.size;
  const { ambiguous, unknown: unread, not_tracked } = counts;
  const unmatched = unread + not_tracked;
  run.countLookups(matched + ambiguous + unmatched, matched);
  const credits = run.credits.maxSpent - before;
  return { found: matches, matched, ambiguous, unmatched, unread, requests, credits };
}

interface NameSearch {
  readonly candidates: readonly Candidate[];
  /** Number of further matches, by the total that the response states. */
  readonly others: number;
}

/** Searches a name. A search without a result costs nothing. */
async function searchByName(
  run: Run,
  { query: q }: CompanyName,
  tasks: ReadonlyArray<Task<NamedCompany>>,
  wanted: number,
): Promise<NameSearch> {
  // Firmographics are needed only if a row gives a country.
  const include = tasks.some((task) => task.request.country !== undefined)
    ? 'firmographics'
    : undefined;
  const parameters = { ...createEmptyQuery(api.companies), q, include };
  const call = buildRequest(api.companies, parameters);
  // All candidates or none: a choice among only some of them could be another company.
  const page = await run.credits.sendWithinBudget(
    wanted,
    async () =>
      await run.request({
        ...call,
        query: { ...call.query, page: 1, limit: wanted },
        repeatable: true,
        read: (response) => toPage(response, readPage),
      }),
    ({ rows }) => rows.length,
  );
  return readCandidates(page);
}

function readCandidates({ rows, pagination }: Page): NameSearch {
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
