import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

/** For nodes that take either kind of key. */
export const authenticationProperty: INodeProperties = {
  displayName: 'Authentication',
  name: 'authentication',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Organization Key', value: 'organizationKey' },
    { name: 'User Key', value: 'userKey' },
  ],
  default: 'userKey',
  description: 'Which kind of API key to use',
};

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
