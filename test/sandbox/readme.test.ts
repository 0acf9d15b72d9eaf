/** Tests sandbox/README.md: each rule has a file and tests, and it lists each preset and route. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_CHOICES } from '../../sandbox/choices';
import { FAULT_PRESETS } from '../../sandbox/faults/presets';

const SANDBOX = join(__dirname, '..', '..', 'sandbox');
const RULES = join(__dirname, 'rules');
const readme = readFileSync(join(SANDBOX, 'README.md'), 'utf8');

test('names every rule that has tests, with an existing file', () => {
  const titles = readdirSync(RULES).flatMap((file) => [
    ...readFileSync(join(RULES, file), 'utf8').matchAll(/^\s*test\(\s*['"](.*?): /gm),
  ]);
  const tested = new Set(titles.map(([, rule = '']) => rule));
  const lines = [...readme.matchAll(/^- \*\*(.+):\*\* .*\(`([^`]+)`\)$/gm)];
  const named = lines.flatMap(([, rules = '']) => rules.split(', '));

  expect(named.toSorted()).toEqual([...tested].filter((rule) => rule !== 'Endpoints').toSorted());
  expect(named.length).toBeGreaterThan(70);
  const missing = lines.filter(([, , file = '']) => !existsSync(join(SANDBOX, file)));
  expect(missing.map(([line]) => line)).toEqual([]);
});

test('describes every choice, fault preset and control route', () => {
  for (const name of [...Object.keys(DEFAULT_CHOICES), ...Object.keys(FAULT_PRESETS)]) {
    expect(readme).toContain(`\`${name}\``);
  }
  const control = readFileSync(join(SANDBOX, 'control.ts'), 'utf8');
  const routes = [
    ...control.matchAll(/control\s*\.(get|post|put|patch|delete)(?:<[^(]*>)?\(\s*'([^']+)'/g),
  ];
  expect(routes.length).toBeGreaterThan(6);
  const missing = routes
    .map(([, method, path]) => `${method!.toUpperCase()} ${path!.replace(/:(\w+)/, '{$1}')}`)
    .filter((route) => !readme.includes(`\`${route}\``));
  expect(missing).toEqual([]);
});
