import type { INodeProperties } from 'n8n-workflow';

import { requestOptions } from '../shared/options';

/** Values of the `method` parameter. */
export const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const;

const WITH_BODY = ['DELETE', 'PATCH', 'POST', 'PUT'];

export const requestProperties: INodeProperties[] = [
  {
    displayName: 'Method',
    name: 'method',
    type: 'options',
    noDataExpression: true,
    options: METHODS.map((method) => ({ name: method, value: method })),
    default: 'GET',
    description:
      'Reads are sent again after a failure, everything else only when it was not processed',
  },
  {
    displayName: 'Path',
    name: 'path',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. lists/123/history',
    description: 'Below /v1/. Paths that begin with open/ are called without the API key.',
  },
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
  {
    displayName: 'Body',
    name: 'body',
    type: 'json',
    default: '',
    description: 'JSON to send; empty for none',
    displayOptions: { show: { method: WITH_BODY } },
  },
  requestOptions(),
];
