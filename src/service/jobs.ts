import { createInvalidResponseError } from '../client/errors';
import { readRetryAfter, type Headers } from '../client/retry';
import { decodePercent, hasLoneSurrogate } from '../values/text';
import { isJsonObject, type Row } from '../values/json';
import { domainKey } from '../input/hosts';
import { InputError, assertSendable } from '../input/inputs';
import type { Run } from '../run/run';
import { buildRequest } from './endpoint';
import { api } from './endpoints';
import { readRow } from '../run/responses/rows';

interface JobView {
  readonly row: Row;
  readonly finished: boolean;
  /** Undefined if the service did not say. */
  readonly retryAfterMs: number | undefined;
}

export interface DomainState {
  readonly status: string;
  readonly error: unknown;
  readonly finished: boolean;
}

interface StartedJob {
  readonly job_id: string;
  readonly retryAfterMs: number | undefined;
}

/** Starts a refresh of normalized, distinct domains. `job_id` is in the body or the `Location` header. */
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

export function parseJobId(value: unknown): string {
  const id = toId(value);
  if (id !== undefined) return assertSendable(id, 'Job ID');
  throw new InputError(
    'The job ID is missing',
    'Enter the job_id that Start Refresh returned, for example {{ $json.job_id }}.',
  );
}

const FINISHED_STATUSES = ['completed', 'succeeded', 'failed'];

/** By its status, or by `completed_at` if the spec does not show the status. */
function isFinished({ status, completed_at: completedAt }: Row): boolean {
  if (status === 'running') return false;
  return FINISHED_STATUSES.includes(String(status)) || Boolean(completedAt);
}

/** Keyed by {@link domainKey}. */
export function readDomainStates(job: Row, finished: boolean): Map<string, DomainState> {
  const entries = Array.isArray(job.domains) ? job.domains.filter(isJsonObject) : [];
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

/** Undefined also for an id with half a character, which cannot be part of a request path. */
function readJobId(json: unknown): string | undefined {
  const id = isJsonObject(json) ? toId(json.job_id) : undefined;
  return id !== undefined && hasLoneSurrogate(id) ? undefined : id;
}

function readIdFromLocation(headers: Headers): string | undefined {
  const [, id] = /(?:^|\/)jobs\/([^/?#]+)/.exec(headers.location ?? '') ?? [];
  return id === undefined ? undefined : decodePercent(id);
}

function throwNoId(): never {
  throw createInvalidResponseError('The response contains no job ID');
}
