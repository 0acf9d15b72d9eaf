import {
  NodeOperationError,
  type INode,
  type IPollFunctions,
  type IWorkflowBase,
  type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { toError } from '../failures';
import { createCoreNode, createInlineWorkflow } from '../inline-workflow';

/** A column of an n8n data table. */
export interface TableColumn {
  readonly tableId: string;
  readonly column: string;
}

/** Undocumented parts of n8n's poll context; every n8n version that was checked has them. */
interface PollInternals {
  readonly additionalData?: Partial<Pick<IWorkflowExecuteAdditionalData, 'executeWorkflow'>>;
}

/**
 * Reads a column of a data table. Only n8n's own nodes can access tables, so an inline workflow with
 * such a node reads it on behalf of the polling workflow. n8n saves no execution of it.
 *
 * @returns One value per row.
 * @throws {NodeOperationError} If n8n has no data tables, or this table or column does not exist.
 */
export async function readDataTable(
  context: IPollFunctions,
  { tableId, column }: TableColumn,
): Promise<unknown[]> {
  const { additionalData } = context as PollInternals;
  const node = context.getNode();
  if (additionalData?.executeWorkflow === undefined)
    throw createUnreadableTableError(node, 'this n8n version does not support it');
  const { id = '' } = context.getWorkflow();
  let data;
  try {
    ({ data } = await additionalData.executeWorkflow(
      { code: createReadingWorkflow(node, id, tableId) },
      additionalData as IWorkflowExecuteAdditionalData,
      {
        parentWorkflowId: id,
        inputData: [{ json: {} }],
        executionMode: context.getMode(),
        node,
      },
    ));
  } catch (error) {
    throw createUnreadableTableError(node, toError(error).message);
  }
  const rows = (data[0] ?? []).map(({ json }) => json).filter((row) => Object.keys(row).length > 0);
  if (rows.length > 0 && rows.every((row) => !(column in row))) {
    throw createUnreadableTableError(node, `it has no column "${column}"`);
  }
  return rows.map((row) => row[column]);
}

function createUnreadableTableError(node: INode, why: string): NodeOperationError {
  return new NodeOperationError(node, `Could not read the data table: ${why}`, {
    description:
      'Check the ID of the table and the name of the column. Data tables need n8n 1.123 or newer; in older versions, use a saved list or enter the domains.',
  });
}

/** Returns `Begin → Rows` with the ID of the polling workflow, whose project must contain the table. */
function createReadingWorkflow(own: INode, workflowId: string, tableId: string): IWorkflowBase {
  const rows = createCoreNode(own, 'Rows', ['dataTable', 1], {
    resource: 'row',
    operation: 'get',
    dataTableId: { __rl: true, mode: 'id', value: tableId },
    matchType: 'anyCondition',
    filters: { conditions: [] },
    returnAll: true,
  });
  return createInlineWorkflow(own, workflowId, 'read a data table', {
    // Without it, an empty table outputs no item, and the last node would not run.
    steps: [{ ...rows, alwaysOutputData: true }],
    settings: { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' },
  });
}
