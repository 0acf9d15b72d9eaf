import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toFlatCompany } from '../../service/flat-company';
import { readNetwork, type PartnerNetwork } from '../../service/graphs';
import type { Row } from '../../values/json';
import type * as Pictures from '../../graph/picture-thread';
import type { Output } from '../items/row-result';

type GraphOutput = 'single' | 'rows' | 'picture';

/**
 * A picture is output as PNG, which the editor shows, and as SVG, which stays sharp in documents.
 *
 * @param requestFields The requested companies; files are named after them.
 */
export async function toGraphOutputs(
  context: IExecuteFunctions,
  graph: Row,
  format: GraphOutput,
  requestFields: Readonly<Record<string, string>>,
): Promise<Output[]> {
  if (format === 'single') return [{ json: graph as IDataObject }];
  const network = readNetwork(graph);
  if (format === 'rows') return toGraphRows(network);
  const { drawPictures } = require('../../graph/picture-thread') as typeof Pictures;
  const name = Object.values(requestFields).join('-');
  const file = async (content: string | Uint8Array, extension: string, mimeType: string) =>
    await context.helpers.prepareBinaryData(Buffer.from(content), `${name}.${extension}`, mimeType);
  const json = {
    ...requestFields,
    node_count: network.nodes.length,
    edge_count: network.edges.length,
  };
  const { svg, png } = await drawPictures(network);
  return [
    {
      json,
      binary: {
        data: await file(png, 'png', 'image/png'),
        svg: await file(svg, 'svg', 'image/svg+xml'),
      },
    },
  ];
}

function toGraphRows({ nodes, edges }: PartnerNetwork): Output[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const rows: Row[] = [
    ...nodes.map((node) => ({ ...toFlatCompany(node), type: 'node' })),
    ...edges.map(({ type: partnership_type, ...edge }) => {
      const [source, target] = [byId.get(edge.source), byId.get(edge.target)];
      return {
        ...(partnership_type === undefined ? {} : { partnership_type }),
        ...edge,
        type: 'edge',
        source_domain: source?.primary_domain,
        source_name: source?.name,
        target_domain: target?.primary_domain,
        target_name: target?.name,
      };
    }),
  ];
  const columns = [...new Set(['type', ...rows.flatMap((row) => Object.keys(row))])];
  return rows.map((row) => ({
    json: Object.fromEntries(columns.map((column) => [column, row[column] ?? ''])),
  }));
}
