/** Runs a node as an agent's tool, as AI Agent 3 does. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import type { TestService } from '../../src/client/support/service';
import { runNode, type Change } from '../shared/nodes';

/** Returns an expression for a parameter that the model fills in. */
export function given(name: string): string {
  return `={{ $json.${name} }}`;
}

/**
 * Calls a tool.
 *
 * @param type type name of the node, without the suffix `Tool`
 * @param args values that the model filled in
 * @returns the items of the tool response
 */
export async function callTool(
  at: Sandbox | TestService,
  type: string,
  parameters: INodeParameters,
  args: IDataObject = {},
  change: Change = {},
): Promise<IDataObject[]> {
  const run = await runNode(at, `${type}Tool`, parameters, [args], change);
  const [name = ''] = Object.keys(run.record.data.resultData.runData).slice(-1);
  return run.json(name);
}

/** Returns the note at the end of a tool response. */
export function noteIn(answer: readonly IDataObject[]): unknown {
  return answer.at(-1)?.['note'];
}

/** Returns the results in a tool response, without the note. */
export function resultsIn(answer: readonly IDataObject[]): IDataObject[] {
  return answer.filter((item) => !('note' in item));
}
