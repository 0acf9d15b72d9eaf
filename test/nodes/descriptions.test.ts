/**
 * Tests what users see of the nodes: their names are
 * a contract, and each operation states its cost.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers, type INode, type INodeProperties } from 'n8n-workflow';

import {
  API_REQUEST,
  choicesOf,
  CONTRACTS,
  DROPDOWNS,
  entriesOf,
  LISTED_FOLDERS,
  OPERATIONS,
  propertiesOf,
  root,
  shownFor,
  TRIGGERS,
} from './contracts';

/**
 * Number of characters that surely fit into the two lines of a description in n8n's dropdown (358
 * pixels of 12-pixel type).
 */
const TWO_LINES = 110;

const RUN = ['maxRateLimitWaitMinutes', 'requestTimeoutSeconds'];

it('lists every tested node in package.json', () => {
  const known = [...CONTRACTS, API_REQUEST, ...TRIGGERS].map(({ folder }) => folder);

  expect(known.filter((folder) => !LISTED_FOLDERS.includes(folder))).toEqual([]);
});

describe.each([...CONTRACTS, API_REQUEST, ...TRIGGERS])('$displayName', (contract) => {
  const { description } = contract.node;

  it('is named like its folder', () => {
    const name = contract.folder.charAt(0).toLowerCase() + contract.folder.slice(1);
    expect(description.name).toBe(name);
    expect(description.displayName).toBe(contract.displayName);
    expect(description.defaults.name).toBe(contract.displayName);
  });

  it('can be used by agents, unless it starts workflows', () => {
    const starts = TRIGGERS.some(({ folder }) => folder === contract.folder);
    expect(description.usableAsTool).toBe(starts ? undefined : true);
  });

  it('has a search hint, and names only nodes of this package as related', () => {
    expect(description.builderHint?.searchHint).toMatch(/\.$/);
    const known = new Set(
      [...CONTRACTS, API_REQUEST, ...TRIGGERS].map(
        ({ node }) => `n8n-nodes-company-intelligence.${node.description.name}`,
      ),
    );
    const related = description.builderHint?.relatedNodes ?? [];
    expect(related.filter(({ nodeType }) => !known.has(nodeType))).toEqual([]);
  });

  it('has icons for both themes, and a codex file with its id', () => {
    const folder = join(root, 'nodes', contract.folder);
    const icon = description.icon as { light: string; dark: string };
    for (const file of [icon.light, icon.dark]) {
      expect(existsSync(join(folder, file.replace('file:', '')))).toBe(true);
    }
    const codex = JSON.parse(
      readFileSync(join(folder, `${contract.folder}.node.json`), 'utf8'),
    ) as { node: string; categories: string[]; alias: string[] };
    expect(codex.node).toBe(`n8n-nodes-company-intelligence.${description.name}`);
    // The only categories of n8n that fit.
    const fitting = ['Data & Storage', 'Marketing & Content', 'Sales'];
    expect(codex.categories.filter((one) => !fitting.includes(one))).toEqual([]);
    expect(codex.categories.length).toBeGreaterThan(0);
    expect(new Set(codex.alias).size).toBe(codex.alias.length);
    // The term that users search for in the node panel after installing the package.
    expect(codex.alias).toContain('company intelligence');
  });

  it('accepts both kinds of key, with the user key as default, or only user keys for lists', () => {
    const authentication = propertiesOf(contract.node).find(
      ({ name }) => name === 'authentication',
    );
    const credentials = (description.credentials ?? []).map(({ name, displayOptions }) => [
      name,
      displayOptions?.show?.['authentication'],
    ]);
    if (contract.userKeyOnly === true) {
      expect(authentication).toBeUndefined();
      expect(credentials).toEqual([['companyIntelligenceUserApi', undefined]]);
      return;
    }
    expect(authentication?.default).toBe('userKey');
    expect(credentials).toEqual([
      ['companyIntelligenceUserApi', ['userKey']],
      ['companyIntelligenceOrganizationApi', ['organizationKey']],
    ]);
  });
});

