import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INode,
  type INodeExecutionData,
} from 'n8n-workflow';

import { isRow, type Row } from '../../client/values';
import { NO_STATS, type RunStats } from '../../run/run-stats';
import { runWithOnError } from '../failures';
import { getCaller } from '../n8n-versions';
import { getOpenedRuns } from '../open-run';
import type { Execute } from '../operation';
import { parseList, parseNumber } from '../parameters/parsers';
import { toNoteItem, shortenResults } from './shorten-results';
import { overrideContext, readToolBounds, readOptions, withBounds } from './bounds';
import { runInAgentRun, type ToolCallResult } from './agent-credits';
import { formatNote } from './note';
import { creditsPerAgentRun } from './properties';
import { toModelHint } from './tool-description';

/*
 * Runs a node as the tool of an agent; apart from `operation.ts`, no other code knows about agents. There
 * is one input item: what the model filled in and, in AI Agent 3, the agent's own input, such as the
 * headers of a webhook.
 */

/**
 * Runs a node as a tool.
 *
 * @throws {NodeOperationError} If the caller is an MCP client and everything failed.
 */
export async function runTool(
  context: IExecuteFunctions,
  execute: Execute,
): Promise<INodeExecutionData[][]> {
  const tool = toToolContext(context);
  const outputs = await runWithOnError(tool, async () => {
    const limit = parseNumber(
      tool.getNodeParameter(creditsPerAgentRun.name, 0, 0),
      creditsPerAgentRun.displayName,
      {
        min: 0,
        whole: true,
      },
    );
    return await runInAgentRun(tool, limit, async (left) => {
      return await runForModel(tool, execute, left);
    });
  });
  if (getCaller(context)?.type.endsWith('.mcpTrigger') === true) throwIfAllFailed(context, outputs);
  return outputs;
}

/**
 * Throws if all results failed. MCP has an error flag, which n8n's MCP Server Trigger sets only for what
 * a tool throws. Partial failures stay results.
 */
function throwIfAllFailed(context: IExecuteFunctions, [items = []]: INodeExecutionData[][]): void {
  const results = items.filter(({ json }) => !('note' in json));
  if (results.length === 0 || !results.every(({ json }) => isFailed(json))) return;
  const texts = items.flatMap(({ json: { error, message, note } }) =>
    [message, isRow(error) ? error.hint : undefined, note].flatMap((text) => readText(text) ?? []),
  );
  throw new NodeOperationError(context.getNode(), [...new Set(texts)].join('\n'));
}

/**
 * Returns a context that produces error items, whatever On Error says. A model never sees why its tool
 * failed: for a thrown error it gets an empty response (AI Agent 2) or the message without the hint (3).
 */
function toToolContext(context: IExecuteFunctions): IExecuteFunctions {
  const node: INode = { ...context.getNode(), onError: 'continueRegularOutput' };
  const own = { getNode: () => node, continueOnFail: () => true };
  return overrideContext(context, own, (read) => read);
}

/** Runs a call for a model, and returns its items and cost. */
async function runForModel(
  context: IExecuteFunctions,
  execute: Execute,
  left: number,
): Promise<ToolCallResult<INodeExecutionData[][]>> {
  const bounds = await readToolBounds(context, left);
  const own = withBounds(context, bounds);
  const [items = []] = await runWithOnError(own, async () => await execute(own));
  const runs = getOpenedRuns(own);
  const figures = sumStats(runs.map(({ run }) => run.stats));
  const short = shortenResults(toModelResults(items, context));
  const note = formatNote({
    ...summarizeRequest(own, items),
    shortened: short,
    figures,
    isByCredits: bounds.isByCredits,
    warnings: runs.flatMap(({ warnings }) => warnings).map(toModelHint),
  });
  const output = short.results.map((json, index) => ({
    ...items[index],
    json,
  }));
  const last = note === undefined ? [] : [{ json: toNoteItem(note), pairedItem: { item: 0 } }];
  return { value: [[...output, ...last]], credits: figures.creditsAtMost };
}

/** Returns results for the model: each hint once, and the selected fields. */
function toModelResults(
  items: readonly INodeExecutionData[],
  context: IExecuteFunctions,
): IDataObject[] {
  const selected = parseList(context.getNodeParameter('selectedFields', 0, ''), /,/);
  const hints = new Set<unknown>();
  return items.map(({ json }) => toModelResult(json, selected, hints));
}

/** Returns the selected fields that have a value, because models pay for each word. Errors stay whole. */
function toModelResult(
  json: IDataObject,
  selected: readonly unknown[],
  hints: Set<unknown>,
): IDataObject {
  if (isFailed(json)) return dropRepeatedHint(json, hints);
  const known = Object.entries(json).filter(([, value]) => value !== null && value !== '');
  const chosen = known.filter(([name]) => selected.includes(name));
  return Object.fromEntries(chosen.length > 0 ? chosen : known);
}

/** Successful jobs have an `error` that is null. */
function isFailed({ error }: IDataObject): boolean {
  return error !== undefined && error !== null;
}

/** Keeps each hint only once, and only the sentences that help a model. */
function dropRepeatedHint({ error, ...json }: IDataObject, hints: Set<unknown>): IDataObject {
  if (!isRow(error) || typeof error.hint !== 'string') return { ...json, error };
  const { hint, ...rest } = error;
  const modelHint = toModelHint(hint);
  const isNew = modelHint !== '' && !hints.has(modelHint);
  hints.add(modelHint);
  return { ...json, error: isNew ? { ...rest, hint: modelHint } : rest };
}

/** Returns the facts about a request for the note. */
function summarizeRequest(context: IExecuteFunctions, items: readonly INodeExecutionData[]) {
  const { parameters } = context.getNode();
  const { offset = 0, countOnly = false } = readOptions(context);
  const { offset: given } = isRow(parameters.options) ? (parameters.options as Row) : {};
  const isCounted = context.getNodeParameter('countOnly', 0, countOnly) === true;
  const isList = 'returnAll' in parameters && !isCounted;
  return {
    rows: isList ? items.filter(({ json }) => !isFailed(json)).length : undefined,
    offset: Number(offset),
    hasOffset: typeof given === 'string' && given.startsWith('='),
    jobs: [...new Set(items.flatMap(({ json }) => findRunningJob(json)))],
  };
}

function findRunningJob({ status, job_id: id }: IDataObject): string[] {
  return status === 'still_running' && typeof id === 'string' ? [id] : [];
}

function sumStats(all: readonly RunStats[]): RunStats {
  return all.reduce(
    (sum, one) =>
      Object.fromEntries(
        Object.entries(sum).map(([name, number]: [string, number]) => [
          name,
          number + one[name as keyof RunStats],
        ]),
      ) as unknown as RunStats,
    NO_STATS,
  );
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
