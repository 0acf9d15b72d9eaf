import { InvalidResponseError } from '../client/errors';
import { path } from '../client/path';
import { readRetryAfter, type Headers } from '../client/retry-after';
import { domainKey } from '../domains/domain-key';
import { InputError, sendableOf } from './inputs';
import { isRow, rowWith, type Row } from '../run/answers/rows';
import type { Run } from '../run/run';

const JOB_FIELDS = ['job_id', 'status', 'submitted_at', 'completed_at', 'summary', 'domains'];

/** A refresh job as the service described it. */
export interface JobView {
  /** Every field as it came (interface: Refresh job). */
  readonly row: Row;
  /** Nothing will change any more. */
  readonly finished: boolean;
  /** How long to wait before asking again; undefined when the service did not say. */
  readonly retryAfterMs: number | undefined;
}

/** What a job says about one of its domains. */
export interface DomainState {
  readonly status: string;
  readonly error: unknown;
  /** The domain has succeeded or failed, whether or not the whole job has finished. */
  readonly finished: boolean;
}

/**
 * `POST /v1/companies/refresh`: starts a fresh crawl of up to 100 domains. It is sent again only when
 * it surely was not processed. The interface states no charge for it.
 *
 * @param domains normalized and distinct.
 * @returns the answer, with `job_id` in it; where only the `Location` header names the job, from there.
 * @throws {UnknownOutcomeError} when a job may or may not have been started.
 */
export async function startRefresh(
  run: Run,
  domains: readonly string[],
): Promise<Row & { job_id: string }> {
  return await run.request({
    method: 'POST',
    path: path`/v1/companies/refresh`,
    body: { domains },
    repeatable: false,
    read: ({ json, headers }) => {
      const row = isRow(json) ? json : {};
      return { ...row, job_id: idOf(row.job_id) ?? idAtEndOf(headers) ?? noId() };
    },
  });
}

/**
 * `GET /v1/jobs/{job_id}`: where a refresh job stands. Free.
 *
 * @throws {NotFoundError} `job_not_found`: unknown, or started with another key.
 */
export async function getJob(run: Run, jobId: string): Promise<JobView> {
  return await run.request({
    method: 'GET',
    path: path`/v1/jobs/${jobId}`,
    repeatable: true,
    read: ({ json, headers }) => {
      const row = rowWith(json, JOB_FIELDS);
      const retryAfterMs = readRetryAfter(headers['retry-after'], Date.now());
      return { row, finished: isFinished(row, retryAfterMs !== undefined), retryAfterMs };
    },
  });
}

/**
 * The job id of a node's parameter.
 *
 * @throws {InputError} when there is none.
 */
export function jobIdOf(value: unknown): string {
  const id = idOf(value);
  if (id !== undefined) return sendableOf(id, 'Job ID');
  throw new InputError(
    'There is no job ID',
    'Give the job_id that Start Refresh returned, for example {{ $json.job_id }}.',
  );
}

/**
 * Whether a job is over (interface: States, refresh job). Words of states are not all shown, so
 * counts come first, then `completed_at`, then `Retry-After`, which is sent only while a job runs;
 * the two words that are shown decide where all of that is missing.
 *
 * @param askedToComeBack the answer carried `Retry-After`.
 */
export function isFinished(job: Row, askedToComeBack: boolean): boolean {
  const counts = isRow(job.summary) ? job.summary : {};
  const { processing, succeeded, failed, total } = counts;
  if (typeof processing === 'number') return processing === 0 && !(total === 0 && askedToComeBack);
  if (
    typeof succeeded === 'number' &&
    typeof failed === 'number' &&
    typeof total === 'number' &&
    total > 0
  ) {
    return succeeded + failed >= total;
  }
  if (typeof job.completed_at === 'string') return true;
  if (askedToComeBack) return false;
  return job.status === 'completed' || job.status === 'failed';
}

/** What a job says about each of its domains, by the form in which {@link domainKey} compares them. */
export function domainStates(job: Row, finished: boolean): Map<string, DomainState> {
  const entries = Array.isArray(job.domains) ? job.domains.filter(isRow) : [];
  return new Map(
    entries
      .filter((entry) => typeof entry.domain === 'string')
      .map((entry) => {
        const status = typeof entry.status === 'string' ? entry.status : 'unknown';
        const error = entry.error ?? null;
        const over = finished || error !== null || ['succeeded', 'failed'].includes(status);
        return [domainKey(String(entry.domain)), { status, error, finished: over }];
      }),
  );
}

function idOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

/** The job's own address ends with its id. */
function idAtEndOf(headers: Headers): string | undefined {
  const [, id] = /\/jobs\/([^/?#]+)/.exec(headers.location ?? '') ?? [];
  if (id === undefined) return undefined;
  try {
    return decodeURIComponent(id);
  } catch {
    // Not an id that the job could be asked for by.
    return undefined;
  }
}

function noId(): never {
  throw new InvalidResponseError({
    code: 'invalid_response',
    message: 'The answer names no job',
    hint: 'Check the Base URL in the credential; if it is right, the service has changed its answers.',
  });
}
