import { readFileSync } from 'node:fs';

import { startRealHost, type RealHost } from './harness';

/**
 * A list of 50,000 companies exported to a file by a real n8n that keeps binary data in files: the
 * export passes through, it is never held.
 */

const MEMBERS = 50_000;
const MOST_MB_ABOVE_IDLE = 80;

let host: RealHost;
beforeAll(async () => {
  const { measurable } = await import('../../scripts/lib/n8n-process.mjs');
  host = await startRealHost({
    sandboxArgs: ['--companies', String(MEMBERS)],
    env: measurable,
  });
});
afterAll(async () => {
  await host.stop();
});

async function ask(path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${host.sandboxUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-API-Key': host.keys.user, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

/** A list of all companies with at least so many technologies. */
async function createList(technologies: number): Promise<string> {
  const { registry_version } = await ask('/v1/lists/filter-fields');
  const root = { field: 'tech_count', operator: 'gte', value: technologies };
  const definition = { registry_version, root };
  return (await ask('/v1/lists', { name: 'Companies', definition }))['list_id'] as string;
}

interface Exported {
  readonly json: Record<string, unknown>;
  readonly binary: { readonly data: { readonly id: string; readonly bytes: number } };
}

async function exportList(listId: string, options = {}): Promise<Exported> {
  const credentials = (await host.rest.request('GET', '/rest/credentials')) as Array<{
    id: string;
    name: string;
    type: string;
  }>;
  const { id, name } = credentials.find(({ type }) => type === 'companyIntelligenceUserApi') ?? {};
  const common = { typeVersion: 1, position: [0, 0] };
  const workflow = (await host.rest.request('POST', '/rest/workflows', {
    name: `Export ${listId}`,
    nodes: [
      { ...common, id: 's', name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
      {
        ...common,
        id: 'e',
        name: 'Export',
        type: 'n8n-nodes-company-intelligence.listMembers',
        parameters: {
          operation: 'exportCsv',
          listId: { __rl: true, mode: 'id', value: listId },
          options,
        },
        credentials: { companyIntelligenceUserApi: { id, name } },
      },
    ],
    connections: { Start: { main: [[{ node: 'Export', type: 'main', index: 0 }]] } },
    settings: { executionOrder: 'v1' },
  })) as { id: string };
  const { status, data } = await host.rest.run(workflow.id, { triggerName: 'Start' });
  expect(status).toBe('success');
  const { resultData } = data as {
    resultData: { runData: Record<string, Array<{ data: { main: Exported[][] } }>> };
  };
  const item = resultData.runData['Export']?.[0]?.data.main[0]?.[0];
  if (item === undefined) throw new Error('The export gave no item.');
  return item;
}

test.each([{}, { escapeFormulas: true }])(
  `${String(MEMBERS)} members take less than ${String(MOST_MB_ABOVE_IDLE)} MB beyond idle: %j`,
  async (options) => {
    const { fileOf, memoryOf } = await import('../../scripts/lib/n8n-process.mjs');
    const listId = await createList(0);
    const answer = await fetch(`${host.sandboxUrl}/v1/lists/${listId}/export.csv`, {
      headers: { 'X-API-Key': host.keys.user },
    });
    const csv = await answer.text();
    // A small one first, which loads what is loaded on first use.
    await exportList(await createList(1000), options);
    const memory = memoryOf(host.userFolder);
    const idle = await memory.whenIdle();
    memory.forgetPeak();
    const { json, binary } = await exportList(listId, options);
    const aboveIdle = Math.round((memory.peak() - idle) / 1024);
    process.stdout.write(`  peak above idle: ${String(aboveIdle)} MB\n`);

    expect(csv.split('\r\n')).toHaveLength(MEMBERS + 2);
    expect(readFileSync(fileOf(host.userFolder, binary.data.id), 'utf8') === csv).toBe(true);
    expect(json).toMatchObject({ list_id: listId, bytes: Buffer.byteLength(csv) });
    expect(aboveIdle).toBeLessThan(MOST_MB_ABOVE_IDLE);
  },
);
