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
/** The package.json of this package. */
export const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  name: string;
  n8n: { nodes: string[]; credentials: string[] };
};

/** Prefix of the type names of this package's nodes in an n8n that installed the package. */
const packagePrefix = `${manifest.name}.`;

/** Whether this jest project tests the packed package instead of its sources. */
const { packed } = globalThis as { packed?: boolean };

/**
 * Creates an object of the class that a file of package.json's n8n section exports, from the
 * TypeScript source or from the packed package. n8n names the class after the file, up to the first
 * dot.
 */
async function instantiate(builtFile: string): Promise<unknown> {
  const source = builtFile.replace(/^dist\//, '').replace(/\.js$/, '.ts');
  const className = source.split('/').pop()?.split('.')[0] ?? '';
  const path =
    packed === true ? join(process.env['PACKED_PACKAGE']!, builtFile) : join(projectRoot, source);
  const loaded = ((await import(path)) as Record<string, new () => unknown>)[className];
  if (loaded === undefined) {
    throw new Error(`${path} must export a class named ${className} (n8n's loader wants it).`);
  }
  return new loaded();
}

let packageNodes: Promise<Map<string, AnyNodeType>> | undefined;
let packageCredentials: Promise<Map<string, ICredentialType>> | undefined;

async function loadPackageNodes(): Promise<Map<string, AnyNodeType>> {
  const loaded = new Map<string, AnyNodeType>();
  for (const file of manifest.n8n.nodes) {
    const instance = (await instantiate(file)) as AnyNodeType;
    const { name } = instance.description;
    loaded.set(packagePrefix + name, instance);
    // The node type as an agent's tool, as AI Agent 3 runs it in the engine.
    const type = NodeHelpers.getVersionedNodeType(instance);
    const description = { ...type.description, name: `${name}Tool` };
    const tool = Object.assign(Object.create(type) as INodeType, { description });
    loaded.set(packagePrefix + description.name, tool);
  }
  return loaded;
}

async function loadPackageCredentials(): Promise<Map<string, ICredentialType>> {
  const loaded = await Promise.all(manifest.n8n.credentials.map(instantiate));
  return new Map((loaded as ICredentialType[]).map((type) => [type.name, type]));
}

/**
 * Returns node types by type name: the harness's own, the types in `extra` and, if `wanted` names
 * one, this package's nodes, because tests of the engine alone must run without them.
 */
export async function loadNodeTypes(
  wanted: readonly string[],
  extra: ReadonlyMap<string, INodeType> = new Map(),
): Promise<INodeTypes> {
  if (!wanted.some((type) => type.startsWith(packagePrefix))) {
    return createNodeTypes(new Map([...builtInTestNodes, ...extra]));
  }
  packageNodes ??= loadPackageNodes();
  return createNodeTypes(new Map([...builtInTestNodes, ...extra, ...(await packageNodes)]));
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
    for (const { name, testedBy } of description.credentials ?? []) {
      const test = typeof testedBy === 'string' && methods?.credentialTest?.[testedBy];
      if (name === typeName && test) return test;
    }
  }
  throw new Error(`No node tests the credential type "${typeName}".`);
}

/** Creates n8n's registry of node types. */
function createNodeTypes(types: ReadonlyMap<string, AnyNodeType>): INodeTypes {
  const getByName = (nodeType: string): AnyNodeType => {
    const found = types.get(nodeType);
    if (found === undefined) throw new Error(`Unknown node type "${nodeType}".`);
    return found;
  };
  return {
    getByName,
    getByNameAndVersion: (nodeType, version) =>
      NodeHelpers.getVersionedNodeType(getByName(nodeType), version),
    getKnownTypes: () => ({}),
  };
}
