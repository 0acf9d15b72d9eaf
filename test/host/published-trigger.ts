import { setTimeout as sleep } from 'node:timers/promises';

import type { RealHost } from './harness';

/** An item as a trigger emitted it. */
export type Emitted = Readonly<Record<string, unknown>>;

interface Workflow {
  readonly id: string;
  readonly versionId: string;
  readonly nodes: Array<{
    readonly name: string;
    readonly type: string;
    parameters: Record<string, unknown>;
    credentials?: unknown;
  }>;
}

/** An example that begins with a trigger, published as a user would. */
export class PublishedTrigger {
  private constructor(
    private readonly host: RealHost,
    readonly workflowId: string,
    /** Its name. */
    readonly node: string,
  ) {}

  /**
   * Fills the trigger of an imported example in and publishes it; n8n polls at once, and from then on
   * every minute.
   */
  static async publish(
    host: RealHost,
    example: string,
    parameters: Readonly<Record<string, unknown>>,
    credential?: { readonly id: string; readonly name: string },
  ): Promise<PublishedTrigger> {
    const { rest } = host;
    const filter = encodeURIComponent(JSON.stringify({ query: example }));
    const [found] = (await rest.request('GET', `/rest/workflows?filter=${filter}`)) as Workflow[];
    const place = `/rest/workflows/${found?.id ?? ''}`;
    const whole = (await rest.request('GET', place)) as Workflow;
    const trigger = whole.nodes.find(({ type }) => type.endsWith('Trigger'));
    if (trigger === undefined) throw new Error(`"${example}" has no trigger.`);
    trigger.parameters = {
      ...trigger.parameters,
      pollTimes: { item: [{ mode: 'everyMinute' }] },
      ...parameters,
    };
    if (credential !== undefined) {
      trigger.credentials = { companyIntelligenceUserApi: credential };
    }
    const saved = (await rest.request('PATCH', `${place}?forceSave=true`, whole)) as Workflow;
    await rest.request('POST', `${place}/activate`, { versionId: saved.versionId });
    return new PublishedTrigger(host, whole.id, trigger.name);
  }

  /** All that was emitted so far, the oldest first; in executions of any state. */
  async emitted(): Promise<Emitted[]> {
    const { parseExecutionData } = await import('../../scripts/lib/execution-data.mjs');
    const filter = encodeURIComponent(JSON.stringify({ workflowId: this.workflowId }));
    const { results } = (await this.host.rest.request(
      'GET',
      `/rest/executions?filter=${filter}&limit=100`,
    )) as { results: Array<{ id: string }> };
    const items: Emitted[] = [];
    for (const { id } of results.reverse()) {
      const execution = (await this.host.rest.request('GET', `/rest/executions/${id}`)) as
        { data: string } | undefined;
      // n8n removes those that read a data table as soon as they are over.
      if (execution === undefined) continue;
      const { resultData } = parseExecutionData(execution.data) as {
        resultData: {
          runData: Record<string, Array<{ data?: { main: Array<Array<{ json: Emitted }>> } }>>;
        };
      };
      const runs = resultData.runData[this.node] ?? [];
      items.push(...runs.flatMap((run) => run.data?.main[0] ?? []).map(({ json }) => json));
    }
    return items;
  }

  /** Waits until so many items were emitted in all. */
  async until(count: number, timeoutMs = 600_000): Promise<Emitted[]> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const items = await this.emitted();
      if (items.length >= count) return items;
      if (Date.now() > deadline) {
        throw new Error(`${String(items.length)} items of ${this.node}, not ${String(count)}`);
      }
      await sleep(500);
    }
  }
}