describe.each(TRIGGERS)('$displayName', ({ node, parameters, events }) => {
  const { description } = node;
  const options = propertiesOf(node).find(({ name }) => name === 'options');

  it('polls, and starts a workflow', () => {
    expect(description).toMatchObject({ polling: true, group: ['trigger'], inputs: [] });
    expect('poll' in node).toBe(true);
  });

  it('has exactly the parameters and events of the contract', () => {
    const names = propertiesOf(node)
      .filter(({ type }) => type !== 'notice')
      .map(({ name }) => name);
    expect(names.filter((name) => name !== 'authentication').sort()).toEqual(
      [...parameters].sort(),
    );
    expect(choicesOf(node, 'events').map(({ value }) => value)).toEqual(events);
  });

  it('says what a poll costs, in the description and above the parameters', () => {
    const [notice] = propertiesOf(node).filter(({ type }) => type === 'notice');
    for (const text of [description.description, notice?.displayName]) {
      expect(text).toMatch(/request/);
      expect(text).toMatch(/credit/i);
      expect(text).toContain('30 days');
    }
  });

  it('offers limits for waiting, credits, removals and the time between reads', () => {
    const names = (options?.options ?? []).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        ...RUN,
        'emitExisting',
        'maxCredits',
        'maxGonePercent',
        'minMinutesBetweenReads',
      ]),
    );
  });
});

it.each(CONTRACTS.filter(({ resources }) => resources !== undefined))(
  '$displayName has exactly the resources of the contract',
  ({ node, resources = {} }) => {
    const values = choicesOf(node, 'resource').map(({ value }) => value);
    expect(values).toEqual(Object.keys(resources).sort());
  },
);

it.each(DROPDOWNS)('$title has exactly the operations of the contract', (contract) => {
  const { node, resource } = contract;
  const operations = choicesOf(node, 'operation', resource);
  expect(operations.map(({ value }) => value).sort()).toEqual(
    Object.keys(contract.operations).sort(),
  );
  const names = operations.map(({ name }) => name);
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
});

describe.each(OPERATIONS)('$title', ({ node, resource, operation, parameters }) => {
  const option = choicesOf(node, 'operation', resource).find(({ value }) => value === operation);

  it('has exactly the parameters of the contract', () => {
    const names = shownFor(node, operation, resource).map(({ name }) => name);
    expect(names.sort()).toEqual([...parameters].sort());
  });

  it('has an action, and a description that states its cost', () => {
    expect(option?.action).toMatch(/^[A-Z]/);
    expect(option?.description).toMatch(/\bcosts?\b|\bfree\b|\bno credits?\b/i);
  });

  it("has a description that fits into two lines of n8n's dropdown", () => {
    expect(option?.description?.length).toBeLessThanOrEqual(TWO_LINES);
  });

  it('has a short action without articles, digits or credits', () => {
    expect(option?.action).not.toMatch(/\b(an?|the)\b|\d|credit/i);
    expect(option?.action?.length).toBeLessThanOrEqual(36);
  });

  it('offers limits for waiting exactly if it sends requests', () => {
    const names = entriesOf(node, operation, { resource }).map(({ name }) => name);
    const sends = operation !== 'normalizeDomains';
    expect(RUN.every((name) => names.includes(name))).toBe(sends);
  });

  it('offers Max Credits exactly if it costs credits', () => {
    const names = entriesOf(node, operation, { resource }).map(({ name }) => name);
    const costs = /\bcosts? (?!nothing)/i.test(option?.description ?? '');
    expect(names.includes('maxCredits')).toBe(costs);
  });

  it('offers Offset exactly if it has a Limit', () => {
    const names = entriesOf(node, operation, { resource }).map(({ name }) => name);
    expect(names.includes('offset')).toBe(parameters.includes('limit'));
  });

  it('offers Header only if the response has fields next to the rows', () => {
    const names = entriesOf(node, operation, { resource }).map(({ name }) => name);
    const withHeader = [
      'getByTechnology',
      'getByVendor',
      'getPartners',
      'getReversePartners',
      'getSharedPartners',
    ];
    expect(names.includes('header')).toBe(withHeader.includes(operation));
  });
});

it('uses one display name for each parameter in all operations', () => {
  const names = new Map<string, Set<string>>();
  for (const { node, operation, resource } of OPERATIONS) {
    const shown = shownFor(node, operation, resource).map((one) => ['', one] as const);
    const options = entriesOf(node, operation, { resource }).map(
      (one) => ['options.', one] as const,
    );
    const filters = entriesOf(node, operation, { resource, collection: 'filters' });
    // If there are many filters, they are in a collection.
    const all = [...shown, ...options, ...filters.map((one) => ['', one] as const)];
    for (const [place, { name, displayName }] of all) {
      names.set(place + name, (names.get(place + name) ?? new Set()).add(displayName));
    }
  }
  const several = [...names].filter(([, called]) => called.size > 1);

  expect(several).toEqual([
    // Search finds technologies by text; the other operations only filter by name.
    ['q', new Set(['Search', 'Name Contains'])],
  ]);
});

