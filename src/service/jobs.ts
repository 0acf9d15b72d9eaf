import { createInvalidResponseError } from '../client/errors';
import { readRetryAfter, type Headers } from '../client/retry';
import { decodePercent, isRow, type Row } from '../client/values';
import { domainKey } from '../input/hosts';
import { InputError, assertSendable } from '../input/inputs';
import { readRow } from '../client/response';
import type { Run } from '../run/run';
import { buildRequest } from './endpoint';
import { api } from './endpoints';

/** A refresh job as the service describes it. */
export interface JobView {
  /** Every field as received (API spec: Refresh job). */
  readonly row: Row;
  /** Whether the job is over, so that it will not change any more. */
  readonly finished: boolean;
  /** Milliseconds to wait before the next request; undefined if the service did not say. */
  readonly retryAfterMs: number | undefined;
}

/** The state of one domain of a job. */
export interface DomainState {
  readonly status: string;
  readonly error: unknown;
  /** Whether the domain has succeeded or failed, even if the whole job has not finished. */
  readonly finished: boolean;
}

/** A refresh job that was started. */
export interface StartedJob {
  readonly job_id: string;
  /** Milliseconds to wait before requesting the job; undefined if the service did not say. */
  readonly retryAfterMs: number | undefined;
}

/**
 * Starts a refresh of up to 100 domains with `POST /v1/companies/refresh`. The request is retried
 * only if it was certainly not processed. The API spec states no charge for it.
 *
 * @param domains the normalized, distinct domains.
 * @returns the job's `job_id`, from the body or else from the `Location` header.
 * @throws {InvalidResponseError} when the response contains no job id.
 * @throws {UnknownOutcomeError} when it is unknown whether a job was started.
 */
export async function startRefresh(run: Run, domains: readonly string[]): Promise<StartedJob> {
  return await run.request({
    ...buildRequest(api.refresh, {}),
    body: { domains },
    repeatable: false,
    read: ({ json, headers }) => ({
      job_id: readJobId(json) ?? readIdFromLocation(headers) ?? throwNoId(),
      retryAfterMs: readRetryAfter(headers['retry-after'], Date.now()),
    }),
  });
}

/**
 * Requests the state of a refresh job with `GET /v1/jobs/{job_id}`. Free.
 *
 * @throws {NotFoundError} `job_not_found`, when the job is unknown or was started with another key.
 */
export async function getJob(run: Run, jobId: string): Promise<JobView> {
  return await run.request({
    ...buildRequest(api.job, { job_id: jobId }),
    repeatable: true,
    canBePending: true,
    read: ({ json, headers }) => {
      const row = readRow(json);
      const retryAfterMs = readRetryAfter(headers['retry-after'], Date.now());
      return { row, finished: isFinished(row), retryAfterMs };
    },
  });
}

/**
 * Parses the job id of a node's parameter.
 *
 * @throws {InputError} when the value contains no job id.
 */
export function parseJobId(value: unknown): string {
  const id = toId(value);
  if (id !== undefined) return assertSendable(id, 'Job ID');
  throw new InputError(
    'The job ID is missing',
    'Enter the job_id that Start Refresh returned, for example {{ $json.job_id }}.',
  );
}

/** Statuses of a job, or of a domain of one, that is over (API spec: States, refresh job). */
const FINISHED_STATUSES = ['completed', 'succeeded', 'failed'];

/** Returns whether a job is over: by its status, or by `completed_at` if the spec does not show the status. */
function isFinished({ status, completed_at: completedAt }: Row): boolean {
  if (status === 'running') return false;
  return FINISHED_STATUSES.includes(String(status)) || Boolean(completedAt);
}

/** Returns the state of each domain of a job, keyed by {@link domainKey}. */
export function readDomainStates(job: Row, finished: boolean): Map<string, DomainState> {
  const entries = Array.isArray(job.domains) ? job.domains.filter(isRow) : [];
  return new Map(
    entries.flatMap((entry): Array<[string, DomainState]> => {
      if (typeof entry.domain !== 'string') return [];
      const status = typeof entry.status === 'string' ? entry.status : 'unknown';
      const error = entry.error ?? null;
      const isOver = finished || error !== null || FINISHED_STATUSES.includes(status);
      return [[domainKey(entry.domain), { status, error, finished: isOver }]];
    }),
  );
}

function toId(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

function readJobId(json: unknown): string | undefined {
  return isRow(json) ? toId(json.job_id) : undefined;
}

/** Reads the job id from the job's URL in the `Location` header; undefined if there is none. */
function readIdFromLocation(headers: Headers): string | undefined {
  const [, id] = /(?:^|\/)jobs\/([^/?#]+)/.exec(headers.location ?? '') ?? [];
  return id === undefined ? undefined : decodePercent(id);
}

function throwNoId(): never {
  throw createInvalidResponseError('The response contains no job ID');
}
