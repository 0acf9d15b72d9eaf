import type { IContextObject, IExecuteFunctions } from 'n8n-workflow';

import { createSequentialQueue } from '../../concurrency';

/*
 * What the tools of one agent run have spent. An agent calls its tools as separate node runs, but all
 * belong to the same n8n execution. So the sum is kept in the execution's own data, which n8n stores while
 * the execution waits, for example for a Human Review: another process can continue it.
 */

/** Field of the execution's flow context. */
const SPENT = 'companyIntelligenceCredits';

/** The calls of the executions in this process, which run one at a time. */
const queues = new WeakMap<IContextObject, ReturnType<typeof createSequentialQueue>>();

/** Result of a call, and the maximum credits it spent. */
export interface ToolCallResult<T> {
  readonly value: T;
  readonly credits: number;
}

/**
 * Runs a call and adds its credits to those of the agent run. With a limit, calls run one at a time,
 * because the cost of one determines what remains for the next.
 *
 * @param limit Maximum credits of the agent run; 0 means no limit.
 * @param call Receives the remaining credits.
 */
export async function runInAgentRun<T>(
  context: IExecuteFunctions,
  limit: number,
  call: (left: number) => Promise<ToolCallResult<T>>,
): Promise<T> {
  const flow = getFlow(context);
  const queue = queues.get(flow) ?? createSequentialQueue();
  queues.set(flow, queue);
  const act = async (): Promise<T> => {
    const left = limit === 0 ? Infinity : Math.max(0, limit - readSpent(flow));
    const { value, credits } = await call(left);
    flow[SPENT] = readSpent(flow) + credits;
    return value;
  };
  return limit === 0 ? await act() : await queue(act);
}

/** Returns the execution's own data; n8n Agents run tools without an execution, so the limit holds per call. */
function getFlow(context: IExecuteFunctions): IContextObject {
  try {
    return context.getContext('flow');
  } catch {
    return {};
  }
}

function readSpent(flow: IContextObject): number {
  return Number(flow[SPENT] ?? 0);
}
