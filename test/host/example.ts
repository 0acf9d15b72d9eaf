import { parse } from 'csv-parse/sync';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { useRealHost, type RealHost } from './harness';
import { Outside, type Accounts } from './outside';
import { Service } from './service';

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
): Promise<Example> {
  const given = await exampleNamed(host, name);
  return (await host.rest.request('PATCH', `/rest/workflows/${given.id}?forceSave=true`, {
    ...given,
    nodes: given.nodes.map((node) => ({ ...node, ...change(node) })),
  })) as Example;
}

export type Changes = Readonly<Record<string, INodeParameters>>;

/** A real n8n whose examples work with a recorder instead of the real services. */
export function useExamples(sandboxArgs: readonly string[] = []) {
  const outside = new Outside();
  const host = useRealHost(async () => ({ sandboxArgs, env: await outside.start() }));
  const service = new Service(host);
  let accounts: Accounts;
  let listId: string;

  beforeAll(async () => {
    accounts = await outside.connect(host);
    listId = await service.createList();
  });
  afterAll(() => {
    outside.stop();
  });

  /**
   * Does what the notes ask a user to do before the first run: chooses the accounts, list, sheet,
   * channel and addresses.
   *
   * @param changes parameters to change in addition, by the name of the node
   */
  async function setUp(name: string, changes: Changes = {}, more: Accounts = {}): Promise<Example> {
    const chosen: Changes = {
      googleSheets: { documentId: byId('the-spreadsheet') },
      slack: { channelId: byId('C123') },
      emailSend: { fromEmail: 'n8n@example.com', toEmail: 'team@example.com' },
      listMembers: { listId: byId(listId) },
      listMembersTrigger: { listId: byId(listId) },
      techUsersTrigger: { techKey: byId('hubspot') },
      accountChangesTrigger: { domains: 'acme.com' },
    };
    return await changeExample(host, name, ({ name: node, type, parameters, credentials }) => {
      const short = type.split('.').at(-1) ?? '';
      return {
        parameters: { ...parameters, ...chosen[short], ...changes[node] },
        credentials: { ...accounts, ...more }[short] ?? credentials ?? {},
      };
    });
  }

  async function run(name: string, trigger: string, changes?: Changes, more?: Accounts) {
    const { id } = await setUp(name, changes, more);
    const { data, status } = await host.rest.run(id, { triggerName: trigger });
    const { error, outputs } = outcomeOf(data);
    expect([name, status, error]).toEqual([name, 'success', undefined]);
    return { data, outputs };
  }

  return { host, service, outside, setUp, run, members: async () => await service.members(listId) };
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
