/** Running a node as the tool of an agent, as AI Agent 3 does. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import type { TestService } from '../../src/client/support/service';
import { runNode, type Change } from '../shared/nodes';

/** What the model fills in. */
export function given(name: string): string {
  return `={{ $json.${name} }}`;
}

/**
 * Calls a tool.
 *
 * @param type the node's.
 * @param args what the model filled in.
 * @returns the items of its answer.
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

/** The note at the end of an answer. */
export function noteIn(answer: readonly IDataObject[]): unknown {
  return answer.at(-1)?.['note'];
}

/** The results of an answer. */
export function resultsIn(answer: readonly IDataObject[]): IDataObject[] {
  return answer.filter((item) => !('note' in item));
}
