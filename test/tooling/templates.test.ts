/**
 * Reads the examples without running them: their notes and names, and their expressions. Each node that they
 * name exists, and so does each field that they read of a node of this package.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod/v4';

import { trigger as accountChanges } from '../../nodes/AccountChangesTrigger/trigger';
import { trigger as listMembers } from '../../nodes/ListMembersTrigger/trigger';
import { trigger as techUsers } from '../../nodes/TechUsersTrigger/trigger';
import { bulkLookup, enrichment } from '../../src/service/schemas';
import { projectRoot } from './project-folder';

interface Parameters {
  readonly color?: number;
  readonly content?: string;
  readonly operation?: string;
  readonly simplify?: boolean;
  readonly fieldsToKeep?: string;
  readonly fieldToSplitOut?: string;
  readonly includeOtherFields?: boolean;
  readonly jsonOutput?: string;
  readonly assignments?: { readonly assignments: ReadonlyArray<{ readonly name: string }> };
  readonly options?: {
    readonly columnPrefix?: string;
    readonly destinationFieldName?: string;
  };
}

interface Node {
  readonly name: string;
  readonly type: string;
  readonly parameters: Parameters;
  readonly credentials?: Readonly<Record<string, { readonly id: string }>>;
}

type Targets = ReadonlyArray<ReadonlyArray<{ readonly node: string }> | null>;

interface Template {
  readonly nodes: readonly Node[];
  readonly connections: Readonly<Record<string, Readonly<Record<string, Targets>>>>;
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** The fields of a node's output. */
interface Fields {
  readonly known: Readonly<Record<string, JsonSchema>>;
  /** Whether there can be others, of nodes of other packages. */
  readonly isOpen: boolean;
  /** Begin only names of fields that are known. */
  readonly prefixes: readonly string[];
}

const ANY: Fields = { known: {}, isOpen: true, prefixes: [] };
const OWN = 'n8n-nodes-company-intelligence.';
const PASSING = ['filter', 'if', 'sort', 'merge'];
const DEFAULT_PREFIX: Readonly<Record<string, string>> = {
  bulkEnrich: 'enriched_',
  refreshAndWait: 'refresh_',
};
const TRIGGERS: Readonly<Record<string, Pick<typeof listMembers, 'sample'>>> = {
  accountChangesTrigger: accountChanges as never,
  listMembersTrigger: listMembers,
  techUsersTrigger: techUsers as never,
};
const EVERY_CHANGE = ['change_id', 'event', 'detected_at', 'list_id', 'tech_key'];

const folder = join(projectRoot, 'examples/workflows');
const templates = readdirSync(folder).map((file) => ({
  file,
  ...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Template),
}));

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const named = (names: readonly string[]): Fields['known'] =>
  Object.fromEntries(names.map((name) => [name, {}]));

const prefixed = (known: Fields['known'], prefix: string): Fields['known'] =>
  Object.fromEntries(Object.entries(known).map(([name, schema]) => [prefix + name, schema]));

/** Of an object, or of the entries of a list. */
function propertiesOf({ properties, items, anyOf = [] }: JsonSchema): JsonSchema['properties'] {
  const inner = items === undefined ? anyOf : [items, ...anyOf];
  return properties ?? inner.map(propertiesOf).find((found) => found !== undefined);
}

const isList = ({ items, anyOf = [] }: JsonSchema): boolean =>
  items !== undefined || anyOf.some(isList);

/** By `<folder>/<operation>`. */
const stored = new Map(
  readdirSync(join(projectRoot, 'nodes'), { recursive: true })
    .map(String)
    .filter((path) => path.includes('__schema__') && path.endsWith('.json'))
    .map((path) => {
      const parts = path.split(/[\\/]/);
      const name = `${parts[0]?.toLowerCase() ?? ''}/${parts.at(-1)?.replace('.json', '') ?? ''}`;
      const text = readFileSync(join(projectRoot, 'nodes', path), 'utf8');
      return [name, JSON.parse(text) as JsonSchema] as const;
    }),
);

/** As columns, the fields of an object get columns of their own, with the object's name before. */
function flattened(known: Fields['known']): Fields['known'] {
  const each = Object.entries(known).map(([name, schema]) => {
    const inner = isList(schema) ? undefined : propertiesOf(schema);
    return inner === undefined ? { [name]: schema } : prefixed(flattened(inner), `${name}_`);
  });
  return Object.assign({}, ...each) as Fields['known'];
}

/** The service's own fields, which Bulk Enrich outputs without Simplify. */
function rawFields(operation: string): Fields['known'] {
  const of = (schema: z.ZodType) => propertiesOf(z.toJSONSchema(schema) as JsonSchema) ?? {};
  const { data } = of(bulkLookup);
  return flattened(operation === 'enrichPartnerships' ? of(enrichment) : propertiesOf(data!)!);
}

class Resolver {
  constructor(private readonly template: Template) {}

  node(name: string): Node | undefined {
    return this.template.nodes.find((one) => one.name === name);
  }

  inputOf({ name }: Node): Fields {
    const before = Object.entries(this.template.connections).flatMap(([from, outputs]) =>
      (outputs['main'] ?? []).flatMap((all) => all ?? []).some(({ node }) => node === name)
        ? [this.node(from)].flatMap((one) => one ?? [])
        : [],
    );
    return before.length === 0 ? ANY : before.map((one) => this.outputOf(one)).reduce(joined);
  }

