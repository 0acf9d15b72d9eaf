import { createInvalidResponseError } from '../../client/errors';
import { isRow, wrapRows, omitFields, type Row } from './rows';

/** Rows of a response whose envelope the API spec does not show. */
export interface FoundRows {
  readonly rows: readonly Row[];
  /** Fields next to the rows and around them: totals, `has_more`, … */
  readonly envelope: Row;
}

/** How the rows of an endpoint are recognized. */
export interface RowSearch {
  /** Possible names of the list, the most likely one first. */
  readonly names: readonly string[];
  /** Returns whether a row has an ID, which is required for a list without a known name. */
  readonly hasId: (row: Row) => boolean;
  /** Names of lists that belong together, such as `users` and `org_wide`. */
  readonly groups?: readonly string[];
  /** Field that names a row's group; `group` if omitted. */
  readonly groupField?: string;
}

/** Generic list names that frameworks use. */
const USUAL_NAMES = ['data', 'items', 'results', 'rows'];
/** Fields about the response itself. */
const ABOUT_RESPONSE = new Set(['errors', 'warnings', 'meta', 'links', 'pagination']);
/** Group with a single entry, because an organization has one grant; it may be an object instead of a list. */
const SINGLE_GROUP = 'org_wide';

/** An object that may contain the rows: the response, or an object in it. */
interface RowPlace {
  readonly row: Row;
  /** Name of the object in the response; undefined for the response itself. */
  readonly name?: string;
}

/** A list that may be the rows. */
interface Candidate {
  readonly place: RowPlace;
  readonly name: string;
  readonly list: readonly unknown[];
}

/**
 * Finds the rows of a response whose envelope the API spec does not show. It tries, in this order: a bare
 * array; the list with an expected or usual name, at the top or one level down; groups that belong
 * together; the only list of objects that have an ID. It guesses nothing else, because a wrong guess
 * invents rows.
 *
 * @throws {InvalidResponseError} if there is no list, or more than one candidate.
 */
export function findRows(json: unknown, search: RowSearch): FoundRows {
  if (Array.isArray(json)) return { rows: wrapRows(json), envelope: {} };
  if (!isRow(json)) throw createInvalidResponseError('The response has no list of rows');
  const levels = [[{ row: json }], listPlaces(json)];
  for (const places of levels) {
    const named = pickNamed(places, search);
    if (named !== undefined) return toRows(json, named);
    const grouped = places.find((place) => isGrouped(place, search));
    if (grouped !== undefined) return joinGroups(json, grouped, search);
  }
  return pickOnly(json, levels.flat(), search);
}

function listPlaces(json: Row): RowPlace[] {
  return Object.entries(json).flatMap(([name, row]) =>
    isRow(row) && !ABOUT_RESPONSE.has(name) ? [{ row, name }] : [],
  );
}

function pickNamed(
  places: readonly RowPlace[],
  { names, hasId }: RowSearch,
): Candidate | undefined {
  for (const name of names) {
    const [first, second] = findLists(places, [name]);
    if (second !== undefined && first !== undefined) throw createAmbiguousError(first, second);
    if (first !== undefined) return first;
  }
  const usual = findLists(places, USUAL_NAMES);
  const [first, second] =
    usual.length > 1 ? usual.filter((one) => isListOfRows(one, hasId)) : usual;
  if (first !== undefined && second !== undefined) throw createAmbiguousError(first, second);
  return first ?? usual[0];
}

function findLists(places: readonly RowPlace[], names: readonly string[]): Candidate[] {
  return places.flatMap((place) =>
    names.flatMap((name) => {
      const list = place.row[name];
      return Array.isArray(list) ? [{ place, name, list: list as unknown[] }] : [];
    }),
  );
}

function isListOfRows({ list }: Candidate, hasId: RowSearch['hasId']): boolean {
  return list.every(isRow) && list.some((row) => hasId(row));
}

function toRows(json: Row, { place, name, list }: Candidate): FoundRows {
  return { rows: wrapRows(list), envelope: envelopeFields(json, place, [name]) };
}

/** Returns the fields around the named lists; fields of the inner object override those of the response. */
function envelopeFields(json: Row, place: RowPlace, names: readonly string[]): Row {
  const near = omitFields(place.row, names);
  return place.name === undefined ? near : { ...omitFields(json, [place.name]), ...near };
}

function isGrouped({ row }: RowPlace, { groups = [] }: RowSearch): boolean {
  return groups.some((name) => Array.isArray(row[name]));
}

function joinGroups(json: Row, place: RowPlace, search: RowSearch): FoundRows {
  const { groups = [], groupField = 'group' } = search;
  const rows = groups.flatMap((name) =>
    groupRows(name, place.row[name]).map((row) => ({ [groupField]: name, ...row })),
  );
  return { rows, envelope: envelopeFields(json, place, groups) };
}

function groupRows(name: string, value: unknown): Row[] {
  if (Array.isArray(value)) return wrapRows(value);
  const isMissing = value === undefined || value === null || value === false;
  return name === SINGLE_GROUP && !isMissing ? wrapRows([value]) : [];
}

function pickOnly(json: Row, places: readonly RowPlace[], search: RowSearch): FoundRows {
  const known = [...search.names, ...USUAL_NAMES];
  // Go writes an empty list as null.
  if (places.some(({ row }) => known.some((name) => row[name] === null))) {
    return { rows: [], envelope: json };
  }
  const lists = places.flatMap((place) => {
    const names = Object.keys(place.row).filter((name) => !ABOUT_RESPONSE.has(name));
    return findLists([place], names);
  });
  const [first, second] = lists.filter((one) => isListOfRows(one, search.hasId));
  if (first !== undefined && second !== undefined) throw createAmbiguousError(first, second);
  if (first !== undefined) return toRows(json, first);
  const [empty] = lists;
  if (empty !== undefined && lists.every(({ list }) => list.length === 0)) {
    return toRows(json, empty);
  }
  throw createInvalidResponseError('The response has no list of rows');
}

function createAmbiguousError(first: Candidate, second: Candidate): Error {
  return createInvalidResponseError(
    `The response has more than one list that could be the rows: ${formatPath(first)} and ${formatPath(second)}`,
    'Read this endpoint with API Request, which returns the response unchanged.',
  );
}

function formatPath({ place, name }: Candidate): string {
  return [...(place.name === undefined ? [] : [place.name]), name].join('.');
}
