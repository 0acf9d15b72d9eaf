import { isDeepStrictEqual } from 'node:util';

import {
  BadRequestError,
  ConflictError,
  invalidResponse,
  UnknownOutcomeError,
  UnprocessableError,
} from '../../client/errors';
import { readErrorBody } from '../../client/error-body';
import { isInterfaceCode } from '../../client/codes';
import { isRow, findRow, without, type Row } from '../../run/answers/rows';
import type { Run } from '../../run/run';
import { LIMITS } from '../../input/limits';
import { requestOf } from '../endpoint';
import { api } from '../endpoints';
import { changesBetween } from './conditions';
import { howToCheck } from './effects';
import { CHANGED_MEANWHILE, wordsOfDefinition, wordsOfList } from './words';

type Version = string | number | undefined;

/**
 * A filter tree in the form in which it is sent. The API spec does not show it; some trees are
 * lists.
 */
export type Definition = Row | readonly unknown[];

/** A list's definition as saved in the service. */
export interface SavedDefinition {
  /** The tree with its version fields, as received; null if the list has none. */
  readonly definition: unknown;
  /** The other fields of the response. */
  readonly beside: Row;
  /** The version of the definition, if the service returns it (API spec: Versioning, rule 2). */
  readonly version: Version;
}

/** Fields by which a definition is found in a response. */
const DEFINITION_FIELDS = ['definition', 'registry_version', 'version'];

/**
 * Requests the active definition with `GET /v1/lists/{list_id}/definition` (API spec: Lists). Free. The
 * API spec does not show its form, so it is kept as received.
 *
 * @throws {NotFoundError} when the list does not exist or the user may not see it.
 */
export async function getDefinition(run: Run, listId: string): Promise<SavedDefinition> {
  return await run.request({
    ...requestOf(api.definition, { list_id: listId }),
    repeatable: true,
    words: wordsOfList(listId),
    read: ({ json, text }) => {
      if (!holdsDefinition(json)) refuseError(text);
      return readDefinition(json);
    },
  });
}

function holdsDefinition(json: unknown): boolean {
  if (Array.isArray(json)) return true;
  const row = findRow(json, DEFINITION_FIELDS);
  return DEFINITION_FIELDS.some((name) => row[name] !== undefined);
}

/** Refuses a documented error of the API. Any other object can be a tree. */
function refuseError(text: string): void {
  const { code = '', message = code } = readErrorBody(text);
  if (!isInterfaceCode(code)) return;
  throw invalidResponse(`The response is not a definition (the service says: ${message})`);
}

/** Reads a definition that is the whole response, or its `definition` field. */
function readDefinition(json: unknown): SavedDefinition {
  if (Array.isArray(json)) return { definition: json, beside: {}, version: undefined };
  const row = findRow(json, DEFINITION_FIELDS);
  const { definition = row, ...others } = row;
  const beside = definition === row ? {} : others;
  return { definition, beside, version: versionOf(definition) ?? versionOf(beside) };
}

function versionOf(definition: unknown): Version {
  const version = isRow(definition) ? definition.version : undefined;
  return typeof version === 'string' || typeof version === 'number' ? version : undefined;
}

/** The count of a preview, as received and as text for people. */
export interface PreviewCount extends Row {
  /** `1,234`, or `10,000+` if there are at least that many. */
  readonly count_text: string;
}

/** The form of a request body with a definition, which the API spec does not show. */
export interface BodyForm {
  /** The field for the definition; empty if the definition is the body. */
  readonly wrapIn?: string;
  /** Further fields to merge into the body. */
  readonly more?: Row;
}

/**
 * Counts the companies that match a definition with `POST /v1/lists/preview-count` (API spec: Lists,
 * rule 1). Free. The request changes no saved list, so it can be retried.
 *
 * @param definition the tree. Its version is not sent, because a preview belongs to no saved list.
 * @throws {UnprocessableError} when the definition is malformed or unbounded.
 */
export async function previewCount(
  run: Run,
  definition: Definition,
  form: BodyForm = {},
): Promise<PreviewCount> {
  return await run.request({
    ...requestOf(api.previewCount, {}),
    body: bodyOf(withoutVersion(definition), form),
    repeatable: true,
    words: wordsOfDefinition,
    read: ({ json }) => readPreview(json),
  });
}

function readPreview(json: unknown): PreviewCount {
  const answer = findRow(json, ['count', 'capped']);
  const capped = answer.capped === true;
  const count = Number(answer.count ?? (capped ? LIMITS.previewCount : undefined));
  if (Number.isFinite(count)) {
    return { ...answer, count_text: `${count.toLocaleString('en-US')}${capped ? '+' : ''}` };
  }
  throw invalidResponse('The response has no count');
}

/** The reaction when another user has changed the definition. */
export type OnConflict = 'fail' | 'overwrite';

/** The number of repeated overwrites, so that a user who keeps saving does not block a run forever. */
const MOST_OVERWRITES = 5;

