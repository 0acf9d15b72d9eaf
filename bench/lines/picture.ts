import type { PartnerNetwork } from '../../src/service/graphs';
import { drawNetwork } from '../../src/graph/picture';
import { toPng } from '../../src/graph/png';
import { cpuOf } from '../lib/cpu';
import type { Line } from '../table';

/** Maximum number of companies that Get Graph requests. */
const COMPANIES = 100;

/** Returns a network with hubs of very different size. Finding room for their labels is hardest. */
function hubs(): PartnerNetwork {
  const companies = Array.from({ length: COMPANIES }, (_unused, index) => index + 1);
  return {
    root_companies: [1],
    nodes: companies.map((id) => ({
      id,
      name: `Company of International Insurance ${String(id)}`,
      primary_domain: `company-${String(id)}.example`,
      partnership_count: (id * id * 7919) % 5000,
      is_root: id === 1,
    })),
    edges: companies.slice(1).flatMap((id) => [
      { source: (id * id) % 7 || 1, target: id },
      { source: ((id * 31) % COMPANIES) + 1, target: id },
    ]),
  };
}

/**
 * Drawing a partner network, above all finding room for its labels, compared with converting it to
 * PNG.
 */
export const picture: Line = {
  name: 'picture',
  title: 'Picture of a partner network',
  measure: async ({ repeat }) => {
    const network = hubs();
    const svg = drawNetwork(network);
    await toPng(svg);
    return await repeat(async () => {
      const ours = await cpuOf(() => drawNetwork(network));
      const png = await cpuOf(async () => await toPng(svg));
      return [
        {
          what: `Picture of a network of ${String(COMPANIES)} companies, CPU time`,
          ours: `${ours.toFixed(2)} s`,
          against: `resvg, which makes a PNG of it: ${png.toFixed(2)} s`,
          ratio: ours / png,
          target: '≤ 1 s',
          met: ours <= 1,
        },
      ];
    });
  },
};
