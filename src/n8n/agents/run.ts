import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INode,
  type INodeExecutionData,
  type IPairedItemData,
} from 'n8n-workflow';

import { isRow, type Row } from '../../client/values';
import { NO_FIGURES, type Figures } from '../../run/figures';
import { continuing } from '../failures';
import { callerOf, isTool } from '../n8n-versions';
import { runsOf } from '../open-run';
import { listed, numberOf } from '../parameters/values';
import { noteItem, shortened } from './answer';
import { differing, ownerOf, readAsked, withRows, type Asked, type AskedRow } from './asked';
import { boundsOf, optionsIn, withBounds } from './bounds';
import { inConversation, type Spent } from './conversation';
import { noteOf } from './note';
import { perAgentRun } from './properties';
import { forModels } from './words';

/*
 * Runs a node as the tool of an agent; no other code knows about agents. There is one input item: what
 * the model filled in and, in AI Agent 3, the agent's own input, such as the headers of a webhook.
 */

/** Runs an operation on all items of a context. */
type Execute = (
  context: IExecuteFunctions,
) => INodeExecutionData[][] | Promise<INodeExecutionData[][]>;

/**
 * Runs a node; see {@link continuing}. For an agent, each company that the model named in one argument
 * is handled as a separate item, so each gets its own result.
 *
 * @throws {NodeOperationError} If the caller is an MCP client and everything failed.
 */
export async function runNode(
  context: IExecuteFunctions,
  execute: Execute,
): Promise<INodeExecutionData[][]> {
  if (!isTool(context)) return await continuing(context, async () => await execute(context));
  const tool = asTool(context);
  const outputs = await continuing(tool, async () => {
    const limit = numberOf(tool.getNodeParameter(perAgentRun.name, 0, 0), perAgentRun.displayName, {
      min: 0,
      whole: true,
    });
    return await inConversation(tool.getExecutionId(), limit, async (left) => {
      return await forModel(tool, execute, left);
    });
  });
  if (callerOf(context)?.type.endsWith('.mcpTrigger') === true) refuseFailed(context, outputs);
  return outputs;
}

/**
 * Throws if all results failed. MCP has an error flag, which n8n's MCP Server Trigger sets only for what
 * a tool throws. Partial failures stay results.
 */
function refuseFailed(context: IExecuteFunctions, [items = []]: INodeExecutionData[][]): void {
  const results = items.filter(({ json }) => !('note' in json));
  if (results.length === 0 || !results.every(({ json }) => isFailed(json))) return;
  const told = items.flatMap(({ json: { error, message, note } }) =>
    [message, isRow(error) ? error.hint : undefined, note].flatMap((text) => textIn(text) ?? []),
  );
  throw new NodeOperationError(context.getNode(), [...new Set(told)].join('\n'));
}

/**
 * Returns a context that produces error items, whatever On Error says. A model never sees why its tool
 * failed: for a thrown error it gets an empty response (AI Agent 2) or the message without the hint (3).
 */
function asTool(context: IExecuteFunctions): IExecuteFunctions {
  const node: INode = { ...context.getNode(), onError: 'continueRegularOutput' };
  const own = { getNode: () => node, continueOnFail: () => true };
  return differing(context, own, (ask) => ask);
}

/** Runs a call for a model, and returns its items and cost. */
async function forModel(
  context: IExecuteFunctions,
  execute: Execute,
  left: number,
): Promise<Spent<INodeExecutionData[][]>> {
  const asked = await readAsked(context);
  const bounds = await boundsOf(context, asked.rows.length, left);
  const own = withBounds(withRows(context, asked.rows), bounds);
  const [items = []] = await continuing(own, async () => await execute(own));
  const runs = runsOf(own);
  const figures = sumOf(runs.map(({ run }) => run.figures));
  const results = resultsOf(items, asked, context);
  const short = shortened(results);
  const note = noteOf({
    ...askedFor(own, asked, items),
    shortened: short,
    figures,
    isByCredits: bounds.isByCredits,
    warnings: runs.flatMap(({ told }) => told).map(forModels),
  });
  const told = short.results.map((json, index) => ({
    ...items[index],
    json,
    pairedItem: pairedWith(items[index], asked),
  }));
  const last = note === undefined ? [] : [{ json: noteItem(note), pairedItem: { item: 0 } }];
  return { value: [[...told, ...last]], credits: figures.creditsAtMost };
}

