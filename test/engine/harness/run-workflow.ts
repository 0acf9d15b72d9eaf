import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import type {
  IWorkflowBase,
  IWorkflowExecuteAdditionalData,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import { buildWorkflow, createAdditionalData, type WorkflowDescription } from './build-workflow';
import { recordLogs } from './logging';
import { WorkflowRun } from './workflow-run';

/** A workflow and how to run it. */
export interface WorkflowOptions
  extends WorkflowDescription, Partial<Pick<IWorkflowExecuteAdditionalData, 'executeWorkflow'>> {
  /** `manual` (default) is a run from the editor, `trigger` a run in production. */
  mode?: WorkflowExecuteMode;
  /** By default, each run gets a new ID. Nodes treat runs with the same ID as one execution. */
  executionId?: string;
}

/** A workflow that is running. */
interface RunningWorkflow {
  /** Cancels the run, as Stop in the editor does. */
  cancel(): void;
  /** Settles when the running node has returned and the run has ended, with any result. */
  finished: Promise<WorkflowRun>;
}

type RunOptions = Parameters<WorkflowExecute['run']>[0];

let executions = 0;

/** n8n-core 1 and 2.0 take these values as separate arguments. */
function begin(
  engine: WorkflowExecute,
  start: Required<Pick<RunOptions, 'workflow' | 'startNode'>>,
): ReturnType<WorkflowExecute['run']> {
  if (engine.run.length === 1) return engine.run(start);
  const older = engine as unknown as {
    run(...start: unknown[]): ReturnType<WorkflowExecute['run']>;
  };
  return older.run(start.workflow, start.startNode);
}

/** Runs a workflow to its end. Does not reject if the run fails: see `status` and `error`. */
export async function runWorkflow(options: WorkflowOptions): Promise<WorkflowRun> {
  const { finished } = await startWorkflow(options);
  return await finished;
}

/** Starts a workflow. */
export async function startWorkflow(options: WorkflowOptions): Promise<RunningWorkflow> {
  recordLogs();
  const { workflow, startNode, credentialsHelper, traceNodes } = await buildWorkflow(options);
  const { mode = 'manual', executionId = `execution-${++executions}`, executeWorkflow } = options;
  const { id, settings } = workflow;
  const hooks = new ExecutionLifecycleHooks(mode, executionId, { id, settings } as IWorkflowBase);
  const uiMessages: unknown[] = [];
  const additionalData = createAdditionalData({
    credentialsHelper,
    hooks,
    executionId,
    sendDataToUI: (type, data) => uiMessages.push({ type, data }),
    ...(executeWorkflow && { executeWorkflow }),
  });
  const execution = begin(new WorkflowExecute(additionalData, mode), { workflow, startNode });
  return {
    cancel: () => {
      execution.cancel();
    },
    finished: Promise.resolve(execution).then(
      (record) => new WorkflowRun(record, uiMessages, traceNodes),
    ),
  };
}
