/** Tests which values the fields of the credentials accept. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { ICredentialTestFunctions, ICredentialType } from 'n8n-workflow';

import { CompanyIntelligenceOrganizationApi } from '../../credentials/CompanyIntelligenceOrganizationApi.credentials';
import { CompanyIntelligenceUserApi } from '../../credentials/CompanyIntelligenceUserApi.credentials';
import { CompanyLookup } from '../../nodes/CompanyLookup/CompanyLookup.node';
import { json, TestService } from '../src/client/support/service';

const TYPES: ReadonlyArray<[string, ICredentialType]> = [
  ['companyIntelligenceUserApi', new CompanyIntelligenceUserApi()],
  ['companyIntelligenceOrganizationApi', new CompanyIntelligenceOrganizationApi()],
];

describe.each(TYPES)('%s', (name, type) => {
  const field = (wanted: string) => type.properties.find((property) => property.name === wanted);

  it('has the public name and fields', () => {
    expect(type.name).toBe(name);
    expect(type.properties.map((property) => property.name)).toEqual([
      'baseUrl',
      'apiKey',
      'requestsPerMinute',
      'requestsPerDay',
      'maxBatchSize',
      'maxCreditsPerRun',
      'maxCreditsPerDay',
      'maxCreditsPerMonth',
      'redisUrl',
    ]);
  });

  it('has the limits of the API spec by default', () => {
    const defaults = ['requestsPerMinute', 'requestsPerDay', 'maxBatchSize'].map(
      (wanted) => field(wanted)?.default,
    );
    expect(defaults).toEqual([600, 100_000, 100]);
  });

  it.each(['maxCreditsPerRun', 'maxCreditsPerDay', 'maxCreditsPerMonth'])(
    'has no limit in %s by default',
    (cap) => {
      expect(field(cap)).toMatchObject({ type: 'number', default: 0 });
    },
  );

  it.each(['apiKey', 'redisUrl'])('keeps %s secret', (secret) => {
    expect(field(secret)?.typeOptions).toMatchObject({ password: true });
  });

  it('requires Base URL and API Key', () => {
    expect([field('baseUrl')?.required, field('apiKey')?.required]).toEqual([true, true]);
  });

  it('puts the key only into the header X-API-Key', () => {
    expect(type.authenticate).toEqual({
      type: 'generic',
      properties: { headers: { 'X-API-Key': '={{ $credentials.apiKey }}' } },
    });
  });

  it('has its icon files', () => {
    const { light, dark } = type.icon as { light: string; dark: string };
    for (const file of [light, dark]) {
      expect(existsSync(join(__dirname, '../../credentials', file.replace('file:', '')))).toBe(
        true,
      );
    }
  });

  it('defines no credential test, which n8n would prefer to the test of a node', () => {
    expect('test' in type).toBe(false);
  });

  it('is tested with one free request', async () => {
    const service = await TestService.start(json({}));
    const { description, methods } = new CompanyLookup();
    const credential = description.credentials?.find((one) => one.name === name);
    const test = Object.entries(methods.credentialTest).find(
      ([method]) => method === credential?.testedBy,
    )?.[1];
    const data = { baseUrl: service.baseUrl, apiKey: 'ci_key' };
    await test?.call({} as ICredentialTestFunctions, { id: name, name, type: name, data });
    await TestService.stopAll();
    const paths = service.received.map(({ method, url }) => `${method} ${url}`);
    expect(paths).toHaveLength(1);
    expect(['GET /v1/technologies?q=a&limit=1', 'GET /v1/lists/filter-fields']).toContain(paths[0]);
  });
});

it('gives the user key and the organization key different display names', () => {
  const [user, organization] = TYPES.map(([, type]) => type);
  expect(user!.displayName).not.toBe(organization!.displayName);
});