it('orders the parameters of billed lists the same way in all operations', () => {
  const order = [
    ...['limit', 'countOnly'],
    ...['filters', 'q', 'searchNameOrDomain', 'partnershipTypes', 'tier', 'sort', 'forceRefresh'],
    ...['include', 'simplify', 'output', 'options'],
  ];
  for (const { node, operation, resource, parameters } of OPERATIONS) {
    if (!parameters.includes('countOnly')) continue;
    const shown = new Set(shownFor(node, operation, resource).map(({ name }) => name));
    const names = [...shown].filter((name) => order.includes(name));
    expect(names).toEqual(order.filter((name) => shown.has(name)));
  }
});

describe('tools for agents', () => {
  const tools = OPERATIONS.map(({ title, node, operation, resource }) => {
    // n8n makes a tool of a node in this way, then fills in its parameters.
    const description = { ...node.description, name: `${node.description.name}Tool` };
    const given = { operation, ...(resource === undefined ? {} : { resource }) };
    const parameters = NodeHelpers.getNodeParameters(
      description.properties,
      given,
      true,
      false,
      null,
      description,
    );
    const told = NodeHelpers.getToolDescriptionForNode({ parameters } as INode, node);
    return { title, node, operation, resource, parameters, told };
  });

  it.each(tools)('describe what $title does, takes, costs and returns', (tool) => {
    const { node, operation, resource, told } = tool;
    const option = choicesOf(node, 'operation', resource).find(({ value }) => value === operation);
    const [beginning = ''] = String(option?.description).split('.');
    expect(told).toContain(beginning);
    expect(told).toMatch(/\bCosts |\bFree\b/);
    expect(told).toMatch(/ Returns .*\.$/);
    const takes = /^(domain|identifier|listId|techKey|jobId|user|permissionId)$/;
    if (shownFor(node, operation, resource).some(({ name }) => takes.test(name))) {
      expect(told).toMatch(/ Takes /);
    }
    expect(told).not.toMatch(/Retry On Fail|from the list|Raise Max Credits/);
    const isDestructive = /^(delete|removeDomain|replace|revoke|transferOwnership)$/;
    expect(told.startsWith('Destructive: ask the user first.')).toBe(isDestructive.test(operation));
  });

  it('take fewer than 12,000 characters in total, and have different descriptions', () => {
    const { properties } = API_REQUEST.node.description;
    const told = properties.find(({ name }) => name === 'toolDescription')?.default;
    if (typeof told !== 'string') throw new Error('API Request has no tool description.');
    const request = { told, shown: properties };
    const all = tools.map(({ node, operation, resource, told }) => ({
      told,
      shown: shownFor(node, operation, resource),
    }));
    const parametersOf = (shown: readonly INodeProperties[]) => {
      const filled = shown
        .filter(({ name, required }) => required === true || name === 'include')
        // The editor's button names the fields for the model in this way.
        .map(({ displayName }) => [displayName.replaceAll(' ', '_'), { type: 'string' }] as const);
      return JSON.stringify({ type: 'object', properties: Object.fromEntries(filled) });
    };
    const lengths = [...all, request].map(
      (tool) => tool.told.length + parametersOf(tool.shown).length,
    );
    expect(request.told).toMatch(/^Call an endpoint/);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(12_000);
    expect(new Set(all.map((tool) => tool.told)).size).toBe(tools.length);
  });

  it.each(tools)(
    'select by default only fields that $title returns',
    ({ node, resource, operation, parameters }) => {
      const selected = parameters?.['selectedFields'];
      if (typeof selected !== 'string' || selected === '') return;
      const folder = join(root, 'nodes', node.constructor.name, '__schema__', 'v1.0.0');
      const kind = resource ?? String(choicesOf(node, 'resource')[0]?.value);
      const schema = readFileSync(join(folder, kind, `${operation}.json`), 'utf8');
      const { properties } = JSON.parse(schema) as { properties: Record<string, unknown> };
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(selected.split(', ')));
    },
  );
});
