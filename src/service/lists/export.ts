import type { ApiResponse } from '../../client/client';
import {
  createInvalidResponseError,
  InvalidResponseError,
  NOT_THE_SERVICE_HINT,
} from '../../client/errors';
import { decodePercent } from '../../values/text';
import { parseCount } from '../../values/json';
import { MAX_CREDITS_LABEL } from '../../run/run-guards';
import type { Run } from '../../run/run';
import { buildRequest } from '../endpoint';
import { api } from '../endpoints';
import { materialize } from './members';

interface MembersFile {
  readonly fileName: string | undefined;
  readonly bytes: Buffer;
}

/**
 * The API spec does not show the cost of an export (API spec: Credits), so each line after the first counts as 1
 * credit. With Max Credits, the members are counted first.
 */
export async function exportMembers(run: Run, listId: string): Promise<MembersFile> {
  const send = async () =>
    await run.request({
      ...buildRequest(api.exportMembers, { list_id: listId }),
      repeatable: true,
      isSlow: true,
      fileType: 'text/csv',
      read: readFile,
    });
  const { credits } = run;
  const members = credits.limit === undefined ? 1 : await countMembers(run, listId);
  try {
    return await credits.sendWithinBudget(members, send, ({ bytes }) => countRows(bytes), {
      action: 'exported',
      hasOpenPrice: credits.limit === undefined,
    });
  } catch (error) {
    const isTooLarge = error instanceof InvalidResponseError && error.code === 'response_too_large';
    throw isTooLarge ? error.copyWith({ hint: TOO_LARGE_HINT }) : error;
  }
}

const TOO_LARGE_HINT =
  'Use Get Many Members with Format: CSV File, which writes the file page by page.';

async function countMembers(run: Run, listId: string): Promise<number> {
  const members = parseCount((await materialize(run, listId)).total_count);
  if (members !== undefined) return members;
  throw createInvalidResponseError(
    'The service did not return the number of members, so the node cannot limit the credits',
    `To export anyway, set ${MAX_CREDITS_LABEL} to 0.`,
  );
}

function countRows(bytes: Buffer): number {
  let rows = 0;
  const end = bytes.length - 1;
  for (let at = bytes.indexOf('\n'); at >= 0 && at < end; at = bytes.indexOf('\n', at + 1))
    rows += 1;
  return rows;
}

/** The beginning of a page, JSON or XML. */
const NOT_CSV = /^\s*(?:<!doctype|<html|<\?xml|[[{]|null\s*$)/i;

function readFile({ headers, bytes, text }: ApiResponse): MembersFile {
  const type = headers['content-type'] ?? '';
  const isEmpty = bytes.length === 0 && !type.includes('csv');
  if (isEmpty || /html|json/.test(type) || NOT_CSV.test(text)) {
    throw createInvalidResponseError(
      isEmpty ? 'The response is empty' : 'The response is not CSV',
      NOT_THE_SERVICE_HINT,
      type.includes('html') || text.trimStart().startsWith('<'),
    );
  }
  return { fileName: readFileName(headers['content-disposition']), bytes };
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
