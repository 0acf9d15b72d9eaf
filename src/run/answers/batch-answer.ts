import type { z } from 'zod/v4';

import { cut } from '../../client/values';
import { domainKey } from '../../input/hosts';
import { isRow, rowsUnder, type Row } from './rows';

/** A field whose type is not what the interface says. */
export interface Oddity {
  /** Where: `partnerships.*.observation_count`. */
  readonly field: string;
  /** In words: `text instead of a number`. */
  readonly problem: string;
}

/** What one batch of domains came back as. */
export interface BatchAnswer {
  /** Rows by the domain that was asked for; one row may be that of several. */
  readonly rows: Map<string, Row>;
  /** Rows of nobody who was asked for, which may be charged all the same; none if left out. */
  readonly foreign?: readonly Row[];
  /** Domains the service called malformed, by {@link domainKey}. */
  readonly rejected: Set<string>;
  readonly oddities: readonly Oddity[];
  /** What is odd about some of the rows. */
  readonly inspect?: (rows: readonly Row[]) => Oddity[];
  /** The part of the request that was this asker's; 1 if left out. */
  readonly share?: number;
}

/**
 * Reads the rows of a batch answer. A service may answer under another spelling, or under the domain
 * that the company has now; the position of a row means nothing. A row that names several domains is
 * the row of all of them.
 *
 * @param key the name of the row list.
 * @param shape what the interface says a row looks like.
 * @param asked the domains that were sent, normalized and distinct.
 * @throws {InvalidResponseError} when there is no row list.
 */
export function readBatchAnswer(
  json: unknown,
  key: string,
  shape: z.ZodType,
  asked: readonly string[],
): BatchAnswer {
  const all = rowsUnder(json, key);
  const list = all.filter(isRow);
  const inspect = (some: readonly Row[]): Oddity[] => {
    const oddities = inspectRows(shape, some);
    return list.length < all.length
      ? [{ field: key, problem: 'not only objects in it' }, ...oddities]
      : oddities;
  };
  return { ...ownersOf(list, asked), rejected: new Set(), oddities: inspect(list), inspect };
}

/** Fields that name a row's company, in the row and in the company in it. */
const NAMES = ['domain', 'primary_domain', 'domains'];

/** Rows that belong to nobody, of which the domains are told. */
const NAMES_TOLD = 5;

function ownersOf(
  list: readonly Row[],
  asked: readonly string[],
): Pick<BatchAnswer, 'rows' | 'foreign'> {
  const wanted = new Map(asked.map((domain) => [domainKey(domain), domain]));
  const rows = new Map<string, Row>();
  const foreign: Row[] = [];
  for (const row of list) {
    const domain = firstOf(row, wanted);
    if (domain === undefined) foreign.push(row);
    else rows.set(domain, row);
  }
  if (rows.size < wanted.size) shareAliases(list, wanted, rows);
  return { rows, foreign };
}

function firstOf(row: Row, wanted: ReadonlyMap<string, string>): string | undefined {
  let domain: string | undefined;
  someName(row, (name) => (domain = wanted.get(name)) !== undefined);
  return domain;
}

/** A company with several domains is the row of each that was asked for. */
function shareAliases(
  list: readonly Row[],
  wanted: ReadonlyMap<string, string>,
  rows: Map<string, Row>,
): void {
  for (const row of list) {
    someName(row, (name) => {
      const domain = wanted.get(name);
      if (domain !== undefined && !rows.has(domain)) rows.set(domain, row);
      return false;
    });
  }
}

/** Gives the domains by which a row is known one by one, until one is taken; no list is made for each row. */
function someName(row: Row, isTaken: (name: string) => boolean): boolean {
  const company = isRow(row.company) ? row.company : {};
  const isOne = (value: unknown) => typeof value === 'string' && isTaken(domainKey(value));
  const isIn = (value: unknown) => (Array.isArray(value) ? value.some(isOne) : isOne(value));
  return NAMES.some((name) => isIn(row[name]) || isIn(company[name]));
}

/** What the user is told of rows that belong to nobody. */
export function textAboutForeign(rows: readonly Row[]): string {
  const names = rows.map((row) => {
    let first = 'a row without a domain';
    someName(row, (name) => (first = name) !== '');
    return cut(first, 80);
  });
  const told = [...new Set(names)].slice(0, NAMES_TOLD).join(', ');
  return `The service also answered with rows that belong to no domain that was asked for (${String(rows.length)}): ${told}. They may have been charged all the same, and count against Max Credits.`;
}

/**
 * Compares rows with the shape the interface gives them. A row that differs is kept as it is: one
 * odd field must never cost a row that was paid for. The differences are returned to be shown.
 */
export function inspectRows(shape: z.ZodType, rows: readonly Row[]): Oddity[] {
  const oddities = new Map<string, Oddity>();
  for (const row of rows) {
    const result = shape.safeParse(row, { reportInput: true });
    for (const issue of result.error?.issues ?? []) {
      const field = issue.path
        .map((part) => (typeof part === 'number' ? '*' : String(part)))
        .join('.');
      oddities.set(field, { field, problem: problemOf(issue) });
    }
  }
  return [...oddities.values()];
}

/** The types of JSON in words. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  undefined: 'nothing',
  null: 'null',
};

function problemOf(issue: z.core.$ZodIssue): string {
  const { input } = issue;
  if (issue.code === 'invalid_type') {
    return `${inWords(typeOf(input))} instead of ${inWords(issue.expected)}`;
  }
  if (issue.code === 'invalid_value' && input !== undefined) {
    return `none of ${issue.values.join(', ')}`;
  }
  return input === undefined ? 'nothing' : 'not as documented';
}

function inWords(type: string): string {
  return TYPES[type] ?? 'something else';
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
