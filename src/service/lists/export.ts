import type { StreamingResponse } from '../../client/client';
import {
  CancelledError,
  createInvalidResponseError,
  NOT_THE_SERVICE_HINT,
  ServiceError,
} from '../../client/errors';
import { decodePercent } from '../../values/text';
import { parseCount } from '../../values/json';
import { MAX_CREDITS_LABEL } from '../../run/run-guards';
import type { Run } from '../../run/run';
import { buildRequest } from '../endpoint';
import { api } from '../endpoints';
import { materialize } from './members';
import { errorTextsForList } from './error-texts';

export interface MembersFile {
  readonly fileName: string | undefined;
  /** As received. @throws {ServiceError} if the transfer breaks off. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Exports all members as CSV. The API spec does not show the cost (API spec: Credits), so each member counts as
 * 1 credit. With Max Credits, the members are counted first; without it, afterwards, because counting recomputes
 * them. Companies read in the last 30 days are free, so the request is retried after a failure.
 *
 * @param store Reads the file to its end.
 * @throws {NotAttemptedError} if the export can cost more than the run may spend.
 */
export async function exportMembers<T>(
  run: Run,
  listId: string,
  store: (file: MembersFile) => Promise<T>,
): Promise<T> {
  const send = async (): Promise<T> =>
    await store(
      await run.download({
        ...buildRequest(api.exportMembers, { list_id: listId }),
        repeatable: true,
        isSlow: true,
        accept: 'text/csv',
        errorTexts: errorTextsForList(listId),
        read: readExportResponse,
      }),
    );
  const { credits } = run;
  if (credits.limit === undefined) {
    const result = await credits.sendWithinBudget(1, send, () => 0);
    credits.settle(0, await tryCounting(run, listId));
    return result;
  }
  const members = await countMembers(run, listId);
  if (members === undefined) {
    throw createInvalidResponseError(
      'The service did not return the number of members, so the node cannot limit the credits',
      `To export anyway, set ${MAX_CREDITS_LABEL} to 0.`,
    );
  }
  return await credits.sendWithinBudget(members, send, () => members);
}

async function countMembers(run: Run, listId: string): Promise<number | undefined> {
  return parseCount((await materialize(run, listId)).total_count);
}

/** Warns if counting fails, because the file has arrived. */
async function tryCounting(run: Run, listId: string): Promise<number> {
  try {
    const members = await countMembers(run, listId);
    if (members !== undefined) return members;
  } catch (error) {
    if (!(error instanceof ServiceError) || error instanceof CancelledError) throw error;
  }
  run.warn(
    'The service did not return the number of members, so the cost of this run leaves out the export: up to 1 credit per member.',
  );
  return 0;
}

function readExportResponse(arriving: StreamingResponse): MembersFile {
  const { headers, start } = arriving;
  const type = headers['content-type'] ?? '';
  const nothing = start.length === 0 && !type.includes('csv');
  if (nothing || /html|json/.test(type)) {
    throw createInvalidResponseError(
      nothing ? 'The response is empty' : 'The response is not CSV',
      NOT_THE_SERVICE_HINT,
    );
  }
  return {
    fileName: readFileName(headers['content-disposition']),
    body: arriving.body,
  };
}

/**
 * Returns the file name of a Content-Disposition header (RFC 6266) without folders. Many frameworks send a name
 * with a space or an umlaut only as `filename*`.
 */
function readFileName(disposition = ''): string | undefined {
  const [, encoded] = /;\s*filename\*=utf-8'[^']*'([^;\s]+)/i.exec(disposition) ?? [];
  const [, quoted, plain = ''] =
    /;\s*filename=(?:"((?:\\"|[^"])*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const given =
    (encoded && decodePercent(encoded)) ??
    decodeUtf8Header(quoted?.replaceAll('\\"', '"') ?? plain);
  const name = given.split(/[/\\]/).at(-1)?.trim();
  return name === undefined || /^\.*$/.test(name) ? undefined : name;
}

/** Node reads headers as Latin-1, and text that is valid UTF-8 is hardly ever Latin-1. */
function decodeUtf8Header(header: string): string {
  const text = Buffer.from(header, 'latin1').toString();
  return text.includes('\ufffd') ? header : text;
}
