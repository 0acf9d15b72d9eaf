import type { StreamingResponse } from '../../client/client';
import { createInvalidResponseError, NOT_THE_SERVICE_HINT } from '../../client/errors';
import { decodePercent, parseCount } from '../../client/values';
import { MAX_CREDITS_LABEL, type CreditBudget } from '../../run/run-guards';
import type { Run } from '../../run/run';
import { buildRequest } from '../endpoint';
import { api } from '../endpoints';
import { materialize } from './members';
import { errorTextsForList } from './error-texts';

/** The exported file of a list. */
export interface MembersFile {
  /** The file name from the service; undefined if there is none. */
  readonly fileName: string | undefined;
  /** The charset that its byte order mark or the service names; UTF-8 if none. */
  readonly charset: string;
  /**
   * The CSV as received.
   *
   * @throws {ServiceError} when the transfer breaks off.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Exports all members as CSV with `GET /v1/lists/{list_id}/export.csv`. It costs credits, but the API
 * spec does not show how many (API spec: Credits). With Max Credits, the members are therefore counted
 * first, and each counts as 1 credit; without it, each line does. Companies read in the last 30 days are
 * free, so the request is retried after a failure.
 *
 * @throws {NotFoundError} when the list does not exist or the user may not see it.
 * @throws {NotAttemptedError} when the export can cost more than the run may spend.
 */
export async function exportMembers(run: Run, listId: string): Promise<MembersFile> {
  const send = async (): Promise<MembersFile> =>
    await run.download({
      ...buildRequest(api.exportMembers, { list_id: listId }),
      repeatable: true,
      isSlow: true,
      accept: 'text/csv',
      errorTexts: errorTextsForList(listId),
      read: readExportResponse,
    });
  if (run.credits.limit === undefined) {
    const file = await send();
    return { ...file, body: meterCsv(file.body, run.credits) };
  }
  const { total_count: total } = await materialize(run, listId);
  const members = parseCount(total);
  if (members === undefined) {
    throw createInvalidResponseError(
      'The service did not return the number of members, so the node cannot limit the credits',
      `To export anyway, set ${MAX_CREDITS_LABEL} to 0.`,
    );
  }
  return await run.credits.sendWithinBudget(members, send, () => members);
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
    charset: detectCharset(start, type),
    body: arriving.body,
  };
}

function detectCharset([first, second]: Uint8Array, contentType: string): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return /charset="?([^\s;"]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
}

/**
 * Returns the file name of a Content-Disposition header (RFC 6266) without folders; undefined if there
 * is none. Many frameworks send a name with a space or an umlaut only as `filename*`.
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

/**
 * Decodes UTF-8 in a header. Node reads headers as Latin-1, and text that is valid UTF-8 is hardly
 * ever Latin-1.
 */
function decodeUtf8Header(header: string): string {
  const text = Buffer.from(header, 'latin1').toString();
  return text.includes('\ufffd') ? header : text;
}

/**
 * Passes an export through and counts 1 credit for each line after the first. This is an upper limit: a
 * company has one line, or more if a cell contains line breaks. If the transfer breaks off, the whole
 * export may have been charged.
 *
 * @throws anything that the body throws.
 */
async function* meterCsv(
  body: AsyncIterable<Uint8Array>,
  credits: CreditBudget,
): AsyncGenerator<Uint8Array, undefined> {
  let returns = 0;
  let newlines = 0;
  let last: number | undefined;
  const lines = () => {
    const ended = last === undefined || last === 0x0a || last === 0x0d;
    return Math.max(0, Math.max(returns, newlines) + (ended ? 0 : 1) - 1);
  };
  try {
    for await (const chunk of body) {
      for (const byte of chunk) {
        if (byte === 0x0a) newlines += 1;
        else if (byte === 0x0d) returns += 1;
      }
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
  } catch (error) {
    const counted = Math.max(1, lines());
    credits.reserve(counted);
    credits.settleFailed(counted, error);
    throw error;
  }
  credits.settle(0, lines());
}
