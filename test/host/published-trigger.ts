import { setTimeout as sleep } from 'node:timers/promises';

import type { INode, INodeParameters } from 'n8n-workflow';

import { changeExample, outcomeOf } from './example';
import type { RealHost } from './harness';

/** An item as a trigger emitted it. */
export type Emitted = Readonly<Record<string, unknown>>;

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
    parameters: INodeParameters,
    credential?: { readonly id: string; readonly name: string },
  ): Promise<PublishedTrigger> {
    const isTrigger = ({ type }: INode) => type.endsWith('Trigger');
    const pollTimes = { item: [{ mode: 'everyMinute' }] };
    const credentials = credential && { companyIntelligenceUserApi: credential };
    const { id, versionId, nodes } = await changeExample(host, example, (node) =>
      isTrigger(node)
        ? {
            parameters: { ...node.parameters, pollTimes, ...parameters },
            ...(credentials === undefined ? {} : { credentials }),
          }
        : {},
    );
    const trigger = nodes.find(isTrigger);
    if (trigger === undefined) throw new Error(`"${example}" has no trigger.`);
    await host.rest.request('POST', `/rest/workflows/${id}/activate`, { versionId });
    return new PublishedTrigger(host, id, trigger.name);
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
      items.push(...outcomeOf(parseExecutionData(execution.data)).outputs(this.node));
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
