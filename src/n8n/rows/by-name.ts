import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { askPages } from '../../service/ask';
import { unfiltered } from '../../service/endpoint';
import { api } from '../../service/endpoints';
import { CancelledError } from '../../client/errors';
import { normalizeDomain, type NormalizeOptions } from '../../input/domains';
import { chooseCompany, type Candidate } from '../../input/names/choose-company';
import { companyNameOf, type CompanyName } from '../../input/names/company-names';
import { domainKey } from '../../input/hosts';
import { quote } from '../../input/quote';
import type { Page } from '../../run/answers/page';
import { isRow, type Row } from '../../run/answers/rows';
import { inParallel } from '../../run/parallel';
import type { Run } from '../../run/run';
import { asError } from '../failures';
import { readerOf } from '../parameters/read';
import { textOf } from '../parameters/values';
import { alike, type Alike } from './domain-rows';
import { failed, succeeded, type Task } from './rows';

/*
 * Rows without a usable domain, whose company is looked up by its name: `GET /v1/companies?q=…`, 1 credit
 * per company returned. Each name is asked for once, and never more than its first page.
 */

/** What an item says of a company that it has no domain of. */
export interface OfName {
  readonly name: CompanyName;
  /** Decides between companies of the same name; undefined where it is not given. */
  readonly country: string | undefined;
}

/** Candidates that a row shows. */
const SHOWN_CANDIDATES = 5;

const COMPANY_NAME = 'companyName';
const COMPANY_COUNTRY = 'companyCountry';

/**
 * Reads the options Company Name and Country of each item.
 *
 * @returns undefined where Company Name is not used; else a function that gives undefined for an item
 * without a name.
 */
export function nameReader(
  context: IExecuteFunctions,
): ((itemIndex: number) => OfName | undefined) | undefined {
  const { options } = context.getNode().parameters;
  if (!isRow(options) || !(COMPANY_NAME in options)) return undefined;
  const readName = readerOf(context, `options.${COMPANY_NAME}`);
  const readCountry =
    COMPANY_COUNTRY in options ? readerOf(context, `options.${COMPANY_COUNTRY}`) : () => undefined;
  return (itemIndex) => {
    const name = companyNameOf(readName(itemIndex));
    return name === undefined ? undefined : { name, country: textOf(readCountry(itemIndex)) };
  };
}

/** How names are looked up. */
interface NameOptions extends Pick<NormalizeOptions, 'ignoreDomains'> {
  /** Candidates that are read of each name. */
  readonly candidatesPerName: number;
}

/** The service itself says the domain of a company. */
const AS_GIVEN = { subdomains: 'keep', rejectFreeMail: false, anyHost: true } as const;

/** What came of the names of a run. */
export interface NameCounts {
  readonly matched: number;
  readonly ambiguous: number;
  readonly unknown: number;
  /** Unknown names that companies which were not read could have. */
  readonly unread: number;
  /** Requests that were answered. */
  readonly answers: number;
  /** Credits that the search has cost at most. */
  readonly credits: number;
}

/** The same with the companies. */
export interface NamesReport<Ask> extends NameCounts {
  /** Domains of the tasks whose company was found; all others are settled. */
  readonly domains: ReadonlyMap<Task<Ask>, string>;
}

/**
 * Looks companies up by name. Tasks whose company is not found, is one of several, or could not be asked
 * for, are settled.
 *
 * @throws {CancelledError} when the run is stopped.
 */