  outputOf(node: Node): Fields {
    const { type, parameters } = node;
    const short = type.replace(OWN, '').replace('n8n-nodes-base.', '');
    if (type.startsWith(OWN)) return this.ownFields(node, short);
    if (PASSING.includes(short)) return this.inputOf(node);
    if (short === 'splitOut') return this.splitFields(node);
    if (short !== 'set' || parameters.jsonOutput !== undefined) return ANY;
    const names = parameters.assignments?.assignments.map(({ name }) => name) ?? [];
    const set = { known: named(names), isOpen: false, prefixes: [] };
    return parameters.includeOtherFields === true ? joined(set, this.inputOf(node)) : set;
  }

  private ownFields(node: Node, type: string): Fields {
    const { operation = '', simplify, options = {}, ...parameters } = node.parameters;
    const sample = TRIGGERS[type]?.sample({} as never).flatMap(({ facts }) => Object.keys(facts));
    if (sample !== undefined) {
      return { known: named([...EVERY_CHANGE, ...sample]), isOpen: false, prefixes: [] };
    }
    const usual = DEFAULT_PREFIX[type] ?? '';
    const prefix = options.columnPrefix ?? usual;
    const flat = stored.get(`${type.toLowerCase()}/${operation}`)?.properties ?? {};
    const bare = Object.fromEntries(
      Object.entries(flat).map(([name, schema]) => [name.slice(usual.length), schema]),
    );
    const own: Fields = {
      known: prefixed(simplify === false ? rawFields(operation) : bare, prefix),
      isOpen: false,
      prefixes: usual === '' ? [] : [prefix],
    };
    if (usual === '') return own;
    const { fieldsToKeep: kept } = parameters;
    if (kept === undefined) return joined(own, this.inputOf(node));
    return joined(own, { ...own, known: named(kept.split(', ')) });
  }

  private splitFields(node: Node): Fields {
    const { fieldToSplitOut = '', options } = node.parameters;
    const fields = propertiesOf(this.inputOf(node).known[fieldToSplitOut] ?? {});
    const name = options?.destinationFieldName ?? fieldToSplitOut;
    if (fields === undefined) return ANY;
    return { known: { [name]: { properties: fields } }, isOpen: false, prefixes: [] };
  }
}

function joined(one: Fields, other: Fields): Fields {
  return {
    known: { ...one.known, ...other.known },
    isOpen: one.isOpen || other.isOpen,
    prefixes: [...one.prefixes, ...other.prefixes],
  };
}

function isKnown({ known, isOpen, prefixes }: Fields, name: string, inner?: string): boolean {
  const schema = known[name];
  if (schema === undefined) return isOpen && !prefixes.some((prefix) => name.startsWith(prefix));
  const fields = isList(schema) ? undefined : propertiesOf(schema);
  return inner === undefined || fields === undefined || inner in fields;
}

const READ =
  /(?:\$json|(?<![.\w])item\.json|\$\('(?<of>[^']+)'\)\.(?:item|first\(\)|last\(\))\.json)\??\.(?<name>\w+)(?:\??\.(?<inner>\w+))?/g;

const reads = templates.flatMap(({ file, ...template }) => {
  const resolver = new Resolver(template);
  return template.nodes
    .filter(({ type }) => !type.endsWith('.stickyNote'))
    .flatMap((node) =>
      textsIn(node.parameters).flatMap((text) =>
        [...text.matchAll(READ)].map(({ 0: read, groups }) => {
          const of = groups?.['of'];
          const from = of === undefined ? undefined : resolver.node(of);
          const fields = from === undefined ? resolver.inputOf(node) : resolver.outputOf(from);
          const isFine = isKnown(fields, groups?.['name'] ?? '', groups?.['inner']);
          return { at: `${file}: ${node.name}: ${read}`, isFine, isClosed: !fields.isOpen };
        }),
      ),
    );
});

it.each(templates)(
  '$file has a yellow note, descriptive node names and no credential IDs',
  ({ nodes }) => {
    const about = nodes.find(({ name }) => name === 'About This Workflow');
    const spends = nodes.some(({ type }) => type.startsWith(OWN));
    expect(about?.parameters.color).toBe(1);
    expect(about?.parameters.content).toMatch(spends ? /^## .*What it costs/s : /^## /);
    for (const { name, credentials = {} } of nodes) {
      expect(name).not.toMatch(/\d$|^(If|Switch|Edit Fields|Code|HTTP Request|Webhook|Merge)$/);
      for (const { id } of Object.values(credentials)) expect(id).toBe('');
    }
  },
);

it.each(templates)('$file names only nodes that exist', ({ nodes, connections }) => {
  const names = nodes.map(({ name }) => name);
  const referred = textsIn(nodes.map(({ parameters }) => parameters)).flatMap((text) =>
    [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name),
  );
  const connected = Object.values(connections).flatMap((outputs) =>
    Object.values(outputs).flatMap((all) =>
      all.flatMap((to) => (to ?? []).map(({ node }) => node)),
    ),
  );

  expect(names).toEqual(expect.arrayContaining([...referred, ...connected]));
  expect(new Set(names).size).toBe(names.length);
});

it('reads only fields that the nodes before it output', () => {
  expect(reads.filter(({ isFine }) => !isFine).map(({ at }) => at)).toEqual([]);
  // If too few are resolved, the check does not see the fields of this package's nodes.
  expect(reads.filter(({ isClosed }) => isClosed).length).toBeGreaterThan(50);
});
