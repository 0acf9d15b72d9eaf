/**
 * The build rejects files that n8n could not show, and copies other files unchanged. Packing
 * bundles the code.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codex, demoProject, nodeSource, png } from './demo-project';
import { type ProjectFolder } from './project-folder';

let project: ProjectFolder;

beforeEach(() => {
  project = demoProject();
});
afterEach(() => {
  project.delete();
});

const build = () => project.run('gulp/bin/gulp.js', ['build']);

it('builds code, icons, codex files and output schemas, and removes files of an earlier build', () => {
  project.write('dist/nodes/Gone/Gone.node.js', '');
  const schema = 'nodes/Demo/__schema__/v1.0.0/thing/get.json';
  project.write(schema, '{ "type": "object" }');
  const { code, output } = build();

  expect(output).not.toContain('Error');
  expect(code).toBe(0);
  const built = (name: string) => join(project.path, 'dist', name);
  expect(readFileSync(built('nodes/Demo/demo.png'))).toEqual(png);
  expect(existsSync(built('nodes/Demo/Demo.node.js'))).toBe(true);
  expect(existsSync(built('nodes/Demo/Demo.node.json'))).toBe(true);
  expect(readFileSync(built(schema), 'utf8')).toBe('{ "type": "object" }');
  expect(existsSync(built('credentials/demoApi.svg'))).toBe(true);
  expect(existsSync(built('nodes/Gone'))).toBe(false);
});

it.each<[string, () => void, string]>([
  [
    'a type error',
    () => project.write('src/wrong.ts', 'export const n: number = "text";'),
    'src/wrong.ts',
  ],
  [
    'a codex file for another node',
    () => project.write('nodes/Demo/Demo.node.json', codex('n8n-nodes-base.demo')),
    'is for "n8n-nodes-base.demo", but its node is "n8n-nodes-demo.demo"',
  ],
  [
    'a missing codex file',
    () => project.remove('nodes/Demo/Demo.node.json'),
    'Demo.node.json is missing',
  ],
  [
    'a missing dark icon',
    () =>
      project.write(
        'nodes/Demo/Demo.node.ts',
        nodeSource("{ light: 'file:demo.png', dark: 'file:demo.dark.png' }"),
      ),
    'names the icon "file:demo.dark.png", which is not in dist/',
  ],
  [
    'a credential without an icon file',
    () => project.remove('credentials/demoApi.svg'),
    'names the icon "file:demoApi.svg"',
  ],
  [
    'a listed node that does not exist',
    () => project.remove('nodes/Demo/Demo.node.ts'),
    'Demo.node.js is listed in package.json but was not built',
  ],
  [
    'a class that n8n would not find',
    () => project.write('nodes/Demo/Demo.node.ts', 'export class Other {}'),
    'must export a class named Demo',
  ],
])('fails on %s', (_, spoil, message) => {
  spoil();
  const { code, output } = build();

  expect(output).toContain(message);
  expect(code).not.toBe(0);
});