export async function lookUpNames<Ask extends OfName>(
  run: Run,
  tasks: ReadonlyArray<Task<Ask>>,
  { candidatesPerName: most, ignoreDomains }: NameOptions,
): Promise<NamesReport<Ask>> {
  const before = run.credits.atMost;
  const domains = new Map<Task<Ask>, string>();
  const counts = { ambiguous: 0, unknown: 0, unread: 0, answers: 0 };
  let ignored = 0;
  const settle = (task: Task<Ask>, found: Found) => {
    const choice = chooseCompany(task.ask.name, found.candidates, task.ask.country);
    if (choice.kind === 'match') {
      const { domain } = choice.company;
      const read = normalizeDomain(domain, { ...AS_GIVEN, ignoreDomains });
      if (read.valid || read.reason !== 'ignored') {
        domains.set(task, domain);
        return;
      }
      ignored += 1;
      const { message } = read;
      task.outcome = succeeded({ domain, status: 'ignored', message, matched_by: 'name' });
      return;
    }
    const isUnread = choice.kind === 'none' && found.others > 0;
    counts[choice.kind === 'none' ? 'unknown' : 'ambiguous'] += 1;
    counts.unread += isUnread ? 1 : 0;
    const status = choice.kind === 'ambiguous' ? choice.kind : isUnread ? 'unknown' : 'not_tracked';
    task.outcome = succeeded({
      domain: null,
      status,
      message: messageOf(task.ask.name, choice, found),
      candidates: choice.companies.slice(0, SHOWN_CANDIDATES).map(shown),
    });
  };
  // Each name once, whatever is wanted of its company.
  await inParallel(
    alike(tasks, ({ name }) => name.keys[0]),
    async (group) => {
      try {
        run.brake.check();
        const found = await search(run, group, most);
        counts.answers += 1;
        for (const task of group.tasks) settle(task, found);
      } catch (error) {
        if (error instanceof CancelledError || run.signal?.aborted === true) throw error;
        run.brake.failed(error);
        for (const task of group.tasks) task.outcome = failed(asError(error));
      }
    },
  );
  const matched = domains.size + ignored;
  return { ...counts, domains, matched, credits: run.credits.atMost - before };
}

/** What a search has found. */
interface Found {
  readonly candidates: readonly Candidate[];
  /** Companies that it would find beside them; at least 1 where nobody says that there are none. */
  readonly others: number;
}

async function search(run: Run, { ask, tasks }: Alike<OfName>, wanted: number): Promise<Found> {
  // Countries are needed only where they can decide anything.
  const include = tasks.some((task) => task.ask.country !== undefined)
    ? 'firmographics'
    : undefined;
  const pages = askPages(
    run,
    api.companies,
    { ...unfiltered(api.companies), q: ask.name.query, include },
    { wanted },
  );
  const { value: page } = await pages.next();
  await pages.return();
  return page === undefined ? { candidates: [], others: 0 } : foundIn(page, wanted);
}

function foundIn({ rows, pagination }: Page, wanted: number): Found {
  const { totalResults, hasNext = totalResults === undefined && rows.length >= wanted } =
    pagination;
  return {
    candidates: rows.flatMap(candidateOf),
    others: Math.max((totalResults ?? 0) - rows.length, hasNext ? 1 : 0),
  };
}

function candidateOf({ name, primary_domain: domain, firmographics }: Row): Candidate[] {
  if (typeof name !== 'string' || typeof domain !== 'string') return [];
  const country = isRow(firmographics) ? textOf(firmographics.country) : undefined;
  return [{ name, domain: domainKey(domain), country }];
}

function shown({ name, domain, country }: Candidate): IDataObject {
  return { name, primary_domain: domain, ...(country === undefined ? {} : { country }) };
}

function messageOf(
  { text }: CompanyName,
  choice: ReturnType<typeof chooseCompany>,
  { candidates, others }: Found,
): string {
  if (choice.kind === 'ambiguous') {
    return `Several companies are called ${quote(text)}. Give the domain of the right one, or set Country under Options`;
  }
  if (others > 0) {
    return `More companies have ${quote(text)} in their name than the ${String(candidates.length)} that were read, and none of these is called exactly so. Raise Candidates per Name to read more`;
  }
  const [nearest] = choice.kind === 'none' ? choice.companies : [];
  const suggestion =
    nearest === undefined ? '' : `. The nearest is ${quote(nearest.name)} (${nearest.domain})`;
  return `The service tracks no company called ${quote(text)}${suggestion}`;
}
