/** Tests the fields of the credentials, and which node tests them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { ICredentialType } from 'n8n-workflow';

import { CompanyIntelligenceOrganizationApi } from '../../credentials/CompanyIntelligenceOrganizationApi.credentials';
import { CompanyIntelligenceUserApi } from '../../credentials/CompanyIntelligenceUserApi.credentials';

const TYPES: ReadonlyArray<[string, ICredentialType]> = [
  ['companyIntelligenceUserApi', new CompanyIntelligenceUserApi()],
  ['companyIntelligenceOrganizationApi', new CompanyIntelligenceOrganizationApi()],
];

it.each(TYPES)('%s has its public name, fields, defaults and icons', (name, type) => {
  expect(type.name).toBe(name);
  expect(Object.fromEntries(type.properties.map((one) => [one.name, one.default]))).toEqual({
    baseUrl: '',
    apiKey: '',
    requestsPerMinute: 600,
    maxBatchSize: 100,
    maxCreditsPerRun: 0,
    redisUrl: '',
  });
  const namesOf = (isOne: (property: ICredentialType['properties'][number]) => unknown) =>
    type.properties.filter(isOne).map((one) => one.name);
  expect(namesOf(({ required }) => required)).toEqual(['baseUrl', 'apiKey']);
  expect(namesOf(({ typeOptions }) => typeOptions?.password)).toEqual(['apiKey', 'redisUrl']);
  const { light, dark } = type.icon as { light: string; dark: string };
  for (const file of [light, dark].map((icon) => icon.replace('file:', ''))) {
    expect(existsSync(join(__dirname, '../../credentials', file))).toBe(true);
  }
});

it.each(TYPES)('%s puts the key only into the header X-API-Key', (_name, type) => {
  expect(type.authenticate).toEqual({
    type: 'generic',
    properties: { headers: { 'X-API-Key': '={{ $credentials.apiKey }}' } },
  });
});

it.each(TYPES)('%s defines no test, which n8n would prefer to that of a node', (_name, type) => {
  expect('test' in type).toBe(false);
});

it('gives the two types different display names', () => {
  expect(new Set(TYPES.map(([, { displayName }]) => displayName)).size).toBe(2);
});
