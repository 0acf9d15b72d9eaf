import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { company, startManyUsers } from '../lib/many-users';
import { own, run, saveCredential, saveWorkflow, withHost } from '../lib/n8n';
import type { Line } from '../table';

const ROWS = 1_000_000;
const TARGET_MB = 200;

/**
 * A million users of a technology, firmographics included, to a CSV file, on an n8n that keeps
 * binary data in files; after a small file that loads what is loaded on first use.
 */
export const file: Line = {
  name: 'file',
  title: 'A million rows to a file',
  measure: async () => {
    const { fileOf, measurable, memoryOf } = await import('../../scripts/lib/n8n-process.mjs');
    const service = await startManyUsers(ROWS);
    try {
      return await withHost({ env: measurable }, async (host) => {
        const credential = await saveCredential(host, { baseUrl: service.baseUrl });
        const write = async (limit: number) => {
          const node = own('techUsers', {
            operation: 'getByTechnology',
            techKey: { __rl: true, mode: 'id', value: service.techKey },
            limit,
            include: ['firmographics'],
            output: 'csv',
            options: {},
          });
          return await run(host, await saveWorkflow(host, node, credential));
        };
        await write(10);
        const memory = memoryOf(host.userFolder);
        const idle = await memory.whenIdle();
        memory.forgetPeak();
        const { milliseconds, items } = await write(ROWS);
        const above = (memory.peak() - idle) / 1024;
        const written = items[0]?.binary?.data;
        if (written === undefined) throw new Error('The node gave no file.');
        await checkRows(fileOf(host.userFolder, written.id));
        const megabytes = written.bytes / 1024 / 1024;
        return [
          {
            what: 'Memory above idle, 1,000,000 technology users to a CSV file',
            ours: `${above.toFixed(0)} MB`,
            against: `the file: ${megabytes.toFixed(0)} MB, in ${(milliseconds / 1000).toFixed(0)} s`,
            ratio: above / megabytes,
            target: `≤ ${String(TARGET_MB)} MB`,
            met: above <= TARGET_MB,
            reason:
              'The peak counts garbage too: a page of 10,000 rows is megabytes of text and objects, and V8 collects late where there is memory to spare.',
          },
        ];
      });
    } finally {
      service.close();
    }
  },
};

/** @throws unless the file holds every row once and in order. */
async function checkRows(path: string): Promise<void> {
  let line = -1;
  for await (const text of createInterface({ input: createReadStream(path) })) {
    if (line >= 0 && !text.startsWith(`${company(line, false).slug},`)) {
      throw new Error(`Row ${String(line)} of the file is not that of the service: ${text}`);
    }
    line += 1;
  }
  if (line !== ROWS) throw new Error(`The file has ${String(line)} rows, not ${String(ROWS)}.`);
}
