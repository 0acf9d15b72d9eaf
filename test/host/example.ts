import { parse } from 'csv-parse/sync';
import type { IDataObject, INode } from 'n8n-workflow';

import type { RealHost } from './harness';

export interface Example {
  readonly id: string;
  readonly versionId: string;
  readonly nodes: readonly INode[];
}

export type Outputs = (node: string, output?: number) => IDataObject[];

export const readCsv = (file: string | Buffer): Array<Record<string, string>> =>
  parse(file, { columns: true, bom: true });

export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

export async function exampleNamed(host: RealHost, name: string): Promise<Example> {
  const filter = encodeURIComponent(JSON.stringify({ query: name }));
  const found = await host.rest.request('GET', `/rest/workflows?filter=${filter}`);
  const [{ id } = { id: '' }] = found as Example[];
  return (await host.rest.request('GET', `/rest/workflows/${id}`)) as Example;
}

export async function changeExample(
  host: RealHost,
  name: string,
  change: (node: INode) => Partial<INode>,
  pins: Readonly<Record<string, readonly IDataObject[]>> = {},
): Promise<Example> {
  const given = await exampleNamed(host, name);
  return (await host.rest.request('PATCH', `/rest/workflows/${given.id}?forceSave=true`, {
    ...given,
    nodes: given.nodes.map((node) => ({ ...node, ...change(node) })),
    pinData: Object.fromEntries(
      Object.entries(pins).map(([node, items]) => [node, items.map((json) => ({ json }))]),
    ),
  })) as Example;
}

export function outcomeOf(data: unknown): { error: unknown; outputs: Outputs } {
  const { resultData } = data as {
    resultData: {
      error?: unknown;
      runData: Record<
        string,
        Array<{ data?: { main: Array<Array<{ json: IDataObject }> | null> } }>
      >;
    };
  };
  return {
    error: resultData.error,
    outputs: (node, output = 0) =>
      (resultData.runData[node] ?? []).flatMap(
        (run) => run.data?.main[output]?.map(({ json }) => json) ?? [],
      ),
  };
}
