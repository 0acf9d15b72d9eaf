import type { ICredentialType } from 'n8n-workflow';

import { CompanyIntelligenceOrganizationApi } from '../../credentials/CompanyIntelligenceOrganizationApi.credentials';
import { CompanyIntelligenceUserApi } from '../../credentials/CompanyIntelligenceUserApi.credentials';

const TYPES: ReadonlyArray<[string, ICredentialType]> = [
  ['companyIntelligenceUserApi', new CompanyIntelligenceUserApi()],
  ['companyIntelligenceOrganizationApi', new CompanyIntelligenceOrganizationApi()],
];

it.each(TYPES)('%s has its own names, fields and defaults', (name, type) => {
  expect(type.name).toBe(name);
  expect(Object.fromEntries(type.properties.map((one) => [one.name, one.default]))).toEqual({
    baseUrl: '',
    apiKey: '',
    requestsPerMinute: 600,
    maxCreditsPerRun: 0,
    redisUrl: '',
  });
  const namesOf = (isOne: (property: ICredentialType['properties'][number]) => unknown) =>
    type.properties.filter(isOne).map((one) => one.name);
  expect(namesOf(({ required }) => required)).toEqual(['baseUrl', 'apiKey']);
  expect(namesOf(({ typeOptions }) => typeOptions?.password)).toEqual(['apiKey', 'redisUrl']);
  expect(TYPES.filter(([, { displayName }]) => displayName === type.displayName)).toHaveLength(1);
});

it.each(TYPES)('%s puts the key only into a header, and leaves the test to a node', (_, type) => {
  expect(type.authenticate).toEqual({
    type: 'generic',
    properties: { headers: { 'X-API-Key': '={{ $credentials.apiKey }}' } },
  });
  // n8n would prefer a test of the type.
  expect('test' in type).toBe(false);
});
