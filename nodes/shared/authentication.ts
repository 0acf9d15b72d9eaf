import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

import { WITHOUT_KEY } from '../../src/n8n/open-run';

const keys = [
  { name: 'Organization Key', value: 'organizationKey' },
  { name: 'User Key', value: 'userKey' },
];

/** For nodes that take either kind of key. */
export const authenticationProperty: INodeProperties = {
  displayName: 'Authentication',
  name: 'authentication',
  type: 'options',
  noDataExpression: true,
  options: keys,
  default: 'userKey',
  description: 'Which kind of API key to use',
};

/** For a node that also reaches endpoints without a key (interface: Authentication, rule 4). */
const none = {
  name: 'None',
  value: WITHOUT_KEY,
  description: 'No credential; only for paths that begin with open/',
};

/** The same as {@link authenticationProperty}, with none and the address it needs. */
export const authenticationOrNone: INodeProperties[] = [
  {
    ...authenticationProperty,
    options: [none, ...keys],
  },
  {
    displayName: 'Base URL',
    name: 'baseUrl',
    type: 'string',
    noDataExpression: true,
    required: true,
    default: '',
    placeholder: 'https://api.example.com',
    description: 'Address of the service, without /v1',
    displayOptions: { show: { authentication: [WITHOUT_KEY] } },
  },
];

/** The credentials that belong to {@link authenticationProperty}. */
export function eitherKey(
  hide?: NonNullable<INodeCredentialDescription['displayOptions']>['hide'],
): INodeCredentialDescription[] {
  return [
    {
      name: 'companyIntelligenceUserApi',
      required: true,
      displayOptions: { show: { authentication: ['userKey'] }, ...(hide ? { hide } : {}) },
    },
    {
      name: 'companyIntelligenceOrganizationApi',
      required: true,
      displayOptions: { show: { authentication: ['organizationKey'] }, ...(hide ? { hide } : {}) },
    },
  ];
}

/** Lists take user keys only (interface: Lists). */
export const userKeyOnly = [{ name: 'companyIntelligenceUserApi', required: true }];
