import type { IDataObject } from 'n8n-workflow';

import { pathBelowV1, sendAnyRequest, type AnyMethod } from '../../src/api/any-request';
import { isRow } from '../../src/run/answers/rows';
import { once } from '../../src/n8n/once';
import {
  jsonOf,
  queryTextOf,
  textOf,
  type ItemParameters,
} from '../../src/n8n/per-item/parameters';
import { perItem, type Output } from '../../src/n8n/per-item/per-item';
import { METHODS } from './properties';

/** Any request below `/v1/`. */
export const send = perItem({
  plan: (parameters) => {
    const method = parameters.choice(parameters.get('method'), 'Method', METHODS, 'GET');
    return {
      method,
      path: pathBelowV1(textOf(parameters.get('path')) ?? ''),
      query: queryOf(parameters),
      body: bodyOf(parameters, method),
      // Reads that are alike are asked once; what changes something is done for each item.
      forItem: isRead(method) ? undefined : parameters.itemIndex,
    };
  },
  ask: async ({ forItem, ...request }, { run, context }) => {
    const act = async () => await sendAnyRequest(run, request);
    const answer =
      forItem === undefined
        ? await act()
        : await once(context, forItem, JSON.stringify(request), act);
    return outputsOf(answer);
  },
});

function isRead(method: AnyMethod): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** A name that stands there several times is sent several times. */
function queryOf(parameters: ItemParameters): Record<string, string[]> {
  const rows = parameters.in('query', 'parameters');
  // A name may be any word, "constructor" and "__proto__" too.
  const query = new Map<string, string[]>();
  for (const row of Array.isArray(rows) ? rows.filter(isRow) : []) {
    const name = queryTextOf(row.name, 'Name of a query parameter');
    if (name === undefined) continue;
    const value = queryTextOf(row.value, `Query parameter ${name}`) ?? '';
    query.set(name, [...(query.get(name) ?? []), value]);
  }
  return Object.fromEntries(query);
}

function bodyOf(parameters: ItemParameters, method: AnyMethod): unknown {
  if (isRead(method)) return undefined;
  return jsonOf(parameters.get('body'), 'Body');
}

/** A list becomes one item for each of its entries; everything else one item. */
function outputsOf(answer: unknown): Output[] {
  if (Array.isArray(answer)) {
    return answer.map((entry: unknown) => ({
      json: isRow(entry) ? asJson(entry) : { value: asValue(entry) },
    }));
  }
  if (isRow(answer)) return [{ json: asJson(answer) }];
  return [{ json: answer === undefined ? { success: true } : { data: asValue(answer) } }];
}

function asJson(row: Record<string, unknown>): IDataObject {
  return row as IDataObject;
}

function asValue(value: unknown): IDataObject[string] {
  return value as IDataObject[string];
}
