import { cut } from '../../client/values';
import { domainKey, suffixOf } from '../../input/hosts';
import { isRow, type Row } from './rows';

/** Fields that repeat what was asked for, before those that say what was found. */
const NAMES = [
  'requested_domain',
  'input_domain',
  'requested',
  'input',
  'query',
  'domain',
  'primary_domain',
  'website',
  'url',
  'domains',
];

/** Rows that belong to nobody, of which the domains are told. */
const NAMES_TOLD = 5;

/** The host of a domain or an address: `https://jo@www.acme.com:443/about`. */
const HOST = /^\s*(?:(?:[a-z][a-z0-9+.-]*:)?\/\/)?(?:[^/?#@]*@)?([^/?#:]+)/i;

/** Rows of an answer, by what was asked for. */
export interface Owned {
  readonly rows: Map<string, Row>;
  /** Rows that belong to nothing that was asked for; they may have been charged all the same. */
  readonly foreign: readonly Row[];
}

/**
 * Finds for each domain that was asked for its row. A service may answer under another spelling, under
 * an address, or under the domain that the company has now; the position of a row means nothing. A row
 * that names several domains is the row of all of them.
 *
 * @param asked normalized and distinct.
 */
export function ownersOf(list: readonly Row[], asked: readonly string[]): Owned {
  const wanted = new Map(asked.map((domain) => [domainKey(domain), domain]));
  const rows = new Map<string, Row>();
  let others: Row[] = [];
  for (const row of list) {
    const domain = firstOf(row, wanted);
    if (domain === undefined) others.push(row);
    else rows.set(domain, row);
  }
  if (rows.size < wanted.size) {
    shareAliases(list, wanted, rows);
    others = withoutSites(others, wanted, rows);
  }
  return { rows, foreign: others };
}

/** What the user is told of rows that belong to nobody. */
export function textAboutForeign(rows: readonly Row[]): string {
  const names = rows.map((row) => cut(namesOf(row).next().value ?? 'a row without a domain', 80));
  const told = [...new Set(names)].slice(0, NAMES_TOLD).join(', ');
  return `The service also answered with rows that belong to no domain that was asked for (${String(rows.length)}): ${told}. They may have been charged all the same, and count against Max Credits.`;
}

function firstOf(row: Row, wanted: ReadonlyMap<string, string>): string | undefined {
  for (const name of namesOf(row)) {
    const domain = wanted.get(name);
    if (domain !== undefined) return domain;
  }
  return undefined;
}

/** Gives rows of the same site above or below what was asked for to whoever has none. */
function withoutSites(
  others: readonly Row[],
  wanted: ReadonlyMap<string, string>,
  rows: Map<string, Row>,
): Row[] {
  return others.filter((row) => {
    const names = [...namesOf(row)];
    const missing = [...wanted].filter(
      ([key, domain]) => !rows.has(domain) && names.some((name) => isSameSite(key, name)),
    );
    for (const [, domain] of missing) rows.set(domain, row);
    return missing.length === 0;
  });
}

function shareAliases(
  list: readonly Row[],
  wanted: ReadonlyMap<string, string>,
  rows: Map<string, Row>,
): void {
  for (const row of list) {
    for (const name of namesOf(row)) {
      const domain = wanted.get(name);
      if (domain !== undefined && !rows.has(domain)) rows.set(domain, row);
    }
  }
}

/** Whether one is a subdomain of the other, which itself is more than a public suffix. */
function isSameSite(one: string, other: string): boolean {
  const [above, below] = one.length < other.length ? [one, other] : [other, one];
  return below.endsWith(`.${above}`) && !suffixOf(above).isBare;
}

/** The domains by which a row is known, the surest first. */
function* namesOf(row: Row): Generator<string, undefined> {
  const parts = isRow(row.company) ? [row, row.company] : [row];
  for (const name of NAMES) {
    for (const part of parts) {
      for (const value of [part[name]].flat()) {
        const host = typeof value === 'string' ? HOST.exec(value)?.[1] : undefined;
        if (host !== undefined) yield domainKey(host);
      }
    }
  }
}
