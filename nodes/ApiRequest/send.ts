import type { IDataObject } from 'n8n-workflow';

import {
  isKeyless,
  isReadMethod,
  normalizePath,
  sendAnyRequest,
} from '../../src/service/any-request';
import { InputError } from '../../src/input/inputs';
import { WITHOUT_KEY } from '../../src/n8n/open-run';
import {
  choice,
  parameter,
  type ParameterSource,
  type Parameter,
} from '../../src/n8n/parameters/declare';
import {
  parseJsonParameter,
  parseQueryText,
  readOptionalText,
} from '../../src/n8n/parameters/parsers';
import { forEachItem } from '../../src/n8n/items/per-item';
import type { Output } from '../../src/n8n/items/row-result';
import { isJsonObject } from '../../src/values/json';

const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const;

const WITH_BODY = ['DELETE', 'PATCH', 'POST', 'PUT'];

const method = choice({
  displayName: 'Method',
  name: 'method',
  type: 'options',
  noDataExpression: true,
  options: METHODS.map((method) => ({ name: method, value: method })),
  default: 'GET',
  description:
    'The node retries failed reads. It retries other requests only if they had no effect.',
});

const body: Parameter<unknown> = {
  properties: [
    {
      displayName: 'Body',
      name: 'body',
      type: 'json',
      default: '',
      description: 'JSON to send; empty means no body',
      displayOptions: { show: { method: WITH_BODY } },
    },
  ],
  read: (place) =>
    isReadMethod(method.read(place)) ? undefined : parseJsonParameter(place.get('body'), 'Body'),
};

export const send = forEachItem({
  parameters: {
    method,
    path: parameter(
      {
        displayName: 'Path',
        name: 'path',
        type: 'string',
        required: true,
        default: '',
        placeholder: 'e.g. lists/123/permissions',
        description:
          'Path below /v1/, with or without query parameters. Paths that start with open/ are called without the API key. If the credential has Max Credits per Run, each response counts as 1 credit per row, so only the last one can exceed it.',
      },
      (value, _name, place) => assertAllowedPath(normalizePath(splitQuery(value).path), place),
    ),
    query: parameter(
      {
        displayName: 'Query',
        name: 'query',
        type: 'fixedCollection',
        typeOptions: { multipleValues: true },
        placeholder: 'Add parameter',
        default: {},
        options: [
          {
            displayName: 'Parameters',
            name: 'parameters',
            values: [
              { displayName: 'Name', name: 'name', type: 'string', default: '' },
              { displayName: 'Value', name: 'value', type: 'string', default: '' },
            ],
          },
        ],
        description: 'Query parameters of the request',
      },
      readQuery,
    ),
    body,
  },
  changes: (request) => !isReadMethod(request.method),
  execute: async (request, { run, inTurn, once }) => {
    const sendIt = async () => toOutputs(await sendAnyRequest(run, request));
    const send = isReadMethod(request.method) ? sendIt : async () => await once(sendIt);
    // The cost of a request is unknown until its response arrives, so send one at a time.
    return run.credits.limit === undefined ? await send() : await inTurn(send);
  },
});

function splitQuery(value: unknown): { readonly path: string; readonly query: string } {
  const [path = '', ...query] = (readOptionalText(value) ?? '').split('?');
  return { path, query: query.join('?') };
}

function assertAllowedPath(path: string, place: ParameterSource): string {
  if (isKeyless(path) || place.get('authentication') !== WITHOUT_KEY) return path;
  throw new InputError(
    'This path needs an API key; without one, only paths that start with open/ work',
    'Choose a key under Authentication, or a path such as open/status. Nothing was sent.',
  );
}

/** Reads the query parameters; a name that occurs several times is sent several times. */
function readQuery(
  value: unknown,
  _name: string,
  place: ParameterSource,
): Record<string, string[]> {
  const given = isJsonObject(value) ? value.parameters : undefined;
  const rows = Array.isArray(given) ? given.filter(isJsonObject) : [];
  const inAddress = [...new URLSearchParams(splitQuery(place.get('path')).query)];
  const all = [...inAddress.map(([name, text]) => ({ name, value: text })), ...rows];
  // A Map, because a name can be any word, including "constructor" and "__proto__".
  const query = new Map<string, string[]>();
  for (const row of all) {
    const name = parseQueryText(row.name, 'Name of a query parameter');
    if (name === undefined) continue;
    const text = parseQueryText(row.value, `Query parameter ${name}`) ?? '';
    query.set(name, [...(query.get(name) ?? []), text]);
  }
  return Object.fromEntries(query);
}

function toOutputs(response: unknown): Output[] {
  if (Array.isArray(response)) return response.map((entry) => ({ json: toJson(entry, 'value') }));
  return [{ json: response === undefined ? { success: true } : toJson(response, 'data') }];
}

function toJson(value: unknown, name: string): IDataObject {
  return (isJsonObject(value) ? value : { [name]: value }) as IDataObject;
}
