import { saysError } from '../client/error-body';
import { path } from '../client/call';
import { rowWith } from '../run/answers/row-anywhere';
import { acknowledged } from './lists/effects';
import type { Row } from '../run/answers/rows';
import type { Run } from '../run/run';

const FLAG_FIELDS = ['flag_id', 'company_id'];

/** The status alone says that it was done. */
const DONE = [201, 204];

/**
 * `POST /v1/companies/{identifier}/flags`: reports a fault in a company's data (interface: Data
 * flags). Free. It is sent again only when it surely was not processed.
 *
 * @param description up to 2,000 characters; undefined for none.
 * @returns the flag, or whatever the service says with a 201 or 204.
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
      DONE.includes(status) && !saysError(json)
        ? acknowledged(json, FLAG_FIELDS)
        : rowWith(json, FLAG_FIELDS),
  });
}
