/** Running one node of the package, as the tests of its operations do. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

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

/** A list, a technology or a permission, given by its id. */
export function byId(value: string) {
  return { __rl: true, mode: 'id', value };
}

/** What a test changes about a run. */
export interface Change extends NodeSettings {
  readonly credentials?: CredentialsByType;
  readonly executionId?: string;
  /** The workflow's time zone. */
  readonly timezone?: string;
}

/** Runs a node on items, with the credential of `at`. */
export async function runNode(
  at: Sandbox | TestService,
  type: string,
  parameters: INodeParameters = {},
  items: readonly IDataObject[] = [{}],
  {
    credentials,
    executionId,
    timezone,
    trace,
    ...settings
  }: Change & Pick<WorkflowOptions, 'trace'> = {},
): Promise<WorkflowRun> {
  const own = at instanceof TestService ? credentialFor(at.baseUrl) : userCredential(at);
  return await runWorkflow({
    nodes: [source(items), packageNode(type, parameters, settings)],
    credentials: credentials ?? own,
    ...(trace === undefined ? {} : { trace }),
    ...(executionId === undefined ? {} : { executionId }),
    ...(timezone === undefined ? {} : { settings: { timezone } }),
  });
}

/**
 * What runs a node on items of which each gets its number as `id`, by which n8n's expressions are asked
 * where each item that comes out is from.
 *
 * @param name what the node is called on the canvas.
 * @param usual parameters that it has unless a test says otherwise.
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

/**
 * Asks the local service itself, past the nodes.
 *
 * @param path below `/v1/`.
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
