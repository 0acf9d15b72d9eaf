import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INode,
  type INodeExecutionData,
} from 'n8n-workflow';

import { isJsonObject } from '../../values/json';
import { stripInvisible, toText, truncateText, formatCount, formatNumber } from '../../values/text';
import { InputError } from '../../input/inputs';
import { findFirstOfSeveral } from '../../input/several';
import { NO_STATS } from '../../run/run-stats';
import { LIST_SEPARATOR } from '../../service/flat-company';
import { runWithOnError } from '../failures';
import { formatCost, warnAboutExcess } from '../run-hints';
import { getCaller } from '../n8n-versions';
import { getOpenedRuns } from '../open-run';
import { parseList } from '../parameters/parsers';
import { createItemSource } from '../parameters/readers';

/*
 * Runs a node as the tool of an agent. There is one input item: what the model filled in and, in AI
 * Agent 3, the agent's own input, such as the headers of a webhook, which no result may contain.
 */

const MAX_ROWS = 500;
/** Of a text, of a response with its note, and of the note. */
const MAX_TEXT_LENGTH = 500;
const MAX_RESPONSE_LENGTH = 20_000;
const MAX_NOTE_LENGTH = 1400;
const MIN_RESULT_LENGTH = 2000;

type Outputs = INodeExecutionData[][];

/** @throws {NodeOperationError} If the caller is an MCP client and everything failed. */
export async function runTool(
  context: IExecuteFunctions,
  execute: (context: IExecuteFunctions) => Outputs | Promise<Outputs>,
): Promise<Outputs> {
  // A model never sees the hint of a thrown error, and in AI Agent 2 not even its message.
  const node: INode = { ...context.getNode(), onError: 'continueRegularOutput' };
  const own = override(context, { getNode: () => node, continueOnFail: () => true });
  const [items = []] = await runWithOnError(own, async () => {
    const { tool, ignored } = createBoundContext(own);
    const [results = []] = await runWithOnError(tool, async () => await execute(tool));
    return [toResponse(tool, results, ignored)];
  });
  // MCP has an error flag, which n8n's MCP Server Trigger sets only for what a tool throws.
  const isForMcp = getCaller(context)?.type.endsWith('.mcpTrigger') === true;
  const results = items.filter(({ json }) => !('note' in json));
  if (!isForMcp || results.length === 0 || !results.every(isFailed)) return [items];
  const texts = items.flatMap(({ json: { error, message, note } }) =>
    [message, isJsonObject(error) && error.hint, note].filter(Boolean),
  );
  throw new NodeOperationError(node, [...new Set(texts)].join('\n'));
}

/** Successful jobs have an `error` that is null. */
function isFailed({ json: { error } }: INodeExecutionData): boolean {
  return error !== undefined && error !== null;
}

function override(context: IExecuteFunctions, own: object): IExecuteFunctions {
  return Object.assign(Object.create(context) as IExecuteFunctions, own);
}

const SINGLE = [
  ...['domain', 'identifier', 'identifierA', 'identifierB', 'partnerDomain', 'vendorDomain'],
  ...['techKey', 'jobId'],
];

/** The agent can get a running job later. Results never contain fields of the agent's input. */
const OPTIONS = { output: 'result', maxWaitMinutes: 0 };

function createBoundContext(context: IExecuteFunctions) {
  const node = context.getNode();
  const parameters = { ...node.parameters };
  const bounds: Record<string, (value: unknown) => unknown> = {
    filters: assertNotAllEmpty,
    graphOutput: (value) => (value === 'rows' ? value : 'single'),
    limit: (value) => (Number(value) > MAX_ROWS ? MAX_ROWS : value),
    options: (value) => (isJsonObject(value) ? { ...value, ...OPTIONS } : value),
    // Models cannot read files.
    output: (value) => (['csv', 'items', 'ndjson'].includes(String(value)) ? 'items' : 'result'),
    returnAll: () => node.parameters.returnAll === true,
  };
  const source = createItemSource(context, 0);
  const ignored = SINGLE.filter((name) => name in parameters).flatMap((name) => {
    const first = findFirstOfSeveral(source.get(name), name === 'domain');
    if (first === undefined) return [];
    bounds[name] = () => first.text;
    // Without its expression, because readers take a field directly from the item.
    parameters[name] = '';
    const others = first.others === 1 ? '1 other was' : `${formatNumber(first.others)} others were`;
    return `Only ${first.key} was looked up; ${others} ignored. Call again for each.`;
  });
  const read = context.getNodeParameter.bind(context) as (...given: unknown[]) => unknown;
  const getNodeParameter = (name: string, ...rest: unknown[]) =>
    (bounds[name] ?? ((value) => value))(read(name, ...rest));
  const getNode = () => ({ ...node, parameters });
  return { tool: override(context, { getNode, getNodeParameter }), ignored };
}

