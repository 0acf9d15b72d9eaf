import { isDeepStrictEqual } from 'node:util';

import {
  BadRequestError,
  ConflictError,
  createInvalidResponseError,
  UnknownOutcomeError,
  UnprocessableError,
} from '../../client/errors';
import { readErrorBody } from '../../client/error-body';
import { isApiErrorCode } from '../../client/error-mapping';
import { isRow, findObject, omitFields, type Row } from '../../run/responses/rows';
import type { Run } from '../../run/run';
import { LIMITS } from '../../input/limits';
import { buildRequest } from '../endpoint';
import { api } from '../endpoints';
import { diffDefinitions } from './conditions';
import { withCheckHint } from './effects';
import { CHANGED_MEANWHILE_HINT, definitionErrorTexts, errorTextsForList } from './error-texts';

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
  readonly envelopeFields: Row;
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
    ...buildRequest(api.definition, { list_id: listId }),
    repeatable: true,
    errorTexts: errorTextsForList(listId),
    read: ({ json, text }) => {
      if (!holdsDefinition(json)) assertNoError(text);
      return readDefinition(json);
    },
  });
}

function holdsDefinition(json: unknown): boolean {
  if (Array.isArray(json)) return true;
  const row = findObject(json, DEFINITION_FIELDS);
  return DEFINITION_FIELDS.some((name) => row[name] !== undefined);
}

/** Refuses a documented error of the API. Any other object can be a tree. */
function assertNoError(text: string): void {
  const { code = '', message = code } = readErrorBody(text);
  if (!isApiErrorCode(code)) return;
  throw createInvalidResponseError(
    `The response is not a definition (the service says: ${message})`,
  );
}

/** Reads a definition that is the whole response, or its `definition` field. */
function readDefinition(json: unknown): SavedDefinition {
  if (Array.isArray(json)) return { definition: json, envelopeFields: {}, version: undefined };
  const row = findObject(json, DEFINITION_FIELDS);
  const { definition = row, ...others } = row;
  const envelopeFields = definition === row ? {} : others;
  return {
    definition,
    envelopeFields,
    version: readVersion(definition) ?? readVersion(envelopeFields),
  };
}

function readVersion(definition: unknown): Version {
  const version = isRow(definition) ? definition.version : undefined;
  return typeof version === 'string' || typeof version === 'number' ? version : undefined;
}

/** Options of a request body with a definition, which the API spec does not show. */
export interface BodyOptions {
  /** The field for the definition; empty if the definition is the body. */
  readonly wrapIn?: string;
  /** Further fields to merge into the body. */
  readonly additionalFields?: Row;
}

/**
 * Counts the companies that match a definition with `POST /v1/lists/preview-count` (API spec: Lists,
 * rule 1). Free. The request changes no saved list, so it can be retried.
 *
 * @param definition the tree. Its version is not sent, because a preview belongs to no saved list.
 * @returns the count as received, and as `count_text`: `1,234`, or `10,000+` if there are at least that many.
 * @throws {UnprocessableError} when the definition is malformed or unbounded.
 */
export async function previewCount(
  run: Run,
  definition: Definition,
  options: BodyOptions = {},
): Promise<Row> {
  return await run.request({
    ...buildRequest(api.previewCount, {}),
    body: toBody(omitVersion(definition), options),
    repeatable: true,
    errorTexts: definitionErrorTexts,
    read: ({ json }) => readPreview(json),
  });
}

function readPreview(json: unknown): Row {
  const answer = findObject(json, ['count', 'capped']);
  const capped = answer.capped === true;
  const count = Number(answer.count ?? (capped ? LIMITS.previewCount : undefined));
  if (Number.isFinite(count)) {
    return { ...answer, count_text: `${count.toLocaleString('en-US')}${capped ? '+' : ''}` };
  }
  throw createInvalidResponseError('The response has no count');
}

/** The reaction when another user has changed the definition. */
export type OnConflict = 'fail' | 'overwrite';

