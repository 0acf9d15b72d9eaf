/** One cell of the matrix: one variant of an operation, one fault, one On Error setting. */
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';

import type { IDataObject, INodeExecutionData, WorkflowExecuteMode } from 'n8n-workflow';

import {
  node,
  source,
  startWorkflow,
  type NodeOptions,
  type WorkflowRun,
} from '../../engine/harness';
import type { Fault } from '../faults';
import type { CameOut, Happened, Said, Stopped } from '../judge/record';
import type { Variant } from '../operations/variants';
import { prepare, type Slot } from '../service/slots';
import type { TestService } from '../../src/client/support/service';

export type OnError = NonNullable<NodeOptions['onError']>;

export interface Cell {
  readonly variant: Variant;
  readonly fault: Fault;
  readonly onError: OnError;
  /** How often n8n may run the node, by default once. */
  readonly tries?: number;
  /** By default, a run from the editor. */
  readonly mode?: WorkflowExecuteMode;
  /**
   * Whether to find each item's source with n8n's expressions too, which takes long, and not only
   * by its link.
   */
  readonly traced?: boolean;
}

/** A run that takes more seconds than this hangs. Waits that the service requests are shorter. */
const HANGS_AFTER = 40;

let keys = 0;

/**
 * Runs a cell. The same cell always gives the same record, apart from its key.
 *
 * @param change Returns the items to use instead of the usual ones.
 */
export async function runCell(
  cell: Cell,
  slot: Slot,
  stranger: TestService,
  change: (usual: readonly IDataObject[]) => IDataObject[] = (usual) => [...usual],
): Promise<{ happened: Happened; key: string; given: readonly IDataObject[] }> {
  const { variant, fault, onError, tries = 1, mode = 'manual', traced = false } = cell;
  const { sandbox, front } = slot;
  const { items, chargedBefore } = await prepare(slot, variant);
  const given = change(items);
  const heard = stranger.received.length;
  // No other cell uses this key, so that cells do not affect each other.
  const key = `ck+/${keys++}.Kq7zVw=9pLm`;
  front.begin({
    key,
    serviceKey: sandbox.keys.user,
    strike: fault.strike,
    // Another host name makes the URL another host, not only another port.
    strangerUrl: stranger.baseUrl.replace('127.0.0.1', 'localhost'),
  });
  const running = await startWorkflow({
    nodes: [
      source(given),
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
      },
    },
    ...(traced
      ? { trace: { node: variant.name, expression: "={{ $('Source').item.json.id }}" } }
      : {}),
  });
  const inTime = await endsInTime(running.finished);
  if (!inTime) running.cancel();
  const run = await running.finished;
  const { created, charged } = sandbox.report();
  const happened: Happened = {
    inTime,
    ...readRun(run, cell, given),
    asked: front.asked,
    created,
    charged: charged - chargedBefore,
    transcript: transcriptOf(run),
    heardByStranger: stranger.received
      .slice(heard)
      .map(({ method, url, headers }) => `${method} ${url} ${JSON.stringify(headers)}`),
  };
  return { happened, key, given };
}

/**
 * Counts only seconds in which this process ran, so that a busy machine does not look like a hang.
 */
async function endsInTime(finished: Promise<unknown>): Promise<boolean> {
  const over = finished.then(() => true);
  for (let second = 0; second < HANGS_AFTER; second++) {
    const timer = new AbortController();
    const passed = setTimeout(1000, false, { signal: timer.signal }).catch(() => false);
    if (await Promise.race([over, passed])) {
      timer.abort();
      return true;
    }
  }
  return false;
}

/**
 * Returns everything that n8n stores of a run. `matrix.ts` searches the logs once for all cells.
 */
function transcriptOf({ record, uiMessages }: WorkflowRun): string {
  const everything = { record, uiMessages };
  // JSON omits properties of errors that are not enumerable, but `inspect` shows them.
  const limits = { depth: 12, maxArrayLength: 200, maxStringLength: 20_000, showHidden: true };
  const inspected = inspect(everything, limits);
  try {
    return `${JSON.stringify(everything)}\n${inspected}`;
  } catch {
    // It is too deep for JSON.
    return inspected;
  }
}

function readRun(
  run: WorkflowRun,
  { variant: { name }, onError, traced = false }: Cell,
  given: readonly IDataObject[],
): Pick<Happened, 'items' | 'stopped' | 'hints'> {
  const hasRun = run.runs(name).length > 0;
  const hints = hasRun ? run.messages(name) : [];
  if (!hasRun || run.error !== undefined) {
    return { items: [], stopped: stoppedBy(run.error ?? {}), hints };
  }
  const outputs = run.runs(name).at(-1)?.data?.['main']?.length ?? 1;
  // n8n adds the error output after the node's own outputs.
  const errorOutput = onError === 'continueErrorOutput' ? outputs - 1 : outputs;
  const read = (output: number): CameOut[] => {
    const found = traced ? run.traced(output) : undefined;
    return run.output(name, output).map(({ json, binary, pairedItem }, index) => ({
      json,
      binary,
      from: sourcesOf(pairedItem, given, found?.[index]),
      said:
        saidBy(json) ??
        (output === errorOutput ? { message: json['message'], hint: undefined } : undefined),
    }));
  };
  return {
    items: [...read(0), ...(errorOutput < outputs ? read(errorOutput) : [])],
    stopped: undefined,
    hints,
  };
}

/**
 * Returns the IDs of the input items that the links lead to. A broken link is returned as it is.
 *
 * @param traced The item that n8n's expressions find; they cannot follow a link to several items.
 */
function sourcesOf(
  links: INodeExecutionData['pairedItem'],
  given: readonly IDataObject[],
  traced: unknown,
): unknown[] {
  const list = Array.isArray(links) ? links : links === undefined ? [] : [links];
  if (traced !== undefined && list.length === 1) return [traced];
  return list.map((link) => given[typeof link === 'number' ? link : link.item]?.['id'] ?? link);
}

function stoppedBy(error: object): Stopped {
  const { message, description, context } = error as Partial<Record<string, unknown>>;
  return {
    message: typeof message === 'string' ? message : '',
    description: typeof description === 'string' ? description : '',
    itemIndex: (context as { itemIndex?: unknown } | undefined)?.itemIndex,
  };
}

/**
 * Returns the failure in an error item, or in a row
 * that keeps its input fields; undefined for a result.
 */
function saidBy(json: IDataObject): Said | undefined {
  // n8n detects an error item in this way.
  const about = json['error'] as IDataObject | string | undefined;
  if (typeof about === 'object' && typeof json['message'] === 'string') {
    return { message: json['message'], hint: about['hint'] };
  }
  for (const part of Object.values(json) as Array<IDataObject | string | null | undefined>) {
    if (typeof part !== 'object' || part?.['status'] !== 'error' || !('details' in part)) continue;
    return { message: part['message'], hint: (part['details'] as IDataObject | null)?.['hint'] };
  }
  // The same failure, written as columns, which have no hint.
  const status = Object.keys(json).find((name) => /.status$/.test(name) && json[name] === 'error');
  const prefix = status?.slice(0, -'status'.length);
  if (prefix === undefined || !json[`${prefix}error`]) return undefined;
  const message = json[`${prefix}message`];
  return { message, hint: message };
}
