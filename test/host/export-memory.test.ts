import { readFileSync } from 'node:fs';

import { byId } from './example';
import { useRealHost } from './harness';
import { Service } from './service';
import { nodeOf, ownNode, saveNew, to } from './workflows';

/** The export of a list must be streamed to n8n's files instead of being held in memory. */

const MEMBERS = 50_000;
const MOST_MB_ABOVE_IDLE = 80;

const host = useRealHost(async () => {
  const { measurable } = await import('../../scripts/lib/n8n-process.mjs');
  return { sandboxArgs: ['--companies', String(MEMBERS)], env: measurable };
});
const service = new Service(host);

interface Exported {
  readonly json: Record<string, unknown>;
  readonly binary: { readonly data: { readonly id: string } };
}

const createList = async (technologies: number) =>
  await service.createList({ field: 'tech_count', operator: 'gte', value: technologies });

async function exportList(listId: string): Promise<Exported> {
  const { id } = await saveNew(host, {
    name: `Export ${listId}`,
    nodes: [
      nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
      ownNode(host, 'Export', 'listMembers', { operation: 'exportCsv', listId: byId(listId) }),
    ],
    connections: { Start: { main: [[to('Export')]] } },
  });
  const { status, data } = await host.rest.run(id, { triggerName: 'Start' });
  expect(status).toBe('success');
  const { resultData } = data as {
    resultData: { runData: Record<string, Array<{ data: { main: Exported[][] } }>> };
  };
  return resultData.runData['Export']![0]!.data.main[0]![0]!;
}

test(`exports ${String(MEMBERS)} members within ${String(MOST_MB_ABOVE_IDLE)} MB above idle memory`, async () => {
  const { fileOf, memoryOf } = await import('../../scripts/lib/n8n-process.mjs');
  const listId = await createList(0);
  const answer = await fetch(`${host.sandboxUrl}/v1/lists/${listId}/export.csv`, {
    headers: { 'X-API-Key': host.keys.user },
  });
  const csv = await answer.text();
  // Export a small list first, which loads everything that is loaded on first use.
  await exportList(await createList(1000));
  const memory = memoryOf(host.userFolder);
  const idle = await memory.whenIdle();
  memory.forgetPeak();
  const { json, binary } = await exportList(listId);
  const aboveIdle = Math.round((memory.peak() - idle) / 1024);
  process.stdout.write(`  peak above idle: ${String(aboveIdle)} MB\n`);

  expect(csv.split('\r\n')).toHaveLength(MEMBERS + 2);
  expect(readFileSync(fileOf(host.userFolder, binary.data.id), 'utf8') === csv).toBe(true);
  expect(json).toMatchObject({ list_id: listId, bytes: Buffer.byteLength(csv) });
  expect(aboveIdle).toBeLessThan(MOST_MB_ABOVE_IDLE);
});
