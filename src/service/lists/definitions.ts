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

/** A filter tree as it is sent; how services write trees is not shown, a few write lists. */
export type Definition = Row | readonly unknown[];

/** A list's definition as the service has it. */
export interface SavedDefinition {
  /** The tree with what is stamped into it, as it came; null where a list has none. */
  readonly definition: unknown;
  /** What is beside it. */
  readonly beside: Row;
  /** Its version, when the service says so (interface: Versioning, rule 2). */
  readonly version: Version;
}

/** Fields by which a definition is found in an answer. */
const DEFINITION_FIELDS = ['definition', 'registry_version', 'version'];

/**
 * `GET /v1/lists/{list_id}/definition`: the active definition (interface: Lists). Free. What it looks
 * like is not shown: it is kept as it came.
 *
 * @throws {NotFoundError} when there is no such list, or the caller may not see it.
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

/** A tree may look like anything, but for one of the interface's errors. */
function refuseError(text: string): void {
  const { code = '', message = code } = readErrorBody(text);
  if (!isInterfaceCode(code)) return;
  throw invalidResponse(`The answer is no definition (the service says: ${message})`);
}

/** Reads a definition that is alone, or under `definition` with other fields beside it. */
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

/** A preview, as the service gives it and as people read it. */
export interface PreviewCount extends Row {
  /** `1,234`, or `10,000+` when there are at least that many. */
  readonly count_text: string;
}

/** How a definition goes into a body, which the interface does not show. */
export interface BodyForm {
  /** The field that holds the definition; empty when the definition is the body. */
  readonly wrapIn?: string;
  /** Merged into the body. */
  readonly more?: Row;
}

/**
 * `POST /v1/lists/preview-count`: how many companies a definition lets through (interface: Lists,
 * rule 1). Free; touches no saved list, so it may be sent again.
 *
 * @param definition without the version that one has which was read: it is none of a saved list.
 * @throws {UnprocessableError} for a malformed or unbounded definition.
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
  throw invalidResponse('The answer has no count');
}

/** What happens when somebody else changes the definition meanwhile. */
export type OnConflict = 'fail' | 'overwrite';

/** Somebody who saves again and again must not keep a run busy for ever. */
const MOST_OVERWRITES = 5;

/**
 * `PUT /v1/lists/{list_id}/definition`: replaces the definition (interface: Lists, rules 2 and 3).
 * Free. The version it is based on is sent along where the service shows one, so that a change by
 * somebody else is noticed. How it is to be sent is not shown: a service that refuses the body is asked
 * once more without it.
 *
 * Each success appends a version, so that it is not sent again when the answer is lost; the
 * definition is read instead, to see whether it was replaced.
 *
 * @param definition stamped; one with a `version` of its own is based on that one.
 * @returns the definition that is active now.
 * @throws {ConflictError} that says what was changed, when it was changed meanwhile.
 * @throws {UnprocessableError} for a malformed or unbounded definition.
 * @throws {NotFoundError} when there is no such list, or the caller may not see it.
 * @throws {UnknownOutcomeError} when the list still has another definition after an answer was lost.
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
      // It was replaced, but the answer is about something else than the definition.
      return await getDefinition(run, listId).catch(() => saved);
    } catch (error) {
      const unclear = error instanceof UnknownOutcomeError;
      if (!unclear && !(error instanceof ConflictError)) throw error;
      // What went wrong first is said, whatever goes wrong with looking at it.
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
 * Puts a definition that says its version, or as it was given where the service refuses that: a
 * refusal of its contents is surely about nothing that was done.
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
    'Look at the definition with Get of the Definition resource before you run this again.',
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

/** The definition, saying on which version it is based unless it says so itself. */
function basedOn({ version }: SavedDefinition, definition: Definition): Definition {
  return version === undefined || !isRow(definition) || definition.version !== undefined
    ? definition
    : { version, ...definition };
}

/** The definition alone, which was perhaps read of a list. */
export function withoutVersion(definition: Definition): Definition {
  return isRow(definition) ? without(definition, ['version']) : definition;
}

const STAMPS = ['version', 'registry_version'];

/** Whether a definition is the one that was sent. Stamps, and fields that were added, do not count. */
function holds(saved: unknown, sent: Definition): boolean {
  if (!isRow(sent)) return isDeepStrictEqual(saved, sent);
  if (!isRow(saved)) return false;
  return Object.entries(sent).every(
    ([name, value]) => STAMPS.includes(name) || isDeepStrictEqual(saved[name], value),
  );
}

/** The refusal, with what was changed: since the first reading, or since the version it is based on. */
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
    message: `Somebody else changed the definition of this list in the meantime${versions}. ${
      meanwhile ? 'Changes' : 'Differences from what was to be saved'
    }: ${text}`,
    hint: 'Nothing was replaced. Look at the definition as it is now and run this again, or choose Overwrite under On Conflict.',
    details: {
      ...error.details,
      ...(basis === undefined ? {} : { version_before: basis }),
      ...(now.version === undefined ? {} : { version_now: now.version }),
      conditions_added: added,
      conditions_removed: removed,
    },
  });
}
