/** Tests that defaults, bounds and choices of the parameters match the API spec. */
import type { INodePropertyOptions, INodeType } from 'n8n-workflow';

import { METHODS } from '../../nodes/ApiRequest/send';
import { api } from '../../src/service/endpoints';
import { LIMITS } from '../../src/input/limits';
import { REAL_TIME } from '../../src/client/settings';
import {
  API_REQUEST,
  choicesOf,
  CONTRACTS,
  entriesOf,
  OPERATIONS,
  propertiesOf,
  shownFor,
} from './contracts';

function nodeOf(folder: string): INodeType {
  const contract = CONTRACTS.find((one) => one.folder === folder);
  if (contract === undefined) throw new Error(`There is no node in ${folder}.`);
  return contract.node;
}

it('offers every filter of the API spec in Get Many', () => {
  expect(
    entriesOf(nodeOf('CompanyLookup'), 'getMany', { collection: 'filters' })
      .map(({ name }) => name)
      .sort(),
  ).toEqual([
    'hasPartnerPage',
    'partnerCountMax',
    'partnerCountMin',
    'partnerWith',
    'partnershipTypes',
    'q',
  ]);
});

describe('defaults and bounds of the API spec', () => {
  it.each(['getGraph', 'getPairGraph'])('apply to Max Nodes of %s', (operation) => {
    const maxNodes = shownFor(nodeOf('PartnerGraph'), operation).find(
      ({ name }) => name === 'maxNodes',
    );
    expect(maxNodes?.default).toBe(api.companyGraph.query.max_nodes.usual);
    expect(maxNodes?.typeOptions).toMatchObject({
      minValue: 1,
      maxValue: api.companyGraph.query.max_nodes.max,
    });
    expect(maxNodes?.description).toContain(`1 to ${String(api.companyGraph.query.max_nodes.max)}`);
  });

  it('apply to Depth', () => {
    const depth = shownFor(nodeOf('PartnerGraph'), 'getGraph').find(({ name }) => name === 'depth');
    const values = ((depth?.options ?? []) as INodePropertyOptions[]).map(({ value }) => value);
    expect(depth?.default).toBe(api.companyGraph.query.depth.usual);
    expect(values).toEqual(
      Array.from({ length: api.companyGraph.query.depth.max }, (_one, index) => index + 1),
    );
  });

  it.each([
    [nodeOf('CompanyLookup'), 'getMany', '-partnership_count'],
    [nodeOf('PartnerGraph'), 'getPartners', '-last_observed_at'],
  ])('apply to Sort (case %#)', (node, operation, expected) => {
    expect(shownFor(node, operation).find(({ name }) => name === 'sort')?.default).toBe(expected);
  });

  it('are stated in the descriptions of Description and Search', () => {
    const description = shownFor(nodeOf('FlagData'), 'create').find(
      ({ name }) => name === 'description',
    );
    const q = shownFor(nodeOf('TechUsers'), 'searchTechnologies').find(({ name }) => name === 'q');
    expect(description?.description).toContain(String(LIMITS.flagDescriptionLength));
    expect(q?.description).toContain(`1 to ${String(LIMITS.technologyQueryLength)}`);
  });

  it("include the client's own wait and timeout, and no credit limit", () => {
    for (const { node, operation, resource } of OPERATIONS) {
      for (const { name, default: value } of entriesOf(node, operation, { resource })) {
        if (name === 'maxRateLimitWaitMinutes')
          expect(value).toBe(REAL_TIME.maxRateLimitWaitMs / 60_000);
        if (name === 'requestTimeoutSeconds') expect(value).toBe(REAL_TIME.requestTimeoutMs / 1000);
        if (name === 'maxCredits') expect(value).toBe(0);
      }
    }
  });
});

describe('API Request', () => {
  it('offers Base URL when Authentication is None', () => {
    const { node } = API_REQUEST;
    const baseUrl = propertiesOf(node).find(({ name }) => name === 'baseUrl');

    expect(choicesOf(node, 'authentication').map(({ value }) => value)).toEqual([
      'none',
      'organizationKey',
      'userKey',
    ]);
    expect(baseUrl?.displayOptions).toEqual({ show: { authentication: ['none'] } });
  });

  it('offers Max Credits', () => {
    const options = propertiesOf(API_REQUEST.node).find(({ name }) => name === 'options');
    expect((options?.options ?? []).map(({ name }) => name)).toContain('maxCredits');
  });

  it('offers method, path, query, body and options', () => {
    expect(propertiesOf(API_REQUEST.node).map(({ name }) => name)).toEqual([
      'authentication',
      'baseUrl',
      ...['toolDescription', 'selectedFields', 'maxCreditsPerAgentRun'],
      'method',
      'path',
      'query',
      'body',
      'options',
    ]);
    expect(choicesOf(API_REQUEST.node, 'method').map(({ value }) => value)).toEqual([...METHODS]);
  });

  it('shows Body only for the methods that have one', () => {
    const body = propertiesOf(API_REQUEST.node).find(({ name }) => name === 'body');
    expect(body?.displayOptions?.show?.['method']).toEqual(
      METHODS.filter((method) => method !== 'GET' && method !== 'HEAD'),
    );
  });
});

it('offers Technology from a list that searches the service', () => {
  const node = nodeOf('TechUsers');
  const techKey = propertiesOf(node).find(({ name }) => name === 'techKey');
  const [list] = techKey?.modes ?? [];
  const method = list?.typeOptions?.searchListMethod ?? '';

  expect(list?.typeOptions).toMatchObject({ searchable: true, searchFilterRequired: true });
  expect(Object.keys(node.methods?.listSearch ?? {})).toContain(method);
});
