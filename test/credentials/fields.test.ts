/** What the fields of the credentials take. */
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

  it("begins with the interface's limits", () => {
    const defaults = ['requestsPerMinute', 'requestsPerDay', 'maxBatchSize'].map(
      (wanted) => field(wanted)?.default,
    );
    expect(defaults).toEqual([600, 100_000, 100]);
  });

  it.each(['maxCreditsPerRun', 'maxCreditsPerDay', 'maxCreditsPerMonth'])(
    'has no limit in %s at first',
    (cap) => {
      expect(field(cap)).toMatchObject({ type: 'number', default: 0 });
    },
  );

  it.each(['apiKey', 'redisUrl'])('keeps %s secret', (secret) => {
    expect(field(secret)?.typeOptions).toMatchObject({ password: true });
  });

  it('asks for address and key', () => {
    expect([field('baseUrl')?.required, field('apiKey')?.required]).toEqual([true, true]);
  });

  it('puts the key into its header and nowhere else', () => {
    expect(type.authenticate).toEqual({
      type: 'generic',
      properties: { headers: { 'X-API-Key': '={{ $credentials.apiKey }}' } },
    });
  });

  it('has its pictures', () => {
    const { light, dark } = type.icon as { light: string; dark: string };
    for (const file of [light, dark]) {
      expect(existsSync(join(__dirname, '../../credentials', file.replace('file:', '')))).toBe(
        true,
      );
    }
  });

  it('has no test of its own, which n8n would prefer to that of a node', () => {
    expect('test' in type).toBe(false);
  });

  it('is tested with a request that costs nothing', async () => {
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

it('two types, so that a list node cannot be given an organization key', () => {
  const [user, organization] = TYPES.map(([, type]) => type);
  expect(user!.displayName).not.toBe(organization!.displayName);
});
