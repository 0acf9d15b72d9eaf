/** What users, n8n's builder and agents see of the nodes. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers, type INode, type INodeProperties } from 'n8n-workflow';

import { api } from '../../src/service/endpoints';
import { LIMITS } from '../../src/input/limits';
import {
  API_REQUEST,
  choicesOf,
  NODES,
  OPERATIONS,
  optionsOf,
  shownFor,
  TRIGGERS,
  type Operation,
} from './nodes';

const root = join(__dirname, '../..');

/**
 * Number of characters that surely fit into the two lines of a description in n8n's dropdown (358
 * pixels of 12-pixel type).
 */
const TWO_LINES = 110;

const operationOf = (title: string): Operation => {
  const found = OPERATIONS.find((one) => one.title === title);
  if (found === undefined) throw new Error(`There is no operation ${title}.`);
  return found;
};
const parameterOf = (title: string, name: string) =>
  shownFor(operationOf(title)).find((one) => one.name === name);
const choiceOf = ({ node, resource, operation }: Operation) =>
  choicesOf(node, 'operation', resource).find(({ value }) => value === operation);

it('package.json lists exactly these nodes', () => {
  const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    n8n: { nodes: string[] };
  };
  const listed = n8n.nodes.map((file) => file.split('/').at(-2));

  expect(listed.sort()).toEqual(NODES.map(({ folder }) => folder).sort());
});

it.each(NODES)('$displayName has what n8n shows of a node', ({ node, folder }) => {
  const { description } = node;
  const types = NODES.map((one) => `n8n-nodes-company-intelligence.${one.node.description.name}`);
  const icon = description.icon as { light: string; dark: string };
  const codex = JSON.parse(
    readFileSync(join(root, 'nodes', folder, `${folder}.node.json`), 'utf8'),
  ) as { node: string; categories: string[]; alias: string[] };

  expect(description.name).toBe(folder.charAt(0).toLowerCase() + folder.slice(1));
  expect(description.defaults.name).toBe(description.displayName);
  expect(description.usableAsTool).toBe('poll' in node ? undefined : true);
  expect(description.builderHint?.searchHint).toMatch(/\.$/);
  expect(types).toEqual(
    expect.arrayContaining(
      (description.builderHint?.relatedNodes ?? []).map(({ nodeType }) => nodeType),
    ),
  );
  for (const file of [icon.light, icon.dark]) {
    expect(existsSync(join(root, 'nodes', folder, file.replace('file:', '')))).toBe(true);
  }
  expect(codex.node).toBe(`n8n-nodes-company-intelligence.${description.name}`);
  // The only categories of n8n that fit.
  expect(['Data & Storage', 'Marketing & Content', 'Sales']).toEqual(
    expect.arrayContaining(codex.categories),
  );
  // The term that users search for in the node panel after installing the package.
  expect(codex.alias).toContain('company intelligence');
});

it.each(NODES)('$displayName takes the right kinds of key, the user key by default', ({ node }) => {
  const { credentials = [], properties } = node.description;
  const shown = credentials.map(({ name, displayOptions }) => [
    name,
    displayOptions?.show?.['authentication'],
  ]);
  const authentication = properties.find(({ name }) => name === 'authentication');
  const onlyLists = node.description.displayName.includes('List');

  expect(authentication?.default).toBe(onlyLists ? undefined : 'userKey');
  expect(shown).toEqual(
    onlyLists
      ? [['companyIntelligenceUserApi', undefined]]
      : [
          ['companyIntelligenceUserApi', ['userKey']],
          ['companyIntelligenceOrganizationApi', ['organizationKey']],
        ],
  );
});

it.each(TRIGGERS)('$displayName polls, and says above its parameters what that costs', (one) => {
  const { description } = one.node;
  const [notice] = description.properties.filter(({ type }) => type === 'notice');

  expect(description).toMatchObject({ polling: true, group: ['trigger'], inputs: [] });
  for (const text of [description.description, notice?.displayName]) {
    expect(text).toMatch(/request/);
    expect(text).toMatch(/credit/i);
    expect(text).toContain('30 days');
  }
});

describe.each(OPERATIONS)('$title', (one) => {
  const choice = choiceOf(one);
  const options = optionsOf(one).map(({ name }) => name);
  const hasLimit = shownFor(one).some(({ name }) => name === 'limit');

  it('has a short action, and a description of two lines that states its cost', () => {
    expect(choice?.action).toMatch(/^[A-Z]/);
    expect(choice?.action).not.toMatch(/\b(an?|the)\b|\d|credit/i);
    expect(choice?.action?.length).toBeLessThanOrEqual(36);
    expect(choice?.description).toMatch(/\bcosts?\b|\bfree\b|\bno credits?\b/i);
    expect(choice?.description?.length).toBeLessThanOrEqual(TWO_LINES);
  });

  it('offers Max Credits exactly if it costs credits, and Offset exactly if it has a Limit', () => {
    const costs = /\bcosts? (?!nothing)/i.test(choice?.description ?? '');
    expect(options.includes('maxCredits')).toBe(costs);
    expect(options.includes('offset')).toBe(hasLimit);
  });
});

