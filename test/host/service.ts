import type { RealHost } from './harness';

/** An answer of the service, or a row of one. */
export type Row = Readonly<Record<string, unknown>>;

interface SeenRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
}

interface DetailedReport {
  readonly charged: number;
  readonly created: { readonly jobs: number };
  readonly violations: readonly string[];
  readonly recent: readonly SeenRequest[];
}

const SOFTWARE = { field: 'industry', operator: 'equals', value: 'Software' };

/** The service beside a real n8n, used by a test without n8n: asked, changed and watched. */
export class Service {
  constructor(
    private readonly host: RealHost,
    private readonly key: keyof RealHost['keys'] = 'user',
  ) {}

  async ask(
    path: string,
    body?: unknown,
    method = body === undefined ? 'GET' : 'POST',
  ): Promise<Row> {
    const answer = await fetch(`${this.host.sandboxUrl}/v1/${path}`, {
      method,
      headers: { 'X-API-Key': this.host.keys[this.key], 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return (text === '' ? {} : JSON.parse(text)) as Row;
  }

  /** Makes a list of the software companies, or of what another filter lets in, and returns its id. */
  async createList(root: Row = SOFTWARE): Promise<string> {
    const { registry_version } = await this.ask('lists/filter-fields');
    const definition = { registry_version, root };
    const list = await this.ask('lists', { name: 'Companies to call', definition });
    return String(list['list_id']);
  }

  async members(listId: string): Promise<Array<Readonly<Record<string, string>>>> {
    const { members } = await this.ask(`lists/${listId}/members?limit=1000`);
    return members as Array<Record<string, string>>;
  }

  /** Changes how it behaves; sandbox/README.md lists the routes. */
  async control(method: string, path: string, body: unknown): Promise<void> {
    const { ok, status } = await fetch(`${this.host.sandboxUrl}/__control/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!ok) throw new Error(`The service refused ${method} ${path} with ${String(status)}`);
  }

  /** How long jobs take that are started from now on. */
  async jobsTakeSeconds(seconds: number, eachMore = 0): Promise<void> {
    const jobSeconds = { first: seconds, last: seconds };
    await this.control('PATCH', 'choices', { jobSeconds, jobSecondsMore: eachMore });
  }

  async startJob(): Promise<string> {
    const { job_id: id } = await this.ask('companies/refresh', { domains: ['unlisted.example'] });
    return String(id);
  }

  async domains(count: number): Promise<string[]> {
    const pages = Array.from({ length: Math.ceil(count / 100) }, async (_unused, index) => {
      const query = `limit=100&sort=name&page=${String(index + 1)}`;
      const { data } = await this.ask(`companies?${query}`);
      return (data as Row[]).map(({ primary_domain: domain }) => String(domain));
    });
    return (await Promise.all(pages)).flat().slice(0, count);
  }

  async report(): Promise<DetailedReport> {
    return (await this.host.report()) as unknown as DetailedReport;
  }

  /** When each job was asked about, by its path. */
  async polls(): Promise<Map<string, number[]>> {
    const moments = new Map<string, number[]>();
    for (const { at, method, path } of (await this.report()).recent) {
      if (method !== 'GET' || !path.startsWith('/v1/jobs/')) continue;
      const job = path.slice('/v1/jobs/'.length);
      moments.set(job, [...(moments.get(job) ?? []), at]);
    }
    return moments;
  }

  /** The shortest time between two questions about one job, in milliseconds. */
  async shortestPause(): Promise<number> {
    const pauses = [...(await this.polls()).values()].flatMap((times) =>
      times.slice(1).map((time, index) => time - (times[index] ?? 0)),
    );
    return Math.min(...pauses);
  }
}
