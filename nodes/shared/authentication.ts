import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

import { KEY_CHOICES, WITHOUT_KEY } from '../../src/n8n/open-run';

const [userKey, organizationKey] = KEY_CHOICES;
// n8n wants options in alphabetical order.
const keys = [organizationKey, userKey];

export const authenticationProperty: INodeProperties = {
  displayName: 'Authentication',
  name: 'authentication',
  type: 'options',
  noDataExpression: true,
  options: keys,
  default: 'userKey',
  description: 'Type of API key to use',
};

/** For a node that can also call endpoints without a key (API spec: Authentication, rule 4). */
const none = {
  name: 'None',
  value: WITHOUT_KEY,
  description: 'No credential; only for paths that start with open/',
};

export const authenticationOrNone: INodeProperties[] = [
  { ...authenticationProperty, options: [none, ...keys] },
  {
    displayName: 'Base URL',
    name: 'baseUrl',
    type: 'string',
    noDataExpression: true,
    required: true,
    default: '',
    placeholder: 'https://api.example.com',
    description: 'URL of the service, without /v1',
    displayOptions: { show: { authentication: [WITHOUT_KEY] } },
  },
];

export function eitherKey(
  hide?: NonNullable<INodeCredentialDescription['displayOptions']>['hide'],
): INodeCredentialDescription[] {
  const shownFor = (key: string) => ({ show: { authentication: [key] }, ...(hide && { hide }) });
  return [
    { name: 'companyIntelligenceUserApi', required: true, displayOptions: shownFor('userKey') },
    {
      name: 'companyIntelligenceOrganizationApi',
      required: true,
      displayOptions: shownFor('organizationKey'),
    },
  ];
}

/** Lists accept only user keys (API spec: Lists). */
export const userKeyOnly = [{ name: 'companyIntelligenceUserApi', required: true }];