it('lists operations in the order of their names', () => {
  const lists = OPERATIONS.map(({ node, resource }) =>
    choicesOf(node, 'operation', resource).map(({ name }) => name),
  );

  for (const names of lists) expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
});

it('uses one display name for each parameter in all operations', () => {
  const names = new Map<string, Set<string>>();
  for (const one of OPERATIONS) {
    for (const [place, properties] of [
      ['', shownFor(one)],
      ['options.', optionsOf(one)],
    ] as const) {
      for (const { name, displayName } of properties) {
        names.set(place + name, (names.get(place + name) ?? new Set()).add(displayName));
      }
    }
  }

  expect([...names].filter(([, called]) => called.size > 1)).toEqual([
    // Search finds technologies by text; the other operations only filter by name.
    ['q', new Set(['Search', 'Name Contains'])],
  ]);
});

it('shows the defaults and bounds of the API spec', () => {
  const { max_nodes: nodes, depth } = api.companyGraph.query;
  for (const title of ['Partner Graph, getGraph', 'Partner Graph, getPairGraph']) {
    expect(parameterOf(title, 'maxNodes')).toMatchObject({
      default: nodes.usual,
      typeOptions: { minValue: 1, maxValue: nodes.max },
      description: expect.stringContaining(`1 to ${String(nodes.max)}`),
    });
  }
  expect(parameterOf('Partner Graph, getGraph', 'depth')?.default).toBe(depth.usual);
  expect(parameterOf('Partner Graph, getPartners', 'sort')?.default).toBe('-last_observed_at');
  expect(parameterOf('Company Lookup, getMany', 'sort')?.default).toBe('-partnership_count');
  expect(parameterOf('Flag Data, create', 'description')?.description).toContain(
    String(LIMITS.flagDescriptionLength),
  );
  expect(parameterOf('Tech Users, searchTechnologies', 'q')?.description).toContain(
    `1 to ${String(LIMITS.technologyQueryLength)}`,
  );
});

describe('tools for agents', () => {
  const tools = OPERATIONS.map((one) => {
    const { node, operation, resource } = one;
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
    return { ...one, parameters, told };
  });

  it.each(tools)('describe what $title does, takes, costs and returns', (tool) => {
    const { operation, told } = tool;
    const [beginning = ''] = String(choiceOf(tool)?.description).split('.');
    const takes = /^(domain|identifier|listId|techKey|jobId|user|permissionId)$/;
    const isDestructive = /^(delete|removeDomain|replace|revoke|transferOwnership)$/;

    expect(told).toContain(beginning);
    expect(told).toMatch(/\bCosts |\bFree\b/);
    expect(told).toMatch(/ Returns .*\.$/);
    const takesOne = shownFor(tool).some(({ name }) => takes.test(name));
    expect(told).toMatch(takesOne ? / Takes / : /./);
    expect(told.startsWith('Destructive: ask the user first.')).toBe(isDestructive.test(operation));
  });

  it('take fewer than 12,000 characters in total, and have different descriptions', () => {
    const { properties } = API_REQUEST.node.description;
    const told = properties.find(({ name }) => name === 'toolDescription')?.default;
    if (typeof told !== 'string') throw new Error('API Request has no tool description.');
    const all = tools.map((tool) => ({ told: tool.told, shown: shownFor(tool) }));
    const parametersOf = (shown: readonly INodeProperties[]) => {
      const filled = shown
        .filter(({ name, required }) => required === true || name === 'include')
        // The editor's button names the fields for the model in this way.
        .map(({ displayName }) => [displayName.replaceAll(' ', '_'), { type: 'string' }] as const);
      return JSON.stringify({ type: 'object', properties: Object.fromEntries(filled) });
    };
    const lengths = [...all, { told, shown: properties }].map(
      (tool) => tool.told.length + parametersOf(tool.shown).length,
    );

    expect(told).toMatch(/^Call an endpoint/);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(12_000);
    expect(new Set(tools.map((tool) => tool.told)).size).toBe(tools.length);
  });

  it('select by default only fields that the operation returns', () => {
    const selecting = tools.flatMap((tool) => {
      const selected = tool.parameters?.['selectedFields'];
      return typeof selected === 'string' && selected !== '' ? [{ ...tool, selected }] : [];
    });

    expect(selecting.length).toBeGreaterThan(5);
    for (const { node, folder, resource, operation, selected } of selecting) {
      const kind = resource ?? String(choicesOf(node, 'resource')[0]?.value);
      const path = join(root, 'nodes', folder, '__schema__/v1.0.0', kind, `${operation}.json`);
      const { properties } = JSON.parse(readFileSync(path, 'utf8')) as { properties: object };
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(selected.split(', ')));
    }
  });
});
