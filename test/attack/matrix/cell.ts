/** One cell of the matrix: one variant of an operation, one fault, one On Error setting. */
import { inspect } from 'node:util';

import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import {
  node,
  source,
  startWorkflow,
  type NodeOptions,
  type WorkflowRun,
} from '../../engine/harness';
import type { Fault } from '../faults';
import type { CameOut, Happened, Stopped } from '../judge/record';
import type { Variant } from '../operations/variants';
import { prepare, type Slot } from '../service/slots';

export type OnError = NonNullable<NodeOptions['onError']>;

export interface Cell {
  readonly variant: Variant;
  readonly fault: Fault;
  readonly onError: OnError;
  readonly tries: number;
  readonly mode: WorkflowExecuteMode;
}

/** What ran longer than this hangs. Waits that the service asks for are seconds. */
const HANGS_AFTER_MS = 40_000;

let keys = 0;

/** A key that no other cell has, so that no cell feels what happened to another's. */
function newKey(): string {
  return `ck+/${String(keys++)}.Kq7zVw=9pLm`;
}

/** Runs a cell. The same cell gives the same record, apart from its key. */
export async function runCell(
  cell: Cell,
  slot: Slot,
  stranger: { readonly baseUrl: string; readonly heard: readonly string[] },
  given?: readonly IDataObject[],
): Promise<{ happened: Happened; key: string; given: readonly IDataObject[] }> {
  const { variant, fault, onError, tries, mode } = cell;
  const { sandbox, front } = slot;
  const { items, before } = await prepare(slot, variant);
  const heard = stranger.heard.length;
  const key = newKey();
  front.begin({
    key,
    serviceKey: sandbox.keys.user,
    strike: fault.strike,
    strangerUrl: stranger.baseUrl,
  });
  const running = await startWorkflow({
    nodes: [
      source(given ?? items),
      node(variant.type, {
        name: variant.name,
        parameters: variant.parameters,
        onError,
        ...(tries > 1 ? { retryOnFail: true, maxTries: tries, waitBetweenTries: 1 } : {}),
      }),
    ],
    mode,
    credentials: {
      companyIntelligenceUserApi: {
        baseUrl: fault.baseUrl?.(front) ?? front.baseUrl,
        apiKey: key,
        requestsPerMinute: 100_000,
        requestsPerDay: 1_000_000,
        maxBatchSize: 100,
      },
    },
    trace: { node: variant.name, expression: "={{ $('Source').item.json.id }}" },
  });
  let timer: NodeJS.Timeout | undefined;
  const inTime = await Promise.race([
    running.finished.then(() => true),
    new Promise<false>((resolve) => {
      timer = setTimeout(resolve, HANGS_AFTER_MS, false);
    }),
  ]);
  clearTimeout(timer);
  if (!inTime) running.cancel();
  const run = await running.finished;
  const { created, charged } = sandbox.report();
  const happened: Happened = {
    inTime,
    ...readRun(run, variant.name, onError),
    asked: front.asked,
    created: {
      flags: created.flags - before.created.flags,
      jobs: created.jobs - before.created.jobs,
      lists: created.lists - before.created.lists,
      domains: created.domains - before.created.domains,
      grants: created.grants - before.created.grants,
    },
    charged: charged - before.charged,
    transcript: transcriptOf(run),
    heardByStranger: stranger.heard.slice(heard),
  };
  return { happened, key, given: given ?? items };
}

/** All that n8n keeps of a run. The logs are searched once for all cells, see `matrix.ts`. */
function transcriptOf({ record, uiMessages }: WorkflowRun): string {
  const everything = { record, uiMessages };
  // JSON misses properties of errors that are not enumerable; inspect shows them.
  return `${JSON.stringify(everything)}\n${inspect(everything, {
    depth: 12,
    maxArrayLength: 200,
    maxStringLength: 20_000,
    showHidden: true,
  })}`;
}

function readRun(
  run: WorkflowRun,
  name: string,
  onError: OnError,
): Pick<Happened, 'items' | 'stopped' | 'hints'> {
  if (run.runs(name).length === 0) {
    return { items: [], stopped: stoppedBy(run.error ?? {}), hints: [] };
  }
  const outputs = onError === 'continueErrorOutput' ? [0, 1] : [0];
  const items = outputs.flatMap((output) => {
    const from = run.traced(output);
    return run.output(name, output).map(({ json, binary }, index): CameOut => ({
      json,
      binary,
      from: from[index],
      failed: output === 1 || isErrorItem(json),
    }));
  });
  return {
    items: run.error === undefined ? items : [],
    stopped: run.error === undefined ? undefined : stoppedBy(run.error),
    hints: run.hints(name).map(({ message }) => message),
  };
}

function stoppedBy(error: object): Stopped {
  const { message, description, context } = error as {
    message?: unknown;
    description?: unknown;
    context?: { itemIndex?: unknown };
  };
  return {
    message: String(message ?? ''),
    description: typeof description === 'string' ? description : '',
    itemIndex: context?.itemIndex,
  };
}

/** How n8n tells an error item from a result. */
function isErrorItem(json: IDataObject): boolean {
  return Object.keys(json).sort().join() === 'details,error,message';
}