/** The number of repeated overwrites, so that a user who keeps saving does not block a run forever. */
const MAX_OVERWRITES = 5;

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
  options: BodyOptions = {},
): Promise<SavedDefinition> {
  const first = await getDefinition(run, listId);
  let based = withVersion(first, definition);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const saved = await putWithVersionOrWithout(run, listId, based, definition, options);
      if (isSaved(saved.definition, definition)) return saved;
      // The definition was replaced, but the response contains something else.
      return await getDefinition(run, listId).catch(() => saved);
    } catch (error) {
      const unclear = error instanceof UnknownOutcomeError;
      if (!unclear && !(error instanceof ConflictError)) throw error;
      // If this check fails too, the first error is reported.
      const now = await getDefinition(run, listId).catch(() => undefined);
      if (now === undefined) throw error;
      if (unclear) {
        if (isSaved(now.definition, definition)) return now;
        throw error;
      }
      if (onConflict === 'fail' || attempt > MAX_OVERWRITES) {
        throw createConflictError(error, first, now, definition);
      }
      based = withVersion(now, omitVersion(definition));
    }
  }
}

/**
 * Sends a definition with its base version, and once more without it if the service refuses the body.
 * This is safe: a request whose body was refused has certainly changed nothing.
 */
async function putWithVersionOrWithout(
  run: Run,
  listId: string,
  based: Definition,
  definition: Definition,
  options: BodyOptions,
): Promise<SavedDefinition> {
  try {
    return await putDefinition(run, listId, toBody(based, options));
  } catch (error) {
    const ofContents = error instanceof UnprocessableError || error instanceof BadRequestError;
    if (!ofContents || based === definition) throw error;
    return await putDefinition(run, listId, toBody(definition, options));
  }
}

function toBody(
  definition: Definition,
  { wrapIn = '', additionalFields: more = {} }: BodyOptions,
): Definition {
  if (wrapIn !== '') return { [wrapIn]: definition, ...more };
  if (Object.keys(more).length === 0) return definition;
  return isRow(definition) ? { ...definition, ...more } : { definition, ...more };
}

async function putDefinition(run: Run, listId: string, body: Definition): Promise<SavedDefinition> {
  return await withCheckHint(
    'Check the definition with Definition: Get before you run this again.',
    async () =>
      await run.request({
        ...buildRequest(api.replaceDefinition, { list_id: listId }),
        body,
        repeatable: false,
        errorTexts: {
          ...errorTextsForList(listId),
          ...definitionErrorTexts,
          ...CHANGED_MEANWHILE_HINT,
        },
        read: ({ json }) => readDefinition(json),
      }),
  );
}

/** Adds the base version to a definition, unless it has one. */
function withVersion({ version }: SavedDefinition, definition: Definition): Definition {
  return version === undefined || !isRow(definition) || definition.version !== undefined
    ? definition
    : { version, ...definition };
}

/** Removes the version that a definition has when it was read from a list. */
export function omitVersion(definition: Definition): Definition {
  return isRow(definition) ? omitFields(definition, ['version']) : definition;
}

const STAMPS = ['version', 'registry_version'];

/** Returns whether a saved definition is the one that was sent, ignoring versions and added fields. */
function isSaved(saved: unknown, sent: Definition): boolean {
  if (!isRow(sent)) return isDeepStrictEqual(saved, sent);
  if (!isRow(saved)) return false;
  return Object.entries(sent).every(
    ([name, value]) => STAMPS.includes(name) || isDeepStrictEqual(saved[name], value),
  );
}

/** Adds to a conflict error the changes since the first read, or since the base version. */
function createConflictError(
  error: ConflictError,
  before: SavedDefinition,
  now: SavedDefinition,
  sent: Definition,
): ConflictError {
  const meanwhile = before.version !== now.version;
  const basis = meanwhile ? before.version : readVersion(sent);
  const { added, removed, text } = diffDefinitions(
    meanwhile ? before.definition : sent,
    now.definition,
  );
  const versions =
    basis === undefined || now.version === undefined
      ? ''
      : ` (version ${basis} is now ${now.version})`;
  return error.copyWith({
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
