import type {
  IDataObject,
  IExecuteFunctions,
  INode,
  INodeExecutionData,
  INodeParameters,
  INodeProperties,
  INodePropertyOptions,
  IPairedItemData,
} from 'n8n-workflow';

import { isRow, type Row } from '../run/answers/rows';
import { continuing } from './failures';
import { isTool } from './n8n-versions';
import { placeOf } from './parameters/read';
import { listed } from './parameters/values';

/*
 * What is different when an agent runs a node as its tool; nothing else knows of agents. There is one
 * item: what the model filled in and, in AI Agent 3, all that the agent itself was given, such as the
 * headers of a webhook.
 */

/** Parameters that hold one company. Models put several into them. */
const OF_A_COMPANY = [
  'domain',
  'identifier',
  'identifierA',
  'identifierB',
  'partnerDomain',
  'vendorDomain',
];

const DOMAIN = 'a domain such as hubspot.com';

/** What a model has to give for some parameters. */
const WANTED: Readonly<Record<string, string>> = {
  domain: DOMAIN,
  identifier: `${DOMAIN}, or the slug of a company`,
  identifierA: `for each of the two companies ${DOMAIN}, or its slug`,
  jobId: 'a job_id',
  listId: 'a list_id',
  partnerDomain: DOMAIN,
  techKey: 'a tech_key such as hubspot, which Search Technologies finds',
  vendorDomain: DOMAIN,
};

const PARTNER = 'partner_name, partner_domain, partnership_type, last_observed_at';

/** What a model reads of each row of a list unless told otherwise, by a parameter beside Limit. */
const READ: Readonly<Record<string, string>> = {
  simplify:
    'domain, company_name, industry, employee_range, country, tier, technology_names, last_seen_at',
  identifier: PARTNER,
  identifierA: PARTNER,
};

/**
 * What a node shows of an operation where it is the tool of an agent: what the model is told of it, which
 * n8n by itself would take from the action alone, that says nothing of cost or input; and what it reads.
 */
export function toolProperties(
  { action = '', description = '' }: INodePropertyOptions,
  properties: readonly INodeProperties[],
): INodeProperties[] {
  const wanted = properties.flatMap(({ name }) => WANTED[name] ?? []);
  const input = wanted.length === 0 ? '' : ` Input: ${wanted.join('; ')}.`;
  const isList = properties.some(({ name }) => name === 'limit');
  const [read = ''] = isList ? properties.flatMap(({ name }) => READ[name] ?? []) : [];
  const displayOptions = { show: { '@tool': [true] } };
  return [
    {
      displayName: 'Tool Description',
      name: 'toolDescription',
      type: 'string',
      typeOptions: { rows: 3 },
      default: `${action}. ${description}${input}`,
      description: 'What the model is told about this tool',
      displayOptions,
    },
    {
      displayName: 'Selected Fields',
      name: 'selectedFields',
      type: 'string',
      default: read,
      placeholder: 'e.g. company_name, domain',
      description:
        'The fields of each result that the model reads, separated by commas; empty for all that have a value. A result that has none of them comes whole.',
      displayOptions,
    },
  ];
}

/** Models pay for each word: a result as they read it. What failed they read as a whole. */
function readByModel(json: IDataObject, selected: readonly unknown[]): IDataObject {
  if ('error' in json) return json;
  const chosen = Object.entries(json).filter(([name]) => selected.includes(name));
  if (chosen.length > 0) return Object.fromEntries(chosen);
  return Object.fromEntries(
    Object.entries(json).filter(([, value]) => value !== null && value !== ''),
  );
}

/** What runs on all items of a context. */
type Execute = (
  context: IExecuteFunctions,
) => INodeExecutionData[][] | Promise<INodeExecutionData[][]>;

/** An agent waits for the answer meanwhile; it can ask for the job again. */
const LONGEST_WAIT_MINUTES = 0.75;

/**
 * The options of a node that an agent runs. The result comes alone, because the input is the agent's own
 * and none of its model's business, and by the one output that agents get.
 */
function ofTool(options: Row): Row {
  const { maxWaitMinutes = Infinity } = options;
  return {
    ...options,
    output: 'result',
    runReport: false,
    waitMode: 'inExecution',
    maxWaitMinutes:
      Number(maxWaitMinutes) > LONGEST_WAIT_MINUTES ? LONGEST_WAIT_MINUTES : maxWaitMinutes,
  };
}

/**
 * Runs a node; see {@link continuing}. For an agent it is run as if each company that the model named in
 * one argument came as an item of its own, so that each has its result.
 */
