import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { PartnerNetwork } from '../service/graphs';
import { createSequentialQueue } from '../concurrency';
import type { Pictures } from './picture-worker';

/** Starting a thread takes longer than a picture. */
const IDLE_MS = 30_000;

let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
const queue = createSequentialQueue();

/** In a separate thread, one picture after the other, because a picture can take seconds and must not block n8n. */
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
