import { CancelledError, ServiceError } from '../client/errors';
import { isRow, type Row } from '../run/answers/rows';
import type { Run } from '../run/run';
import { askOne, askRows } from './ask';
import { unfiltered } from './endpoint';
import { api } from './endpoints';
import { flatCompany, sideBySide } from './flat-company';

const include = 'technologies,firmographics';

/** The data wanted in addition to the company itself. */
interface Wanted {
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
  { compareWith, partners: wanted }: Wanted,
): Promise<Row> {
  const company = await askOne(run, api.company, { identifier, include });
  const leftOut: string[] = [];
  const orLeftOut = async <T>(what: string, ask: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ServiceError) || error instanceof CancelledError) throw error;
      leftOut.push(`${what}: ${error.message}`);
      return undefined;
    }
  };
  const other =
    compareWith === undefined
      ? undefined
      : await orLeftOut(
          compareWith,
          async () => await askOne(run, api.company, { identifier: compareWith, include }),
        );
  const covered = Math.min(wanted, run.credits.available);
  const list =
    covered < 1
      ? undefined
      : await orLeftOut('partners', async () =>
          askRows(
            run,
            api.partners,
            { ...unfiltered(api.partners), identifier },
            { wanted: covered, keepsArrived: true },
          ),
        );
  if (covered < wanted) leftOut.push(`partners: Max Credits covers ${String(covered)}`);
  if (list?.failure !== undefined) leftOut.push(`partners: ${list.failure.message}`);
  return {
    ...flatCompany({ ...company, technologies: undefined }),
    technologies: technologiesIn(company),
    ...(list === undefined ? {} : { partners: list.rows.map(partnerText) }),
    ...(list?.total === undefined ? {} : { partners_in_all: list.total }),
    ...(other === undefined ? {} : { compared: sideBySide(company, other) }),
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
  };
}

/**
 * Formats technologies as `HubSpot, last seen 2026-01-31`, most recent first: short, with a date to
 * cite.
 */
function technologiesIn({ technologies }: Row): string[] {
  const rows = Array.isArray(technologies) ? technologies.filter(isRow) : [];
  return rows
    .map(({ display_name: name, tech_key: key, last_seen: seen }) => ({
      name: String(name ?? key),
      day: dayOf(seen),
    }))
    .sort((a, b) => b.day.localeCompare(a.day))
    .map(({ name, day }) => (day === '' ? name : `${name}, last seen ${day}`));
}

/** Formats a partner as `Acme (acme.com), technology, last observed 2026-01-31`. */
function partnerText(row: Row): string {
  const { partner_name: name, partner_domain: domain, partnership_type: type } = row;
  const day = dayOf(row.last_observed_at);
  return [
    `${String(name ?? domain)}${name !== undefined && typeof domain === 'string' ? ` (${domain})` : ''}`,
    ...(typeof type === 'string' ? [type] : []),
    ...(day === '' ? [] : [`last observed ${day}`]),
  ].join(', ');
}

/** Returns the date part of a time; empty if there is no time. */
function dayOf(time: unknown): string {
  return typeof time === 'string' ? time.slice(0, 10) : '';
}
