import { setTimeout as sleep } from 'node:timers/promises';

import { ChangingService } from '../engine/shared/changing-service';
import { outcomeOf } from './example';
import type { RealHost } from './harness';
import { dataOf, executionsOf, nodeOf, publishNew, to } from './workflows';

/** More companies than fit into the request of a single lead, so that Bulk Enrich sends batches. */
const ACCOUNTS = Array.from({ length: 60 }, (_one, index) => `company-${String(index)}.com`);

/**
 * A published workflow `Account Changes Trigger → Bulk Enrich` that polls every minute. The data
 * of its service changes for all accounts at the same time.
 */
export class WatchedAccounts {
  private readonly keys = ['first'];
  private workflowId = '';

  private constructor(
    private readonly host: RealHost,
    readonly service: ChangingService,
  ) {}

  static async publish(host: RealHost): Promise<WatchedAccounts> {
    const watched = new WatchedAccounts(host, await new ChangingService().start());
    watched.use();
    const { id, name } = (await host.rest.request('POST', '/rest/credentials', {
      name: 'A service whose data change',
      type: 'companyIntelligenceUserApi',
      data: { baseUrl: watched.service.baseUrl, apiKey: 'ci_user_of_this_test' },
    })) as { id: string; name: string };
    const credentials = { credentials: { companyIntelligenceUserApi: { id, name } } };
    const parameters = {
      pollTimes: { item: [{ mode: 'everyMinute' }] },
      accounts: 'domains',
      domains: ACCOUNTS.join(' '),
      events: ['technologyAdopted'],
      options: { minMinutesBetweenReads: 0 },
    };
    const type = 'n8n-nodes-company-intelligence';
    ({ id: watched.workflowId } = await publishNew(host, {
      name: 'Enrich accounts that changed',
      nodes: [
        nodeOf('Changes', `${type}.accountChangesTrigger`, 1, parameters, credentials),
        nodeOf('Enrich', `${type}.bulkEnrich`, 1, { domain: '={{ $json.domain }}' }, credentials),
      ],
      connections: { Changes: { main: [[to('Enrich')]] } },
    }));
    while (watched.polls === 0) await sleep(200);
    await sleep(2000);
    return watched;
  }

  /** Number of requests for technologies that the service received. */
  get polls(): number {
    return this.service.included.length;
  }

  /** Makes every account adopt one more technology. */
  adopt(key: string): void {
    this.keys.push(key);
    this.use();
  }

  /**
   * Waits for `count` changes per account. Returns the technologies that the trigger has emitted
   * once for every account.
   *
   * @throws {Error} if the trigger emitted a change twice
   */
  async until(count: number): Promise<string[]> {
    for (;;) {
      const executions = await this.executions();
      const items = executions.flat();
      if (items.length >= count * ACCOUNTS.length) {
        const ids = new Set(items.map((item) => item['change_id']));
        if (ids.size !== items.length) throw new Error('Changes were told twice');
        const keys = [...new Set(items.map((item) => String(item['tech_key'])))];
        return keys.filter(
          (key) => items.filter((item) => item['tech_key'] === key).length === ACCOUNTS.length,
        );
      }
      await sleep(500);
    }
  }

  /** Returns the items with which each execution began, oldest first. */
  async executions(): Promise<Array<Array<Record<string, unknown>>>> {
    const executions = [];
    for (const { id } of (await executionsOf(this.host, this.workflowId)).reverse()) {
      const data = await dataOf(this.host, id);
      executions.push(data === undefined ? [] : outcomeOf(data).outputs('Changes'));
    }
    return executions;
  }

  private use(): void {
    const technologies = this.keys.map((key) => ({ key }));
    this.service.companies = Object.fromEntries(
      ACCOUNTS.map((domain) => [domain, { technologies, partnerships: {} }]),
    );
  }
}
