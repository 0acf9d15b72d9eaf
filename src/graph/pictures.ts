import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { PartnerNetwork } from '../service/graphs';
import { takingTurns } from '../taking-turns';
import type { Pictures } from './picture-worker';

/** How long the thread waits for another picture: to start it takes longer than a picture. */
const IDLE_MS = 30_000;

let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
const inTurn = takingTurns();

/**
 * Draws a partner network as SVG and as PNG. Works in a thread of its own, one picture after the other,
 * because a picture takes up to seconds, in which n8n has to go on.
 *
 * @throws {Error} when it cannot be drawn.
 */
export async function drawPictures(network: PartnerNetwork): Promise<Pictures> {
  return await inTurn(async () => await drawNext(network));
}

async function drawNext(network: PartnerNetwork): Promise<Pictures> {
  clearTimeout(idle);
  // Packing bundles what `require.resolve` is asked for by a literal (scripts/lib/bundle.mjs).
  worker ??= new Worker(require.resolve('./picture-worker'));
  worker.ref();
  worker.postMessage(network);
  try {
    const [pictures] = (await once(worker, 'message')) as [Pictures];
    // n8n may end while the thread only waits.
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
