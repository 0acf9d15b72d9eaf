import {
  NodeOperationError,
  type INode,
  type IPollFunctions,
  type IWorkflowBase,
  type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { asError } from '../failures';
import { inlineWorkflow } from '../n8n-versions';

/** A column of an n8n data table. */
export interface TableColumn {
  readonly tableId: string;
  readonly column: string;
}

/** What n8n's poll context holds beside what it promises; every n8n that was looked at has it. */
interface Inner {
  readonly additionalData?: Partial<Pick<IWorkflowExecuteAdditionalData, 'executeWorkflow'>>;
}

/**
 * Reads a column of a data table. n8n gives its tables to its own nodes only, so a small workflow that
 * is one of them reads it, in the name of the workflow that polls; n8n keeps no execution of it.
 *
 * @returns the values, one for each row.
 * @throws {NodeOperationError} where this n8n has no data tables, or not this one, or not this column.
 */
export async function readDataTable(
  context: IPollFunctions,
  { tableId, column }: TableColumn,
): Promise<unknown[]> {
  const { additionalData } = context as Inner;
  const node = context.getNode();
  if (additionalData?.executeWorkflow === undefined) throw unreadable(node, 'n8n offers no way');
  const { id = '' } = context.getWorkflow();
  let data;
  try {
    ({ data } = await additionalData.executeWorkflow(
      { code: readingWorkflow(node, id, tableId) },
      additionalData as IWorkflowExecuteAdditionalData,
      {
        parentWorkflowId: id,
        inputData: [{ json: {} }],
        executionMode: context.getMode(),
        node,
      },
    ));
  } catch (error) {
    throw unreadable(node, asError(error).message);
  }
  const rows = (data[0] ?? []).map(({ json }) => json).filter((row) => Object.keys(row).length > 0);
  if (rows.length > 0 && rows.every((row) => !(column in row))) {
    throw unreadable(node, `it has no column "${column}"`);
  }
  return rows.map((row) => row[column]);
}

function unreadable(node: INode, why: string): NodeOperationError {
  return new NodeOperationError(node, `The data table could not be read: ${why}`, {
    description:
      'Check the ID of the table and the name of the column. Data tables need n8n 1.123 or newer; otherwise put the accounts into a saved list, or type them in.',
  });
}

/** `Begin → Rows`, with the id of the workflow that polls, whose project the table must be in. */
function readingWorkflow(own: INode, workflowId: string, tableId: string): IWorkflowBase {
  const step = (name: string, type: string, typeVersion: number): Omit<INode, 'parameters'> => ({
    id: `${own.id}-${name}`,
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion,
    position: [0, 0],
  });
  return inlineWorkflow(own, workflowId, 'read a data table', {
    nodes: [
      {
        ...step('Begin', 'executeWorkflowTrigger', 1.1),
        parameters: { inputSource: 'passthrough' },
      },
      {
        ...step('Rows', 'dataTable', 1),
        parameters: {
          resource: 'row',
          operation: 'get',
          dataTableId: { __rl: true, mode: 'id', value: tableId },
          matchType: 'anyCondition',
          filters: { conditions: [] },
          returnAll: true,
        },
        // An empty table gives no item; the last node must have run all the same.
        alwaysOutputData: true,
      },
    ],
    connections: { Begin: { main: [[{ node: 'Rows', type: 'main', index: 0 }]] } },
    settings: {
      executionOrder: 'v1',
      callerPolicy: 'workflowsFromSameOwner',
      saveDataSuccessExecution: 'none',
      saveDataErrorExecution: 'none',
    },
  });
}
