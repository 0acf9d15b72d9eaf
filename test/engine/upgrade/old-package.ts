/** Version 0.1.0 as users have it, beside the present one. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { type INodeType } from 'n8n-workflow';

/** The packed package, built from the last commit of 0.1.0. */
const TARBALL = join(__dirname, 'n8n-nodes-company-intelligence-0.1.0.tgz');

/** An unpacked package. */
export interface OldPackage {
  /** Its nodes, by the names of their types. */
  readonly nodes: ReadonlyMap<string, INodeType>;
  delete(): void;
}

/** Unpacks and loads it, with this project's dependencies. */
export async function loadOldPackage(): Promise<OldPackage> {
  const folder = mkdtempSync(join(tmpdir(), 'old-package-'));
  execFileSync('tar', ['-xzf', TARBALL, '-C', folder]);
  const root = join(folder, 'package');
  symlinkSync(resolve(__dirname, '../../../node_modules'), join(root, 'node_modules'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    n8n: { nodes: string[] };
  };
  const nodes = new Map<string, INodeType>();
  for (const file of manifest.n8n.nodes) {
    const module = (await import(join(root, file))) as Record<string, new () => INodeType>;
    const Type = module[file.split('/').at(-2) ?? ''];
    if (Type === undefined) throw new Error(`${file} exports no node.`);
    const node = new Type();
    nodes.set(node.description.name, node);
  }
  return {
    nodes,
    delete: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
