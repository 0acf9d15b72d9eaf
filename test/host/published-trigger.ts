import { setTimeout as sleep } from 'node:timers/promises';

import type { INode, INodeParameters } from 'n8n-workflow';

import { changeExample, outcomeOf } from './example';
import type { RealHost } from './harness';
import { dataOf, executionsOf, publish } from './workflows';

export type Emitted = Readonly<Record<string, unknown>>;

/** An example that begins with a trigger, published as a user would publish it. */
export class PublishedTrigger {
  private constructor(
    private readonly host: RealHost,
    readonly workflowId: string,
    readonly node: string,
  ) {}

  /**
   * Sets the parameters of an imported example's trigger and publishes the workflow. n8n polls
   * immediately, and then every minute.
   */
  static async publish(
    host: RealHost,
    example: string,
    parameters: INodeParameters,
    credential?: { readonly id: string; readonly name: string },
  ): Promise<PublishedTrigger> {
    const isTrigger = ({ type }: INode) => type.endsWith('Trigger');
    const often = {
      pollTimes: { item: [{ mode: 'everyMinute' }] },
      options: { minMinutesBetweenReads: 0 },
    };
    const credentials = credential && { credentials: { companyIntelligenceUserApi: credential } };
    const { id, versionId, nodes } = await changeExample(host, example, (node) =>
      isTrigger(node)
        ? { parameters: { ...node.parameters, ...often, ...parameters }, ...credentials }
        : {},
    );
    const trigger = nodes.find(isTrigger);
    if (trigger === undefined) throw new Error(`"${example}" has no trigger.`);
    await publish(host, { id, versionId });
    return new PublishedTrigger(host, id, trigger.name);
  }

  /** Returns all items emitted so far, oldest first, from executions in any state. */
  async emitted(): Promise<Emitted[]> {
    const items: Emitted[] = [];
    for (const { id } of (await executionsOf(this.host, this.workflowId)).reverse()) {
      const data = await dataOf(this.host, id);
      if (data !== undefined) items.push(...outcomeOf(data).outputs(this.node));
    }
    return items;
  }

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
