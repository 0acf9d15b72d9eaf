import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  NodeHelpers,
  type ICredentialTestFunction,
  type ICredentialType,
  type INodeType,
  type INodeTypes,
  type IVersionedNodeType,
} from 'n8n-workflow';
import { builtInTestNodes } from './test-nodes';

type AnyNodeType = INodeType | IVersionedNodeType;

const projectRoot = resolve(__dirname, '../../..');

/** The parts of the project's package.json that n8n reads. */
interface PackageManifest {
  name: string;
  n8n: { nodes: string[]; credentials: string[] };
}

const manifest = JSON.parse(
  readFileSync(join(projectRoot, 'package.json'), 'utf8'),
) as PackageManifest;

/** Prefix of the type names of this package's nodes in an n8n that installed the package. */
const packagePrefix = `${manifest.name}.`;

/** Whether this jest project tests the packed package instead of its sources. */
const { packed } = globalThis as { packed?: boolean };

/**
 * Loads the class that a file of package.json's n8n section exports. The file is a TypeScript
 * source or part of the packed package. n8n names the class after the file, up to the first dot.
 */
async function loadClass(builtFile: string): Promise<new () => unknown> {
  const source = builtFile.replace(/^dist\//, '').replace(/\.js$/, '.ts');
  const className = source.split('/').pop()?.split('.')[0] ?? '';
  const path =
    packed === true ? join(process.env['PACKED_PACKAGE']!, builtFile) : join(projectRoot, source);
  const loaded = ((await import(path)) as Record<string, new () => unknown>)[className];
  if (loaded === undefined) {
    throw new Error(`${path} must export a class named ${className} (n8n's loader wants it).`);
  }
  return loaded;
}

let packageNodes: Promise<Map<string, AnyNodeType>> | undefined;
let packageCredentials: Promise<Map<string, ICredentialType>> | undefined;

async function loadPackageNodes(): Promise<Map<string, AnyNodeType>> {
  const loaded = new Map<string, AnyNodeType>();
  for (const file of manifest.n8n.nodes) {
    const instance = new (await loadClass(file))() as AnyNodeType;
    loaded.set(packagePrefix + instance.description.name, instance);
    const tool = asTool(NodeHelpers.getVersionedNodeType(instance));
    loaded.set(packagePrefix + tool.description.name, tool);
  }
  return loaded;
}

/** Returns the node type as an agent's tool, as AI Agent 3 runs it in the engine. */
function asTool(type: INodeType): INodeType {
  const { description } = type;
  const name = `${description.name}Tool`;
  return Object.assign(Object.create(type) as INodeType, { description: { ...description, name } });
}

async function loadPackageCredentials(): Promise<Map<string, ICredentialType>> {
  const loaded = new Map<string, ICredentialType>();
  for (const file of manifest.n8n.credentials) {
    const instance = new (await loadClass(file))() as ICredentialType;
    loaded.set(instance.name, instance);
  }
  return loaded;
}

/**
 * Returns node types by type name: the harness's own, the types in `extra` and, if `wanted` names
 * one, this package's nodes. Loads this package's nodes once per test file.
 */
export async function loadNodeTypes(
  wanted: Iterable<string>,
  extra: ReadonlyMap<string, AnyNodeType> = new Map(),
): Promise<HarnessNodeTypes> {
  const types = new Map<string, AnyNodeType>([...builtInTestNodes, ...extra]);
  // Tests of the engine alone must run even if the package's nodes cannot be loaded.
  if ([...wanted].some((type) => type.startsWith(packagePrefix))) {
    packageNodes ??= loadPackageNodes();
    for (const [name, type] of await packageNodes) types.set(name, type);
  }
  return new HarnessNodeTypes(types);
}

/** Returns this package's credential types by name. */
export async function loadCredentialTypes(): Promise<Map<string, ICredentialType>> {
  packageCredentials ??= loadPackageCredentials();
  return await packageCredentials;
}

/** Returns the test function for a credential type, from the first node that declares one. */
export async function loadTestedBy(typeName: string): Promise<ICredentialTestFunction> {
  packageNodes ??= loadPackageNodes();
  for (const type of (await packageNodes).values()) {
    const { description, methods } = NodeHelpers.getVersionedNodeType(type);
    const testers = (description.credentials ?? []).flatMap(({ name, testedBy }) =>
      name === typeName && typeof testedBy === 'string' ? [testedBy] : [],
    );
    const test = testers.map((tester) => methods?.credentialTest?.[tester]).find(Boolean);
    if (test !== undefined) return test;
  }
  throw new Error(`Neither the credential type "${typeName}" nor a node tests it.`);
}

/** n8n's registry of node types, backed by a map. */
export class HarnessNodeTypes implements INodeTypes {
  constructor(private readonly types: ReadonlyMap<string, AnyNodeType>) {}

  getByName(nodeType: string): AnyNodeType {
    const found = this.types.get(nodeType);
    if (found === undefined) {
      throw new Error(
        `Unknown node type "${nodeType}". Known: ${[...this.types.keys()].join(', ')}.`,
      );
    }
    return found;
  }

  getByNameAndVersion(nodeType: string, version?: number): INodeType {
    return NodeHelpers.getVersionedNodeType(this.getByName(nodeType), version);
  }

  getKnownTypes(): Record<string, never> {
    return {};
  }
}
