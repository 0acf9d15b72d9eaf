import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { PartnerNetwork } from '../service/graphs';
import { createSequentialQueue } from '../concurrency';
import type { Pictures } from './picture-worker';

/**
 * How long the thread waits for another picture, because starting a thread takes longer than a
 * picture.
 */
const IDLE_MS = 30_000;

let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
const queue = createSequentialQueue();

/**
 * Draws a partner network as SVG and as PNG, in a separate thread and one picture after the other,
 * because a picture can take seconds and must not block n8n.
 *
 * @throws {Error} when the network cannot be drawn.
 */
export async function drawPictures(network: PartnerNetwork): Promise<Pictures> {
  return await queue(async () => await drawNext(network));
}

async function drawNext(network: PartnerNetwork): Promise<Pictures> {
  clearTimeout(idle);
  // The build bundles files that `require.resolve` names by a literal (scripts/lib/bundle.mjs).
  worker ??= new Worker(require.resolve('./picture-worker'));
  worker.ref();
  worker.postMessage(network);
  try {
    const [pictures] = (await once(worker, 'message')) as [Pictures];
    // A waiting thread must not keep n8n from exiting.
    worker.unref();
    idle = setTimeout(() => void endThread(), IDLE_MS).unref();
    return pictures;
  } catch (error) {
    await endThread();
    throw error;
  }
}

async function endThread(): Promise<void> {
  const ended = worker;
  worker = undefined;
  await ended?.terminate();
}
