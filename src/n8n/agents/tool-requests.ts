import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { readEndpointRows } from '../../service/read';
import { api } from '../../service/endpoints';
import { ServiceError } from '../../client/errors';
import { InputError, isTechKey, createInvalidTechKeyError } from '../../input/inputs';
import { LIMITS } from '../../input/limits';
import { mapInParallel } from '../../run/parallel';
import type { Run } from '../../run/run';
import { openRun } from '../open-run';
import { itemSource } from '../parameters/read';
import { parseList } from '../parameters/values';

/*
 * Reads the request of a model. Models put several companies into a parameter for one; each company
 * becomes a separate item, so each gets its own result.
 */

/** Parameters that hold one company or technology, and the result field that identifies it. */
const SUBJECT_FIELDS: Readonly<Record<string, string>> = {
  domain: 'domain',
  identifier: 'domain',
  identifierA: 'domain_a',
  identifierB: 'domain_b',
  partnerDomain: 'partner_domain',
  techKey: 'tech_key',
  vendorDomain: 'vendor_domain',
};

/** Maximum rows per call. */
export const MAX_ROWS_PER_CALL = 100;

/** One company, pair or technology in the request of a model. */
export interface ToolRequest {
  /** The item it comes from. */
  readonly itemIndex: number;
  /** Parameter values that replace those of the item; an error for an unusable value. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** The request of one call. */
export interface ToolRequests {
  readonly rows: readonly ToolRequest[];
  /** Number of rows before the limit was applied. */
  readonly given: number;
}

/** Reads the request of a call; for pairs, it combines each company A with each company B. */
export async function readToolRequests(context: IExecuteFunctions): Promise<ToolRequests> {
  const all = context
    .getInputData()
    .flatMap((_item, itemIndex) => readItemRequests(context, itemIndex));
  const rows = all.slice(0, MAX_ROWS_PER_CALL);
  return { rows: await resolveTechKeys(context, rows), given: all.length };
}

/** Returns the fields that say which company, pair or technology a result is about. */
export function getSubject({ values }: ToolRequest): Record<string, string> {
  const named = [...values].flatMap(([name, value]) =>
    typeof value === 'string' ? [[SUBJECT_FIELDS[name] ?? name, value] as const] : [],
  );
  return Object.fromEntries(named);
}

function readItemRequests(context: IExecuteFunctions, itemIndex: number): ToolRequest[] {
  const given = itemSource(context, itemIndex);
  const { parameters } = context.getNode();
  return Object.keys(SUBJECT_FIELDS)
    .filter((name) => name in parameters)
    .reduce<ToolRequest[]>(
      (rows, name) => {
        const companies = splitCompanies(given.get(name));
        return rows.flatMap(({ values }) =>
          companies.map((company) => ({
            itemIndex,
            values: new Map([...values, [name, company]]),
          })),
        );
      },
      [{ itemIndex, values: new Map() }],
    );
}

/**
 * Splits the value of a parameter for one company: a list, a list as JSON, or names separated by commas,
 * semicolons, line breaks or, for domains, spaces.
 */
export function splitCompanies(value: unknown): unknown[] {
  const entries = parseList(value, /[,;\n]/).flatMap((entry) => {
    if (typeof entry !== 'string') return [entry];
    const domains = entry.split(/\s+/).filter((word) => /[^.]\.[^.]/.test(word));
    return domains.length > 1 ? domains : [entry];
  });
  return entries.length > 0 ? entries : [value];
}

// --- Technologies by name ------------------------------------------------------------------------

/** Maximum search results to compare with a name. */
const CANDIDATES = 20;
/** Maximum number of keys that an error suggests. */
const SUGGESTED = 3;

/** Models write `Shopify` instead of a key; a free search finds the key. */
async function resolveTechKeys(
  context: IExecuteFunctions,
  rows: readonly ToolRequest[],
): Promise<readonly ToolRequest[]> {
  const names = new Set(rows.flatMap(({ values }) => readTechnologyName(values.get('techKey'))));
  if (names.size === 0) return rows;
  const found = new Map<unknown, unknown>();
  try {
    const run = await openRun(context, {});
    await mapInParallel([...names], async (name) => {
      found.set(name, await findTechKeyByName(run, name));
    });
  } catch {
    // What prevents the search also prevents the operation, which then reports it.
    return rows;
  }
  return rows.map(({ itemIndex, values }) => {
    const given = values.get('techKey');
    return { itemIndex, values: new Map([...values, ['techKey', found.get(given) ?? given]]) };
  });
}

/** Returns a technology that is not a valid key. */
function readTechnologyName(value: unknown): string[] {
  return typeof value === 'string' && value !== '' && !isTechKey(value) ? [value] : [];
}

/** Returns the key of the technology with exactly this name, or an error with similar keys. */
async function findTechKeyByName(run: Run, name: string): Promise<string | InputError | undefined> {
  try {
    const query = { q: name.slice(0, LIMITS.technologyQueryLength) };
    const { rows } = await readEndpointRows(run, api.technologies, query, { wanted: CANDIDATES });
    const wanted = name.toLowerCase();
    const keys = rows.flatMap(({ tech_key: key }) => (typeof key === 'string' ? [key] : []));
    const same = rows.find(({ display_name: shown }) => String(shown).toLowerCase() === wanted);
    if (typeof same?.tech_key === 'string') return same.tech_key;
    if (keys.includes(wanted)) return wanted;
    const { message } = createInvalidTechKeyError(name, keys.slice(0, SUGGESTED));
    return new InputError(message, 'Find the key by name with Search Technologies, which is free.');
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

// --- As items ------------------------------------------------------------------------------------

/** Marks a parameter as an expression, because each row has its own value. */
const AN_EXPRESSION = '=';

/** Reads a parameter of an item. */
export type ReadParameter = (name: string, itemIndex: number, ...rest: unknown[]) => unknown;

/** Returns a context whose items are the rows. */
export function withRequestsAsItems(
  context: IExecuteFunctions,
  rows: readonly ToolRequest[],
): IExecuteFunctions {
  const items = context.getInputData();
  const node = context.getNode();
  const named = [...(rows[0]?.values.keys() ?? [])].map((name) => [name, AN_EXPRESSION]);
  const parameters = { ...node.parameters, ...Object.fromEntries(named) } as INodeParameters;
  const own = {
    getInputData: () => rows.map(({ itemIndex }) => items[itemIndex] ?? { json: {} }),
    getNode: () => ({ ...node, parameters }),
  };
  return overrideContext(context, own, (read) => (name, index, ...rest) => {
    const { itemIndex = index, values } = rows[index] ?? {};
    if (values?.has(name) !== true) return read(name, itemIndex, ...rest);
    const value = values.get(name);
    if (value instanceof Error) throw value;
    return value;
  });
}

/** Returns a context that overrides parts of another. */
export function overrideContext(
  context: IExecuteFunctions,
  own: Partial<IExecuteFunctions>,
  getNodeParameter: (read: ReadParameter) => ReadParameter,
): IExecuteFunctions {
  return Object.assign(Object.create(context) as IExecuteFunctions, own, {
    getNodeParameter: getNodeParameter(context.getNodeParameter.bind(context) as ReadParameter),
  });
}