export async function runNode(
  context: IExecuteFunctions,
  execute: Execute,
): Promise<INodeExecutionData[][]> {
  if (!isTool(context)) return await continuing(context, async () => await execute(context));
  const tool = asTool(context);
  return await continuing(tool, async () => await forModel(tool, execute));
}

/**
 * A context with what agents need, whatever the node's settings say. A model never sees why its tool
 * failed: of an error that is thrown it gets an empty answer (AI Agent 2) or the message without the hint
 * (3). So it gets error items.
 */
function asTool(context: IExecuteFunctions): IExecuteFunctions {
  const node: INode = { ...context.getNode(), onError: 'continueRegularOutput' };
  const own = { getNode: () => node, continueOnFail: () => true };
  return differing(context, own, (ask) => (name, ...more) => {
    const given = ask(name, ...more);
    return name === 'options' && isRow(given) ? ofTool(given) : given;
  });
}

async function forModel(
  context: IExecuteFunctions,
  execute: Execute,
): Promise<INodeExecutionData[][]> {
  const selected = listed(context.getNodeParameter('selectedFields', 0, ''), /,/);
  const rows = context.getInputData().flatMap((_item, itemIndex) => rowsOf(context, itemIndex));
  const outputs = await execute(withRows(context, rows));
  const originOf = (row: number): IPairedItemData => ({ item: rows[row]?.itemIndex ?? 0 });
  return outputs.map((items) =>
    items.map((item) => ({
      ...item,
      json: readByModel(item.json, selected),
      pairedItem: pairedWith(item, originOf),
    })),
  );
}

/**
 * The companies in what a model gave for one: a list, a list in JSON, or names with commas, semicolons,
 * lines or just words between them.
 */
export function companiesIn(value: unknown): unknown[] {
  const entries = listed(value, /[,;\n]/).flatMap((entry) => {
    if (typeof entry !== 'string') return [entry];
    const domains = entry.split(/\s+/).filter((word) => /[^.]\.[^.]/.test(word));
    return domains.length > 1 ? domains : [entry];
  });
  return entries.length > 0 ? entries : [value];
}

interface AgentRow {
  /** The item it comes from. */
  readonly itemIndex: number;
  /** Values of parameters in place of those that the item has. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** Of a pair of companies each with each. */
function rowsOf(context: IExecuteFunctions, itemIndex: number): AgentRow[] {
  const given = placeOf(context, itemIndex);
  const { parameters } = context.getNode();
  return OF_A_COMPANY.filter((name) => name in parameters).reduce<AgentRow[]>(
    (rows, name) => {
      const companies = companiesIn(given.get(name));
      return rows.flatMap(({ values }) =>
        companies.map((company) => ({ itemIndex, values: new Map([...values, [name, company]]) })),
      );
    },
    [{ itemIndex, values: new Map() }],
  );
}

/** The same context with other items. */
function withRows(context: IExecuteFunctions, rows: readonly AgentRow[]): IExecuteFunctions {
  const items = context.getInputData();
  const node = context.getNode();
  const named = [...(rows[0]?.values.keys() ?? [])].map((name) => [name, AN_EXPRESSION]);
  const parameters = { ...node.parameters, ...Object.fromEntries(named) } as INodeParameters;
  const own = {
    getInputData: () => rows.map(({ itemIndex }) => items[itemIndex] ?? { json: {} }),
    getNode: () => ({ ...node, parameters }),
  };
  return differing(context, own, (ask) => (name, index, ...rest) => {
    const { itemIndex = index, values } = rows[index] ?? {};
    return values?.has(name) === true ? values.get(name) : ask(name, itemIndex, ...rest);
  });
}

/** Stands for a parameter that each row has a value of its own for. */
const AN_EXPRESSION = '=';

/** Asks for a parameter of an item. */
type Ask = (name: string, itemIndex: number, ...rest: unknown[]) => unknown;

/** A context that differs from the one it is made of. */
function differing(
  context: IExecuteFunctions,
  own: Partial<IExecuteFunctions>,
  getNodeParameter: (ask: Ask) => Ask,
): IExecuteFunctions {
  return Object.assign(Object.create(context) as IExecuteFunctions, own, {
    getNodeParameter: getNodeParameter(context.getNodeParameter.bind(context) as Ask),
  });
}

function pairedWith(
  { pairedItem }: INodeExecutionData,
  originOf: (row: number) => IPairedItemData,
): INodeExecutionData['pairedItem'] {
  if (Array.isArray(pairedItem)) return pairedItem.map(({ item }) => originOf(item));
  if (pairedItem === undefined) return undefined;
  return originOf(typeof pairedItem === 'number' ? pairedItem : pairedItem.item);
}
