import { readFileSync } from 'node:fs';

/** Readable texts for the reasons of invalid rows. Other reasons are shown unchanged. */
const REASONS = new Map([
  ['empty', 'empty'],
  ['no_dot', 'not a domain'],
  ['too_long', 'too long'],
  ['ip_address', 'an IP address'],
  ['localhost', 'a local name'],
  ['malformed', 'misspelled'],
  ['unknown_tld', 'unknown ending'],
  ['public_suffix', 'only an ending'],
  ['free_mail', 'free email address'],
  ['placeholder', 'a placeholder'],
  ['profile_page', 'a profile page'],
  ['short_link', 'a short link'],
  ['store_page', 'a store page'],
  ['hosted_site', 'hosted by a provider'],
  ['not_a_domain', 'a name with a dot'],
]);

/**
 * Prints the results of the demo's run, from its input and output files and the service's counters.
 *
 * @param {{inputPath: string, outputPath: string, report: {requests: number, charged: number}}} run
 */
export async function printSummary({ inputPath, outputPath, report }) {
  const leads = await readCsv(inputPath);
  const rows = await readCsv(outputPath);
  const tracked = rows.filter(({ status }) => status === 'tracked');
  const invalid = rows.filter(({ status }) => status === 'invalid');

  console.log(`
  Rows in       ${leads.length}
  Rows out      ${rows.length}, in the same order
    enriched    ${tracked.length} (${distinct(tracked)} companies)
    not tracked ${count(rows, 'not_tracked')} (the service doesn't track the company)
    invalid     ${invalid.length} (${reasons(invalid)})
  Requests      ${report.requests}
  Credits       ${report.charged}

  For example`);
  for (const row of examples(rows)) {
    const result = row.status === 'tracked' ? describe(row) : row.status.replace('_', ' ');
    console.log(
      `    ${quote(row.company)} → ${result}${row.reason ? `: ${reasonText(row.reason)}` : ''}`,
    );
  }
  const [first] = tracked;
  console.log(`
  Try       ${first?.domain ?? ''} (in Company Lookup: the local service tracks it)
  CSV       ${outputPath}`);
}

/**
 * A row of the CSV files. The result columns have no prefix here.
 *
 * @typedef {Record<'company' | 'domain' | 'status' | 'reason' | 'company_name' | 'industry'
 *   | 'employee_range' | 'country' | 'technology_count', string>} Row
 */

/**
 * @param {string} path
 * @returns {Promise<Row[]>}
 */
async function readCsv(path) {
  // Import it late: it is missing until the demo has installed the project's dependencies.
  const { parse } = await import('csv-parse/sync');
  /** @type {(header: string[]) => string[]} */
  const columns = (header) => header.map((name) => name.replace(/^enriched_/, ''));
  return parse(readFileSync(path), { columns, bom: true });
}

/** @param {Row[]} rows */
function distinct(rows) {
  return new Set(rows.map(({ domain }) => domain)).size;
}

/**
 * @param {Row[]} rows
 * @param {string} status
 */
function count(rows, status) {
  return rows.filter((row) => row.status === status).length;
}

/** @param {Row[]} invalid */
function reasons(invalid) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { reason } of invalid) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, number]) => `${number} ${reasonText(reason)}`)
    .join(', ');
}

/** @param {string} reason */
function reasonText(reason) {
  return REASONS.get(reason) ?? reason.replaceAll('_', ' ');
}

/**
 * Returns a few typical rows: the messiest of each kind.
 *
 * @param {Row[]} rows
 */
function examples(rows) {
  const messiest = (/** @type {string} */ status, /** @type {number} */ number) =>
    rows
      .filter((row) => row.status === status && row.company !== row.domain)
      .sort((a, b) => mess(b) - mess(a))
      .slice(0, number);
  return [...messiest('tracked', 3), ...messiest('not_tracked', 1), ...messiest('invalid', 2)];
}

/** @param {Row} row */
function mess({ company, domain }) {
  return Math.min(company.length, 60) - domain.length;
}

/** @param {Row} row */
function describe(row) {
  return [row.company_name, row.industry, row.employee_range && `${row.employee_range} employees`]
    .concat(row.country, `${row.technology_count} technologies`)
    .filter(Boolean)
    .join(', ');
}

/** @param {string} text */
function quote(text) {
  return JSON.stringify(text.length > 48 ? `${text.slice(0, 47)}…` : text);
}
