import { CancelledError, ServiceError } from '../client/errors';
import { isRow, type Row } from '../run/responses/rows';
import type { Run } from '../run/run';
import { readEndpointObject, readEndpointRows } from './read';
import { createEmptyQuery } from './endpoint';
import { api } from './endpoints';
import { compareCompanies } from './compare-companies';
import { toFlatCompany } from './flat-company';

const include = 'technologies,firmographics';

/** The data wanted in addition to the company itself. */
interface ResearchOptions {
  /** The identifier of another company to compare with. */
  readonly compareWith: string | undefined;
  /** The number of partners to read. */
  readonly partners: number;
}

/**
 * Reads the data about a company that the run's credits cover, the most useful first: the company with
 * its technologies (1 credit), the company to compare with (1), and its partners (1 each).
 *
 * @returns one row; `left_out` lists the parts that could not be read, and why.
 * @throws {ServiceError} when the company itself could not be read.
 */
export async function researchCompany(
  run: Run,
  identifier: string,
  { compareWith, partners: wanted }: ResearchOptions,
): Promise<Row> {
  const company = await readEndpointObject(run, api.company, { identifier, include });
  const missing: string[] = [];
  const tryToRead = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ServiceError) || error instanceof CancelledError) throw error;
      missing.push(`${what}: ${error.message}`);
      return undefined;
    }
  };
  const other =
    compareWith === undefined
      ? undefined
      : await tryToRead(
          compareWith,
          async () =>
            await readEndpointObject(run, api.company, { identifier: compareWith, include }),
        );
  const covered = Math.min(wanted, run.credits.available);
  const list =
    covered < 1
      ? undefined
      : await tryToRead('partners', async () =>
          readEndpointRows(
            run,
            api.partners,
            { ...createEmptyQuery(api.partners), identifier },
            { wanted: covered, keepsArrived: true },
          ),
        );
  if (covered < wanted) missing.push(`partners: Max Credits covers ${String(covered)}`);
  if (list?.failure !== undefined) missing.push(`partners: ${list.failure.message}`);
  return {
    ...toFlatCompany({ ...company, technologies: undefined }),
    technologies: formatTechnologies(company),
    ...(list === undefined ? {} : { partners: list.rows.map(formatPartner) }),
    ...(list?.total === undefined ? {} : { partners_in_all: list.total }),
    ...(other === undefined ? {} : { compared: compareCompanies(company, other) }),
    ...(missing.length === 0 ? {} : { left_out: missing }),
  };
}

/**
 * Formats technologies as `HubSpot, last seen 2026-01-31`, most recent first: short, with a date to
 * cite.
 */
function formatTechnologies({ technologies }: Row): string[] {
  const rows = Array.isArray(technologies) ? technologies.filter(isRow) : [];
  return rows
    .map(({ display_name: name, tech_key: key, last_seen: seen }) => ({
      name: String(name ?? key),
      day: toDay(seen),
    }))
    .sort((a, b) => b.day.localeCompare(a.day))
    .map(({ name, day }) => (day === '' ? name : `${name}, last seen ${day}`));
}

/** Formats a partner as `Acme (acme.com), technology, last observed 2026-01-31`. */
function formatPartner(row: Row): string {
  const { partner_name: name, partner_domain: domain, partnership_type: type } = row;
  const day = toDay(row.last_observed_at);
  return [
    `${String(name ?? domain)}${name !== undefined && typeof domain === 'string' ? ` (${domain})` : ''}`,
    ...(typeof type === 'string' ? [type] : []),
    ...(day === '' ? [] : [`last observed ${day}`]),
  ].join(', ');
}

/** Returns the date part of a time; empty if there is no time. */
function toDay(time: unknown): string {
  return typeof time === 'string' ? time.slice(0, 10) : '';
}