/** Empty filters would match every company and cost a page of them. */
function assertNotAllEmpty(filters: unknown): unknown {
  const values = isJsonObject(filters) ? Object.values(filters) : [];
  if (values.length === 0 || values.some((value) => !['', '[]'].includes(toText(value))))
    return filters;
  throw new InputError(
    'All filters are empty, so every company would match',
    'Enter part of the name. Nothing was sent.',
  );
}

/** The note tells the model what n8n's editor shows as hints. */
function toResponse(
  context: IExecuteFunctions,
  items: INodeExecutionData[],
  ignored: readonly string[],
): INodeExecutionData[] {
  const selected = parseList(context.getNodeParameter('selectedFields', 0, ''), /,/);
  const cut = new Set<string>();
  let room = MAX_RESPONSE_LENGTH - MAX_NOTE_LENGTH - 100;
  const share = Math.max(MIN_RESULT_LENGTH, Math.floor(room / Math.max(1, items.length)) - 1);
  const output: INodeExecutionData[] = [];
  for (const item of items) {
    const text = shorten(isFailed(item) ? item.json : select(item.json, selected), share, cut);
    room -= text.length + 1;
    if (room < 0) break;
    output.push({ ...item, json: JSON.parse(text) as IDataObject });
  }
  const [opened] = getOpenedRuns(context);
  const stats = opened?.run.stats ?? NO_STATS;
  const options: unknown = context.getNodeParameter('options', 0, {});
  const { countOnly, offset = 0 } = isJsonObject(options) ? options : {};
  const isCounted = countOnly === true || context.getNodeParameter('countOnly', 0, false) === true;
  const isList = 'returnAll' in context.getNode().parameters && !isCounted;
  const cutOff = items.length - output.length;
  const rows = items.filter((item) => !isFailed(item) && item.json.status !== 'skipped').length;
  const [shown, all] = isList ? [rows - cutOff, rows + stats.left] : [output.length, items.length];
  const has = (status: string) => items.some(({ json }) => json.status === status);
  const sentences: Array<[isSaid: boolean, text: string]> = [
    [items.length === 0, 'No results: nothing matches.'],
    [shown < all, `${formatNumber(shown)} of ${formatCount(all, isList ? 'row' : 'result')}.`],
    [cutOff > 0, 'The others were omitted to keep the response short; reading them again is free.'],
    [cut.size > 0, `Too long and cut: ${[...cut].slice(0, 5).join(', ')}.`],
    [has('skipped'), 'The same call is skipped again.'],
    [stats.creditsAtMost > 0, formatCost(stats)],
    [isList && shown < all, `More rows start at Offset ${formatNumber(Number(offset) + shown)}.`],
    [
      has('still_running'),
      'Still running: later, use Get Job with this job_id. Do not start it again.',
    ],
  ];
  const excess = opened === undefined ? [] : warnAboutExcess(opened.run.credits);
  const said = sentences.flatMap(([isSaid, text]) => (isSaid ? [text] : []));
  said.push(...excess.map(({ message }) => message));
  const note = stripInvisible([...ignored, ...said, ...new Set(opened?.warnings)].join(' '));
  if (note === '') return output;
  const last = { json: { note: truncateText(note, MAX_NOTE_LENGTH) }, pairedItem: { item: 0 } };
  return [...output, last];
}

/** Without empty values, because models pay for each word. */
function select(json: IDataObject, selected: readonly unknown[]): IDataObject {
  const known = Object.entries(json).filter(([, value]) => value !== null && value !== '');
  const chosen = known.filter(([name]) => selected.includes(name));
  return Object.fromEntries(chosen.length > 0 ? chosen : known);
}

/** With texts cut, and with as many entries of lists as fit. */
function shorten(json: IDataObject, room: number, cut: Set<string>): string {
  for (let most = 1000; ; most = Math.floor(most / 2)) {
    const fields = new Set<string>();
    let field = 'result';
    const short = JSON.stringify(json, (key, given: unknown) => {
      if (!/^\d*$/.test(key)) field = key;
      const value = typeof given === 'string' ? shortenText(given) : given;
      if (typeof value === 'string' && value !== given && value.endsWith('…')) fields.add(field);
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value);
      if (entries.length <= most) return value;
      fields.add(field);
      return Array.isArray(value)
        ? value.slice(0, most)
        : Object.fromEntries(entries.slice(0, most));
    });
    if (short.length > room) continue;
    for (const name of fields) cut.add(name);
    return short;
  }
}

/** Several names in one column become a list, so none is cut. */
function shortenText(given: string): string | string[] {
  const text = stripInvisible(given);
  if (text.length <= MAX_TEXT_LENGTH) return text;
  return text.includes(LIST_SEPARATOR)
    ? text.split(LIST_SEPARATOR)
    : truncateText(text, MAX_TEXT_LENGTH - 1);
}
