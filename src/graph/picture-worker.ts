import { parentPort } from 'node:worker_threads';

import type { PartnerNetwork } from '../service/graphs';
import { drawNetwork } from './picture';
import { toPng } from './png';

export interface Pictures {
  readonly svg: string;
  readonly png: Uint8Array;
}

async function draw(network: PartnerNetwork): Promise<Pictures> {
  return {
    svg: drawNetwork(network),
    // The PNG can only use the bundled font; programs that show the SVG have fonts of their own.
    png: await toPng(drawNetwork(network, true)),
  };
}

parentPort?.on('message', (network: PartnerNetwork) => {
  void draw(network).then((pictures) => parentPort?.postMessage(pictures));
});