/**
 * Replaces the definition with `PUT /v1/lists/{list_id}/definition` (API spec: Lists, rules 2 and 3).
 * Free. If the service returns a version, the request names it, so that the service can detect a change
 * by another user. The API spec does not show how to send the version: if the service refuses the body,
 * it is sent once more without the version.
 *
 * Each success appends a version, so the request is not retried when the response is lost. Instead, the
 * definition is read to find out whether it was replaced.
 *
 * @param definition the tree with its registry version; its own `version`, if any, is its base version.
 * @returns the definition that is active now.
 * @throws {ConflictError} when another user changed the definition; the message lists the changes.
 * @throws {UnprocessableError} when the definition is malformed or unbounded.
 * @throws {NotFoundError} when the list does not exist or the user may not see it.
 * @throws {UnknownOutcomeError} when a response was lost and the list still has another definition.
 */
export async function replaceDefinition(
  run: Run,
  listId: string,
  definition: Definition,
  onConflict: OnConflict,
  form: BodyForm = {},
): Promise<SavedDefinition> {
  const first = await getDefinition(run, listId);
  let based = basedOn(first, definition);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const saved = await putAsTaken(run, listId, based, definition, form);
      if (holds(saved.definition, definition)) return saved;
      // The definition was replaced, but the response contains something else.
      return await getDefinition(run, listId).catch(() => saved);
    } catch (error) {
      const unclear = error instanceof UnknownOutcomeError;
      if (!unclear && !(error instanceof ConflictError)) throw error;
      // If this check fails too, the first error is reported.
      const now = await getDefinition(run, listId).catch(() => undefined);
      if (now === undefined) throw error;
      if (unclear) {
        if (holds(now.definition, definition)) return now;
        throw error;
      }
      if (onConflict === 'fail' || attempt > MOST_OVERWRITES) {
        throw conflict(error, first, now, definition);
      }
      based = basedOn(now, withoutVersion(definition));
    }
  }
}

/**
 * Sends a definition with its base version, and once more without it if the service refuses the body.
 * This is safe: a request whose body was refused has certainly changed nothing.
 */
async function putAsTaken(
  run: Run,
  listId: string,
  based: Definition,
  definition: Definition,
  form: BodyForm,
): Promise<SavedDefinition> {
  try {
    return await put(run, listId, bodyOf(based, form));
  } catch (error) {
    const ofContents = error instanceof UnprocessableError || error instanceof BadRequestError;
    if (!ofContents || based === definition) throw error;
    return await put(run, listId, bodyOf(definition, form));
  }
}

function bodyOf(definition: Definition, { wrapIn = '', more = {} }: BodyForm): Definition {
  if (wrapIn !== '') return { [wrapIn]: definition, ...more };
  if (Object.keys(more).length === 0) return definition;
  return isRow(definition) ? { ...definition, ...more } : { definition, ...more };
}

async function put(run: Run, listId: string, body: Definition): Promise<SavedDefinition> {
  return await howToCheck(
    'Check the definition with Definition: Get before you run this again.',
    async () =>
      await run.request({
        ...requestOf(api.replaceDefinition, { list_id: listId }),
        body,
        repeatable: false,
        words: { ...wordsOfList(listId), ...wordsOfDefinition, ...CHANGED_MEANWHILE },
        read: ({ json }) => readDefinition(json),
      }),
  );
}

/** Adds the base version to a definition, unless it has one. */
function basedOn({ version }: SavedDefinition, definition: Definition): Definition {
  return version === undefined || !isRow(definition) || definition.version !== undefined
    ? definition
    : { version, ...definition };
}

/** Removes the version that a definition has when it was read from a list. */
export function withoutVersion(definition: Definition): Definition {
  return isRow(definition) ? without(definition, ['version']) : definition;
}

const STAMPS = ['version', 'registry_version'];

/** Returns whether a saved definition is the one that was sent, ignoring versions and added fields. */
function holds(saved: unknown, sent: Definition): boolean {
  if (!isRow(sent)) return isDeepStrictEqual(saved, sent);
  if (!isRow(saved)) return false;
  return Object.entries(sent).every(
    ([name, value]) => STAMPS.includes(name) || isDeepStrictEqual(saved[name], value),
  );
}

/** Adds to a conflict error the changes since the first read, or since the base version. */
function conflict(
  error: ConflictError,
  before: SavedDefinition,
  now: SavedDefinition,
  sent: Definition,
): ConflictError {
  const meanwhile = before.version !== now.version;
  const basis = meanwhile ? before.version : versionOf(sent);
  const { added, removed, text } = changesBetween(
    meanwhile ? before.definition : sent,
    now.definition,
  );
  const versions =
    basis === undefined || now.version === undefined
      ? ''
      : ` (version ${basis} is now ${now.version})`;
  return error.retold({
    message: `Someone else changed the definition of this list${versions}. ${
      meanwhile ? 'Changes' : 'Differences from your definition'
    }: ${text}`,
    hint: 'Nothing was replaced. Check the current definition and run this again, or choose Overwrite under On Conflict.',
    details: {
      ...error.details,
      ...(basis === undefined ? {} : { version_before: basis }),
      ...(now.version === undefined ? {} : { version_now: now.version }),
      conditions_added: added,
      conditions_removed: removed,
    },
  });
}
