/**
 * A process that reads the pages of a list, each as one text and one value, and writes their rows to a
 * CSV file. It gets one order from its parent, answers with its CPU time, and ends with its parent.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import axios from 'axios';
import { csv } from '../../src/n8n/files/encoders';
import type { Row } from '../../src/run/answers/rows';

export interface Pages {
  /** Of the list, without `page` and `limit`. */
  readonly url: string;
  readonly pages: number;
  readonly limit: number;
}

async function* lines({ url, pages, limit }: Pages): AsyncGenerator<string, void, undefined> {
  const httpAgent = new Agent({ keepAlive: true });
  let encode: ((rows: readonly Row[]) => string) | undefined;
  for (let page = 1; page <= pages; page += 1) {
    const { data } = await axios.get<{ data: Row[] }>(url, { httpAgent, params: { page, limit } });
    encode ??= csv(data.data, { columns: [], escapeFormulas: true, byteOrderMark: true }).encode;
    for (let at = 0; at < data.data.length; at += 1000) {
      yield encode(data.data.slice(at, at + 1000));
    }
  }
}

process.once('message', (order: Pages) => {
  const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-bench-'));
  void pipeline(Readable.from(lines(order)), createWriteStream(join(folder, 'rows.csv')))
    .then(() => {
      const { user, system } = process.cpuUsage();
      process.send?.((user + system) / 1000);
    })
    .finally(() => {
      rmSync(folder, { recursive: true, force: true });
    });
});
