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

/** Characters that surely fit into the two lines of a description in n8n's dropdown (358 pixels). */
const TWO_LINES = 110;

const parameterOf = (title: string, name: string) =>
  shownFor(OPERATIONS.find((one) => one.title === title)!).find((one) => one.name === name);
const choiceOf = ({ node, resource, operation }: Operation) =>
  choicesOf(node, 'operation', resource).find(({ value }) => value === operation);

it.each(NODES)('$displayName has what n8n shows of a node', ({ node, folder }) => {
  const { name, displayName, defaults, usableAsTool, builderHint } = node.description;
  const codex = JSON.parse(
    readFileSync(join(root, 'nodes', folder, `${folder}.node.json`), 'utf8'),
  ) as { categories: string[]; alias: string[] };
  const related = builderHint?.relatedNodes?.map(({ nodeType }) => nodeType.split('.')[1]) ?? [];

  expect(name).toBe(folder.charAt(0).toLowerCase() + folder.slice(1));
  expect(defaults.name).toBe(displayName);
  expect(usableAsTool).toBe('poll' in node ? undefined : true);
  expect(builderHint?.searchHint).toMatch(/\.$/);
  expect(NODES.map((one) => one.node.description.name)).toEqual(expect.arrayContaining(related));
  // The only categories of n8n that fit.
  expect(['Data & Storage', 'Marketing & Content', 'Sales']).toEqual(
    expect.arrayContaining(codex.categories),
  );
  // The term that users search for in the node panel after installing the package.
  expect(codex.alias).toContain('company intelligence');
});

it.each(NODES)('$displayName takes the right kinds of key, the user key by default', ({ node }) => {
  const { credentials = [], displayName, properties } = node.description;
  const shown = credentials.map((one) => one.displayOptions?.show?.['authentication']);
  const onlyLists = displayName.includes('List');

  expect(properties.find(({ name }) => name === 'authentication')?.default).toBe(
    onlyLists ? undefined : 'userKey',
  );
  // public-names.json has the types of the credentials, in this order.
  expect(shown).toEqual(onlyLists ? [undefined] : [['userKey'], ['organizationKey']]);
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

it('has few options, so that panels can be read at a glance', () => {
  const panels = [
    ...OPERATIONS.map((one) => ({ title: one.title, properties: shownFor(one) })),
    ...[...TRIGGERS, API_REQUEST].map(({ displayName, node }) => ({
      title: displayName,
      properties: node.description.properties,
    })),
  ].map(({ title, properties }) => ({
    title,
    entries: properties.flatMap(({ type, options = [] }) => (type === 'collection' ? options : [])),
  }));
  const enrich = panels.find(({ title }) => title === 'Bulk Enrich, enrichCompanies');

  expect(panels.flatMap(({ entries }) => entries).length).toBeLessThanOrEqual(110);
  expect(enrich?.entries.length).toBeLessThanOrEqual(9);
});

it('lists operations in the order of their names', () => {
  for (const { node, resource } of OPERATIONS) {
    const names = choicesOf(node, 'operation', resource).map(({ name }) => name);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
  }
});

it('uses one display name for each parameter in all operations', () => {
  const names = new Map<string, Set<string>>();
  for (const one of OPERATIONS) {
    const inOptions = optionsOf(one).map((option) => ({
      ...option,
      name: `options.${option.name}`,
    }));
    for (const { name, displayName } of [...shownFor(one), ...inOptions]) {
      names.set(name, (names.get(name) ?? new Set()).add(displayName));
    }
  }

  expect([...names].filter(([, called]) => called.size > 1)).toEqual([
    // Rows of sheets have an output form; lists can also go to a file.
    ['output', new Set(['Output', 'Format'])],
    // Search finds technologies by text; the other operations only filter by name.
    ['q', new Set(['Search', 'Name Contains'])],
  ]);
});

// engine/shared/reads.test.ts has the defaults of other parameters.
it('shows the defaults and bounds of the API spec', () => {
  const { max_nodes: nodes } = api.companyGraph.query;
  for (const title of ['Partner Graph, getGraph', 'Partner Graph, getPairGraph']) {
    expect(parameterOf(title, 'maxNodes')).toMatchObject({
      default: nodes.usual,
      typeOptions: { minValue: 1, maxValue: nodes.max },
      description: expect.stringContaining(`1 to ${String(nodes.max)}`),
    });
  }
  for (const [title, name, bound] of [
    ['Flag Data, create', 'description', String(LIMITS.flagDescriptionLength)],
    ['Tech Users, searchTechnologies', 'q', `1 to ${String(LIMITS.technologyQueryLength)}`],
  ] as const) {
    expect(parameterOf(title, name)?.description).toContain(bound);
  }
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
      if (!existsSync(path)) throw new Error(`No output schema: ${path}. Run npm run records.`);
      const { properties } = JSON.parse(readFileSync(path, 'utf8')) as { properties: object };
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(selected.split(', ')));
    }
  });
});
