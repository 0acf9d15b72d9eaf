import type { IDataObject, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

/*
 * n8n keeps some data with each workflow. It saves all of it at once: an execution what it loaded when
 * it began, and a poll what there was when the workflow was published, each with its own changes. So
 * whoever writes puts in what others have written meanwhile.
 */

/** What this process has written, by workflow. */
const written = new Map<string, IDataObject>();

/** The data of a workflow, whatever its nodes are called. */
export function workflowData(context: IExecuteFunctions | IPollFunctions): IDataObject {
  return context.getWorkflowStaticData('global');
}

/** Brings what was just written under a name together with what others have written under theirs. */
export function keepTogether(context: IExecuteFunctions | IPollFunctions, name: string): void {
  const { id } = context.getWorkflow();
  const data = workflowData(context);
  if (id === undefined || data[name] === undefined) return;
  const all = { ...written.get(id), [name]: data[name] };
  written.set(id, all);
  Object.assign(data, all);
}
