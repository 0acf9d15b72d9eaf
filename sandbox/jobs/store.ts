import { type Choices, FIXED_CHOICES } from '../choices';
import type { Clock } from '../clock';
import type { World } from '../data/world';
import { isWellFormedDomain, normalizeDomain } from '../domains';
import type { Freshness } from './freshness';

/** A domain of a job. It is processing until `doneAt`, and has then succeeded or failed. */
interface JobDomain {
  readonly domain: string;
  /** Milliseconds of the service's clock. */
  readonly doneAt: number;
  /** Null if the domain will succeed. */
  readonly error: string | null;
}

/** A refresh job. Its state depends only on the time. */
export interface Job {
  readonly id: string;
  /** The key that started the job. Only this key can read the job. */
  readonly owner: string;
  readonly submittedAt: number;
  readonly domains: readonly JobDomain[];
}

/** One in this many tracked companies cannot be crawled. */
const UNREACHABLE_EVERY = 37;

/** Refresh jobs (States: new refresh job, job `running`). */
export class JobStore {
  private readonly jobs = new Map<string, Job>();

  constructor(
    private readonly world: World,
    private readonly clock: Clock,
    private readonly freshness: Freshness,
  ) {}

  /**
   * Starts a job.
   *
   * @param owner the key that the job belongs to
   * @param entries domains as sent; duplicates are crawled once
   */
  submit(owner: string, entries: readonly string[], choices: Choices): Job {
    const submittedAt = this.clock.now();
    const wanted = [...new Set(entries.map(normalizeDomain))];
    const { first, last } = choices.jobSeconds;
    const more = choices.jobSecondsMore * this.jobs.size;
    const lag = this.clock.compressed(FIXED_CHOICES.derivedLagSeconds * 1000);
    const domains = wanted.map((domain, index): JobDomain => {
      const share = wanted.length === 1 ? 0 : index / (wanted.length - 1);
      const seconds = first + (last - first) * share + more;
      const doneAt = submittedAt + this.clock.compressed(seconds * 1000);
      const error = this.errorOf(domain);
      const company = this.world.resolveDomain(domain);
      if (error === null && company !== null) {
        this.freshness.plan({
          companyId: company.id,
          detectedAt: doneAt,
          derivedAt: doneAt + lag,
        });
      }
      return { domain, doneAt, error };
    });
    const id = `job_${String(this.jobs.size + 1).padStart(6, '0')}`;
    const job = { id, owner, submittedAt, domains };
    this.jobs.set(id, job);
    return job;
  }

  /** Returns the caller's job. Returns null if the id is unknown or the job belongs to another key. */
  find(id: string, owner: string): Job | null {
    const job = this.jobs.get(id);
    return job?.owner === owner ? job : null;
  }

  private errorOf(domain: string): string | null {
    if (!isWellFormedDomain(domain)) return 'invalid_domain';
    const company = this.world.resolveDomain(domain);
    if (company === null) return 'not_tracked';
    return company.id % UNREACHABLE_EVERY === 0 ? 'crawl_timeout' : null;
  }
}

const FRESHNESS_NOTE =
  'Detection data is current. Technology lists and firmographics may take up to about an hour to reflect it.';

/** Returns the Refresh job object at a time (milliseconds), and whether the job is still running. */
export function jobView(job: Job, now: number) {
  const isDone = (one: JobDomain): boolean => one.doneAt <= now;
  const succeeded = job.domains.filter((one) => isDone(one) && one.error === null).length;
  const failed = job.domains.filter((one) => isDone(one) && one.error !== null).length;
  const processing = job.domains.length - succeeded - failed;
  const running = processing > 0;
  const final = failed === job.domains.length ? 'failed' : 'completed';
  return {
    running,
    body: {
      job_id: job.id,
      status: running ? 'running' : final,
      submitted_at: new Date(job.submittedAt).toISOString(),
      completed_at: running
        ? null
        : new Date(Math.max(...job.domains.map((one) => one.doneAt))).toISOString(),
      summary: { succeeded, failed, processing, total: job.domains.length },
      domains: job.domains.map((one) => ({
        domain: one.domain,
        status: !isDone(one) ? 'processing' : one.error === null ? 'succeeded' : 'failed',
        error: isDone(one) ? one.error : null,
      })),
      ...(succeeded > 0 ? { data_freshness: FRESHNESS_NOTE } : {}),
    },
  };
}