/** Returns results for the model; if there were several requests, each names its company. */
function resultsOf(
  items: readonly INodeExecutionData[],
  asked: Asked,
  context: IExecuteFunctions,
): IDataObject[] {
  const selected = listed(context.getNodeParameter('selectedFields', 0, ''), /,/);
  const hints = new Set<unknown>();
  return items.map((item) => {
    const json = readByModel(item.json, selected, hints);
    const row = asked.rows.length > 1 ? rowOf(item, asked) : undefined;
    if (row === undefined) return json;
    const owner = Object.entries(ownerOf(row)).map(([name, given]): [string, string] => [
      name,
      textIn(item.json[name]) ?? given,
    ]);
    return { ...Object.fromEntries<string>(owner), ...json };
  });
}

/** Returns the selected fields that have a value, because models pay for each word. Errors stay whole. */
function readByModel(
  json: IDataObject,
  selected: readonly unknown[],
  hints: Set<unknown>,
): IDataObject {
  if (isFailed(json)) return withHintOnce(json, hints);
  const known = Object.entries(json).filter(([, value]) => value !== null && value !== '');
  const chosen = known.filter(([name]) => selected.includes(name));
  return Object.fromEntries(chosen.length > 0 ? chosen : known);
}

/** Successful jobs have an `error` that is null. */
function isFailed({ error }: IDataObject): boolean {
  return error !== undefined && error !== null;
}

/** Keeps each hint only once, and only the sentences that help a model. */
function withHintOnce({ error, ...json }: IDataObject, hints: Set<unknown>): IDataObject {
  if (!isRow(error) || typeof error.hint !== 'string') return { ...json, error };
  const { hint, ...rest } = error;
  const told = forModels(hint);
  const isNew = told !== '' && !hints.has(told);
  hints.add(told);
  return { ...json, error: isNew ? { ...rest, hint: told } : rest };
}

/** Returns the facts about a request for the note. */
function askedFor(context: IExecuteFunctions, asked: Asked, items: readonly INodeExecutionData[]) {
  const { parameters } = context.getNode();
  const { header, offset = 0 } = optionsIn(context);
  const { offset: given } = isRow(parameters.options) ? (parameters.options as Row) : {};
  const isCounted = context.getNodeParameter('countOnly', 0, false) === true || header === 'only';
  const isList = 'returnAll' in parameters && !isCounted;
  const came = new Set(items.map((item) => rowOf(item, asked)));
  const none = asked.rows.filter((row) => asked.rows.length > 1 && !came.has(row));
  return {
    rows: isList ? items.filter(({ json }) => !isFailed(json)).length : undefined,
    offset: asked.rows.length > 1 ? undefined : Number(offset),
    hasOffset: typeof given === 'string' && given.startsWith('='),
    empty: none.map((row) => Object.values(ownerOf(row)).join(' and ')),
    given: asked.given,
    asked: asked.rows.length,
    jobs: [...new Set(items.flatMap(({ json }) => runningJob(json)))],
  };
}

function runningJob({ status, job_id: id }: IDataObject): string[] {
  return status === 'still_running' && typeof id === 'string' ? [id] : [];
}

function sumOf(all: readonly Figures[]): Figures {
  return all.reduce(
    (sum, one) =>
      Object.fromEntries(
        Object.entries(sum).map(([name, number]: [string, number]) => [
          name,
          number + one[name as keyof Figures],
        ]),
      ) as unknown as Figures,
    NO_FIGURES,
  );
}

function rowOf({ pairedItem }: INodeExecutionData, { rows }: Asked): AskedRow | undefined {
  if (pairedItem === undefined || Array.isArray(pairedItem)) return undefined;
  return rows[typeof pairedItem === 'number' ? pairedItem : pairedItem.item];
}

/** Pairs an item with the input item that the model filled in. */
function pairedWith(
  item: INodeExecutionData | undefined,
  { rows }: Asked,
): INodeExecutionData['pairedItem'] {
  const of = (row: number): IPairedItemData => ({ item: rows[row]?.itemIndex ?? 0 });
  const { pairedItem } = item ?? {};
  if (Array.isArray(pairedItem)) return pairedItem.map(({ item: row }) => of(row));
  if (pairedItem === undefined) return undefined;
  return of(typeof pairedItem === 'number' ? pairedItem : pairedItem.item);
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
