import { setImmediate } from 'node:timers/promises';
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
  /** Settles when the node's `execute` has begun. Rejects if the workflow ends before that. */
  started(nodeName: string): Promise<void>;
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
  const begun = new Set<string>();
  hooks.addHandler('nodeExecuteBefore', async (nodeName) => {
    // After this hook, only promise callbacks run before n8n calls the node's `execute`.
    void setImmediate().then(() => begun.add(nodeName));
    await Promise.resolve();
  });

  const uiMessages: unknown[] = [];
  const additionalData = createAdditionalData({
    credentialsHelper,
    hooks,
    executionId,
    sendDataToUI: (type, data) => uiMessages.push({ type, data }),
    ...(executeWorkflow && { executeWorkflow }),
  });
  const execution = begin(new WorkflowExecute(additionalData, mode), { workflow, startNode });
  let isOver = false;
  const finished = Promise.resolve(execution).then((record) => {
    isOver = true;
    return new WorkflowRun(record, uiMessages, traceNodes);
  });
  return {
    started: async (nodeName) => {
      while (!begun.has(nodeName)) {
        if (isOver) throw new Error(`The workflow ended before the node "${nodeName}" started.`);
        await setImmediate();
      }
    },
    cancel: () => {
      execution.cancel();
    },
    finished,
  };
}
