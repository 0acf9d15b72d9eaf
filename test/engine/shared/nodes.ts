/** Runs one node of the package, for the tests of its operations. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { TestService } from '../../src/client/support/service';
import {
  runWorkflow,
  source,
  type CredentialsByType,
  type WorkflowOptions,
  type WorkflowRun,
} from '../harness';
import { credentialFor, packageNode, userCredential, type NodeSettings } from './service';

/** Returns a resource locator value with the ID of a list, a technology or a permission. */
export function byId(value: string) {
  return { __rl: true, mode: 'id', value };
}

/** Settings of a run that a test can change. */
export interface Change extends NodeSettings {
  readonly credentials?: CredentialsByType;
  readonly executionId?: string;
}

/** Runs a node on items, with a credential for the service `at`. */
export async function runNode(
  at: Sandbox | TestService,
  type: string,
  parameters: INodeParameters = {},
  items: readonly IDataObject[] = [{}],
  { credentials, executionId, trace, ...settings }: Change & Pick<WorkflowOptions, 'trace'> = {},
): Promise<WorkflowRun> {
  const own = at instanceof TestService ? credentialFor(at.baseUrl) : userCredential(at);
  return await runWorkflow({
    nodes: [source(items), packageNode(type, parameters, settings)],
    credentials: credentials ?? own,
    ...(trace === undefined ? {} : { trace }),
    ...(executionId === undefined ? {} : { executionId }),
  });
}

/**
 * Returns a function that runs a node on items. Each item gets its number as `id`. A trace
 * expression then reads from which item each output item originates.
 *
 * @param name name of the node on the canvas
 * @param usual default parameters of the node
 */
export function running(type: string, name: string, usual: INodeParameters = {}) {
  const trace = { node: name, expression: "={{ $('Source').item.json.id }}" };
  return async (
    at: Sandbox | TestService,
    parameters: INodeParameters = {},
    items: readonly IDataObject[] = [{}],
    change: Change = {},
  ): Promise<WorkflowRun> => {
    const numbered = items.map((item, id) => ({ ...item, id }));
    return await runNode(at, type, { ...usual, ...parameters }, numbered, { ...change, trace });
  };
}

/** Returns the result that a node added to an item as columns, without the prefix and empty cells. */
export function resultIn(json: IDataObject, prefix: string): IDataObject {
  const columns = Object.entries(json).filter(
    ([name, value]) => name.startsWith(prefix) && value !== '',
  );
  return Object.fromEntries(columns.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** Returns the text of a file in an item. */
export function textOfFile(item: INodeExecutionData | undefined, name = 'data'): string {
  const file = item?.binary?.[name];
  if (file === undefined) throw new Error(`The item has no file "${name}".`);
  return Buffer.from(file.data, 'base64').toString();
}

/**
 * Sends a request directly to the local service, without a node.
 *
 * @param path path below `/v1/`
 */
export async function ask(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
  key: keyof Sandbox['keys'] = 'user',
): Promise<IDataObject> {
  const answer = await fetch(`${sandbox.baseUrl}/v1/${path}`, {
    method,
    headers: { 'X-API-Key': sandbox.keys[key], 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return (text === '' ? {} : JSON.parse(text)) as IDataObject;
}
