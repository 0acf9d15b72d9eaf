import { path } from '../client/path';
import { rowWith } from '../run/answers/rows-anywhere';
import type { Row } from '../run/answers/rows';
import type { Run } from '../run/run';

const FLAG_FIELDS = ['flag_id', 'company_id'];

/** The status alone says that something was made. */
const CREATED = 201;

/**
 * `POST /v1/companies/{identifier}/flags`: reports a fault in a company's data (interface: Data
 * flags). Free. It is sent again only when it surely was not processed.
 *
 * @param description up to 2,000 characters; undefined for none.
 * @returns the flag; nothing where the service says 201 and no more.
 * @throws {NotFoundError} `company_not_found`; no flag is created then.
 * @throws {UnknownOutcomeError} when the flag may or may not have been created.
 */
export async function createFlag(
  run: Run,
  identifier: string,
  description: string | undefined,
): Promise<Row> {
  return await run.request({
    method: 'POST',
    path: path`/v1/companies/${identifier}/flags`,
    body: description === undefined ? {} : { description },
    repeatable: false,
    read: ({ json, status }) =>
      status === CREATED && json === undefined ? {} : rowWith(json, FLAG_FIELDS),
  });
}
