import { createInvalidResponseError } from '../../client/errors';
import { wrapRows, omitFields } from './rows';
import { isJsonObject, type Row } from '../../values/json';

interface FoundRows {
  readonly rows: readonly Row[];
  readonly envelope: Row;
}

export interface RowSearch {
  readonly names: readonly string[];
  readonly hasId: (row: Row) => boolean;
  readonly groups?: readonly string[];
  readonly groupField?: string;
}

const USUAL_NAMES = ['data', 'items', 'results', 'rows'];
const ABOUT_RESPONSE = new Set(['errors', 'warnings', 'meta', 'links', 'pagination']);
/** An organization has one grant; it may be an object instead of a list. */
const SINGLE_GROUP = 'org_wide';

interface Place {
  readonly row: Row;
  readonly name?: string;
}

interface Candidate {
  readonly place: Place;
  readonly name: string;
  readonly list: readonly unknown[];
}

/**
 * Tries, in this order: a bare array; the list with an expected or usual name, or the documented groups, at the
 * top or one level down; the only list of objects that have an ID. It guesses nothing else, because a wrong guess
 * invents rows.
 *
 * @throws {InvalidResponseError} if there is no list, or more than one candidate.
 */
export function findRows(json: unknown, search: RowSearch): FoundRows {
  if (Array.isArray(json)) return { rows: readEntries(json), envelope: {} };
  if (!isJsonObject(json)) throw createNoListError();
  const inner = Object.entries(json).flatMap(([name, row]) =>
    isJsonObject(row) && !ABOUT_RESPONSE.has(name) ? [{ row, name }] : [],
  );
  const levels: Place[][] = [[{ row: json }], inner];
  const { names, groups = [], hasId } = search;
  for (const places of levels) {
    const found = pickOne(findLists(places, names)) ?? pickOne(findLists(places, USUAL_NAMES));
    if (found !== undefined) return toRows(json, found);
    const grouped = places.find(({ row }) => groups.some((name) => Array.isArray(row[name])));
    if (grouped !== undefined) return joinGroups(json, grouped, search);
  }
  const places = levels.flat();
  // Go writes an empty list as null.
  if (places.some(({ row }) => [...names, ...USUAL_NAMES].some((name) => row[name] === null))) {
    return { rows: [], envelope: json };
  }
  const lists = places.flatMap((place) =>
    findLists(
      [place],
      Object.keys(place.row).filter((name) => !ABOUT_RESPONSE.has(name)),
    ),
  );
  const only =
    pickOne(
      lists.filter(({ list }) => list.every(isJsonObject) && list.some((row) => hasId(row))),
    ) ?? lists.find(() => lists.every(({ list }) => list.length === 0));
  if (only === undefined) throw createNoListError();
  return toRows(json, only);
}

function findLists(places: readonly Place[], names: readonly string[]): Candidate[] {
  return places.flatMap((place) =>
    names.flatMap((name) => {
      const list = place.row[name];
      return Array.isArray(list) ? [{ place, name, list: list as unknown[] }] : [];
    }),
  );
}

function pickOne([first, second]: readonly Candidate[]): Candidate | undefined {
  if (first === undefined || second === undefined) return first;
  throw createInvalidResponseError(
    `The response has more than one list that could be the rows: ${formatPath(first)} and ${formatPath(second)}`,
    'Read this endpoint with Company Intelligence API Request, which returns the response unchanged.',
  );
}

function formatPath({ place, name }: Candidate): string {
  return [...(place.name === undefined ? [] : [place.name]), name].join('.');
}

function toRows(json: Row, { place, name, list }: Candidate): FoundRows {
  return { rows: readEntries(list), envelope: envelopeFields(json, place, [name]) };
}

function envelopeFields(json: Row, place: Place, names: readonly string[]): Row {
  const near = omitFields(place.row, names);
  return place.name === undefined ? near : { ...omitFields(json, [place.name]), ...near };
}

function joinGroups(json: Row, place: Place, search: RowSearch): FoundRows {
  const { groups = [], groupField = 'group' } = search;
  const rows = groups.flatMap((name) =>
    groupRows(name, place.row[name]).map((row) => ({ [groupField]: name, ...row })),
  );
  return { rows, envelope: envelopeFields(json, place, groups) };
}

function groupRows(name: string, value: unknown): Row[] {
  if (Array.isArray(value)) return readEntries(value);
  return name === SINGLE_GROUP && isJsonObject(value) ? [value] : [];
}

/** Taken for a row, a list of rows would count as one, so the same rows would be requested again and again. */
function readEntries(list: readonly unknown[]): Row[] {
  if (list.some(Array.isArray)) throw createNoListError();
  return wrapRows(list);
}

function createNoListError(): Error {
  return createInvalidResponseError('The response has no list of rows');
}
