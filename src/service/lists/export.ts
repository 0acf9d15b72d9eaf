import type { Arriving } from '../../client/client';
import { invalidResponse, SOMETHING_ELSE_ANSWERED } from '../../client/errors';
import { percentDecoded } from '../../client/values';
import { countOf } from '../../run/answers/rows';
import type { CreditGuard } from '../../run/credit-guard';
import type { Run } from '../../run/run';
import { requestOf } from '../endpoint';
import { api } from '../endpoints';
import { materialize } from './members';
import { wordsOfList } from './words';

/** A list as the service exports it. */
export interface MembersFile {
  /** As the service names it. */
  readonly fileName: string | undefined;
  /**
   * CSV as the service sends it.
   *
   * @throws {ServiceError} when it breaks off.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * `GET /v1/lists/{list_id}/export.csv`: all members as CSV. Credit-charged; how much is not shown
 * (interface: Credits), so that with Max Credits the members are counted first and each counts as
 * 1; without, each line does. Companies read in the last 30 days are free, hence it is sent again after a failure.
 *
 * @throws {NotFoundError} for a list that is unknown or that the user may not see.
 * @throws {NotAttemptedError} when the export may cost more than the run may spend.
 */
export async function exportMembers(run: Run, listId: string): Promise<MembersFile> {
  const send = async (): Promise<MembersFile> =>
    await run.download({
      ...requestOf(api.exportMembers, { list_id: listId }),
      repeatable: true,
      accept: 'text/csv',
      words: wordsOfList(listId),
      read: readCsvHead,
    });
  if (run.credits.limit === undefined) {
    const file = await send();
    return { ...file, body: meteredCsv(file.body, run.credits) };
  }
  const members = await creditsOfExport(run, listId);
  return await run.credits.spend(members, send, () => members);
}

/**
 * Credits that {@link exportMembers} may cost: the members, counted anew.
 *
 * @throws {InvalidResponseError} when the service does not say how many there are.
 */
export async function creditsOfExport(run: Run, listId: string): Promise<number> {
  const { total_count: total } = await materialize(run, listId);
  const members = countOf(total);
  if (members !== undefined) return members;
  throw invalidResponse(
    'The service did not say how many members the list has, so that Max Credits cannot be kept',
    'Remove Max Credits from the options to export all the same.',
  );
}

/** What is where CSV should be, by how it begins. */
const NOT_CSV = /^\s*(?:<!doctype|<html|<\?xml|[[{]|null\s*$)/i;

function readCsvHead(arriving: Arriving): MembersFile {
  const { headers, start } = arriving;
  const type = headers['content-type'] ?? '';
  const nothing = start.length === 0 && !type.includes('csv');
  if (nothing || /html|json/.test(type) || NOT_CSV.test(Buffer.from(start).toString('utf8'))) {
    throw invalidResponse(
      nothing ? 'The answer is empty' : 'The answer is not CSV',
      SOMETHING_ELSE_ANSWERED,
    );
  }
  return {
    fileName: fileNameIn(headers['content-disposition']),
    body: arriving.body,
  };
}

/**
 * The name of a Content-Disposition header (RFC 6266), without any folder. Many
 * frameworks give a name with a space or an umlaut as `filename*` alone.
 */
function fileNameIn(disposition = ''): string | undefined {
  const [, encoded] = /;\s*filename\*=utf-8'[^']*'([^;\s]+)/i.exec(disposition) ?? [];
  const [, quoted, plain = ''] =
    /;\s*filename=(?:"((?:\\"|[^"])*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const given =
    (encoded && percentDecoded(encoded)) ?? utf8Of(quoted?.replaceAll('\\"', '"') ?? plain);
  const name = given.split(/[/\\]/).at(-1)?.trim();
  return name === undefined || /^\.*$/.test(name) ? undefined : name;
}

/** Node reads headers as Latin-1; what is UTF-8 in them is hardly ever anything else. */
function utf8Of(header: string): string {
  const text = Buffer.from(header, 'latin1').toString();
  return text.includes('\ufffd') ? header : text;
}

/**
 * Passes an export on and counts 1 credit for each of its lines behind the first, at most: a company
 * has one line, or more where a cell holds line breaks. An export that breaks off may have been charged
 * as a whole.
 *
 * @throws whatever the body throws.
 */
async function* meteredCsv(
  body: AsyncIterable<Uint8Array>,
  credits: CreditGuard,
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
    credits.fail(counted, error);
    throw error;
  }
  credits.settle(0, lines());
}
