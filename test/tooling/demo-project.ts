import { ProjectFolder } from './project-folder';

/** Files that gulp and the scripts in package.json read. */
const COPIED = [
  'gulpfile.js',
  'tsconfig.json',
  'tsconfig.build.json',
  '.npmrc',
  'scripts/free-mail.mjs',
  'scripts/package-page.mjs',
  'scripts/release-check.mjs',
  'scripts/free-mail.mjs',
  'scripts/lib/bundle.mjs',
  'scripts/lib/package-page.mjs',
  'scripts/lib/paths.mjs',
  'scripts/lib/release.mjs',
  'scripts/licenses/Apache-2.0.txt',
  'scripts/licenses/MIT.txt',
  'scripts/licenses/MPL-2.0.txt',
];

/** Returns the source of a node whose icon is this TypeScript expression. */
export const nodeSource = (icon: string): string => `
export class Demo {
  description = { name: 'demo', icon: ${icon} };
}
`;

const credentialSource = `
export class DemoApi {
  name = 'demoApi';
  icon = 'file:demoApi.svg';
}
`;

/** Bytes that are not valid UTF-8, as in every PNG. */
export const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0xfe, 0x00]);

/** Returns a codex file for this node. */
export const codex = (node: string): string =>
  JSON.stringify({ node, nodeVersion: '1.0', resources: {} });

/** Creates a package with one node and one credential type, which uses this project's build. */
export function demoProject(manifest: Readonly<Record<string, unknown>> = {}): ProjectFolder {
  const project = new ProjectFolder(COPIED);
  const whole = {
    name: 'n8n-nodes-demo',
    version: '1.2.3',
    n8n: {
      nodes: ['dist/nodes/Demo/Demo.node.js'],
      credentials: ['dist/credentials/DemoApi.credentials.js'],
    },
    ...manifest,
  };
  project.write('package.json', JSON.stringify(whole));
  project.write('nodes/Demo/Demo.node.ts', nodeSource("'file:demo.png'"));
  project.write('nodes/Demo/demo.png', png);
  project.write('nodes/Demo/Demo.node.json', codex('n8n-nodes-demo.demo'));
  project.write('credentials/DemoApi.credentials.ts', credentialSource);
  project.write('credentials/demoApi.svg', '<svg/>');
  return project;
}
