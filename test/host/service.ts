import type { RealHost } from './harness';

export type Row = Readonly<Record<string, unknown>>;

const SOFTWARE = { field: 'industry', operator: 'equals', value: 'Software' };

/** The sandbox next to a real n8n, used without n8n. */
export class Service {
  constructor(
    private readonly host: RealHost,
    private readonly key: keyof RealHost['keys'] = 'user',
  ) {}

  async ask(path: string, body?: unknown): Promise<Row> {
    return (await this.send(body === undefined ? 'GET' : 'POST', `v1/${path}`, body)) as Row;
  }

  /** Changes the sandbox's behavior; sandbox/README.md lists the routes. */
  async control(method: string, path: string, body?: unknown): Promise<unknown> {
    return await this.send(method, `__control/${path}`, body);
  }

  private async send(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`${this.host.sandboxUrl}/${path}`, {
      method,
      headers: { 'X-API-Key': this.host.keys[this.key], 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The service refused ${method} ${path}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  async createManualList(name: string, domains: readonly string[] = []): Promise<string> {
    const id = String((await this.ask('lists', { name }))['list_id']);
    if (domains.length > 0) await this.ask(`lists/${id}/domains`, { domains });
    return id;
  }

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

  async jobsTakeSeconds(seconds: number): Promise<void> {
    await this.control('PATCH', 'choices', { jobSeconds: { first: seconds, last: seconds } });
  }

  async startJob(): Promise<string> {
    const { job_id: id } = await this.ask('companies/refresh', { domains: ['unlisted.example'] });
    return String(id);
  }

  /** Reads page after page: a busy machine can't open a thousand connections at once. */
  async domains(count: number): Promise<string[]> {
    const domains: string[] = [];
    for (let page = 1; domains.length < count; page += 1) {
      const { data } = await this.ask(`companies?limit=100&sort=name&page=${String(page)}`);
      const rows = data as Row[];
      if (rows.length === 0) throw new Error(`The service has only ${domains.length} companies.`);
      domains.push(...rows.map(({ primary_domain: domain }) => String(domain)));
    }
    return domains.slice(0, count);
  }

  async polls(): Promise<Map<string, number[]>> {
    const moments = new Map<string, number[]>();
    for (const { at, method, path } of (await this.host.report()).recent) {
      if (method !== 'GET' || !path.startsWith('/v1/jobs/')) continue;
      const job = path.slice('/v1/jobs/'.length);
      moments.set(job, [...(moments.get(job) ?? []), at]);
    }
    return moments;
  }

  async shortestPause(): Promise<number> {
    const pauses = [...(await this.polls()).values()].flatMap((times) =>
      times.slice(1).map((time, index) => time - (times[index] ?? 0)),
    );
    return Math.min(...pauses);
  }
}
