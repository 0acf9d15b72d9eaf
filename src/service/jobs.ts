import { createInvalidResponseError } from '../client/errors';
import { readRetryAfter, type Headers } from '../client/retry';
import { decodePercent } from '../client/values';
import { domainKey } from '../input/hosts';
import { InputError, assertSendable } from '../input/inputs';
import {
  parseCount,
  findObject,
  isRow,
  readRowWithAnyField,
  type Row,
} from '../run/responses/rows';
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
 * Starts a new crawl of up to 100 domains with `POST /v1/companies/refresh`. The request is retried
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
      const row = readJob(json);
      const retryAfterMs = readRetryAfter(headers['retry-after'], Date.now());
      return { row, finished: isFinished(row, retryAfterMs !== undefined), retryAfterMs };
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

/** Fields that only a job has; a `status` can also belong to an envelope. */
const JOB_FIELDS = ['job_id', 'summary', 'submitted_at', 'completed_at', 'domains'];

/** Finds the job in a response, whatever envelope it has. */
function readJob(json: unknown): Row {
  const job = findObject(json, JOB_FIELDS);
  return JOB_FIELDS.some((name) => job[name] !== undefined)
    ? job
    : readRowWithAnyField(json, ['status']);
}

const FINISHED_STATUSES = ['completed', 'succeeded', 'failed'];
const RUNNING_STATUSES = ['running', 'processing'];

function normalizeStatus(status: unknown): string {
  return typeof status === 'string' ? status.trim().toLowerCase() : '';
}

/**
 * Returns whether a job is over (API spec: States, refresh job), by its documented status,
 * `completed_at`, and `Retry-After`, which the service sends only while a job runs. If these are
 * missing or contradict each other, the counts decide.
 *
 * @param askedToComeBack whether the response had a `Retry-After` header.
 */
export function isFinished(job: Row, askedToComeBack: boolean): boolean {
  const word = normalizeStatus(job.status);
  const isDated = Boolean(job.completed_at);
  if (RUNNING_STATUSES.includes(word)) {
    return !askedToComeBack && (isDated || isAllCounted(job.summary, true) === true);
  }
  if (isDated) return true;
  const counted = isAllCounted(job.summary, askedToComeBack);
  return counted ?? (!askedToComeBack && FINISHED_STATUSES.includes(word));
}

/** Returns whether the counts show that no domain remains; undefined if they do not show it. */
function isAllCounted(summary: unknown, askedToComeBack: boolean): boolean | undefined {
  const counts = isRow(summary) ? summary : {};
  const [processing, succeeded, failed, total] = [
    counts.processing,
    counts.succeeded,
    counts.failed,
    counts.total,
  ].map((count) => parseCount(count));
  if (processing !== undefined && processing > 0) return false;
  const areKnown = succeeded !== undefined && failed !== undefined && total !== undefined;
  if (areKnown && total > 0 && succeeded + failed >= total) return true;
  // The service has not started to process, perhaps.
  if (processing !== undefined && askedToComeBack) return false;
  return processing === 0 && total === 0 ? true : undefined;
}

/** Returns the state of each domain of a job, keyed by {@link domainKey}. */
export function readDomainStates(job: Row, finished: boolean): Map<string, DomainState> {
  const entries = Array.isArray(job.domains) ? job.domains.filter(isRow) : [];
  return new Map(
    entries.flatMap((entry): Array<[string, DomainState]> => {
      if (typeof entry.domain !== 'string') return [];
      const status = typeof entry.status === 'string' ? entry.status : 'unknown';
      const error = entry.error ?? null;
      const isOver =
        finished || error !== null || FINISHED_STATUSES.includes(normalizeStatus(status));
      return [[domainKey(entry.domain), { status, error, finished: isOver }]];
    }),
  );
}

function toId(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

function readJobId(json: unknown): string | undefined {
  return isRow(json) ? toId(findObject(json, ['job_id']).job_id) : undefined;
}

/** Reads the job id from the job's URL in the `Location` header; undefined if there is none. */
function readIdFromLocation(headers: Headers): string | undefined {
  const [, id] = /(?:^|\/)jobs\/([^/?#]+)/.exec(headers.location ?? '') ?? [];
  return id === undefined ? undefined : decodePercent(id);
}

function throwNoId(): never {
  throw createInvalidResponseError('The response contains no job id');
}
