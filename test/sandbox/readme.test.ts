/**
 * Tests sandbox/README.md: each rule names its code
 * and tests, and it lists each endpoint and switch.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_CHOICES } from '../../sandbox/choices';
import { FAULT_PRESETS } from '../../sandbox/faults/presets';
import { ENDPOINTS } from '../../sandbox/routes';

const SANDBOX = join(__dirname, '..', '..', 'sandbox');
const RULES = join(__dirname, 'rules');
const readme = readFileSync(join(SANDBOX, 'README.md'), 'utf8');

/** Returns the cells of the tables between a heading and the next heading of the same level. */
function rowsBelow(heading: string): string[][] {
  const start = readme.indexOf(`\n## ${heading}\n`);
  const end = readme.indexOf('\n## ', start + 1);
  return readme
    .slice(start, end < 0 ? undefined : end)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.includes('---'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

const code = (cell: string): string => cell.replaceAll('`', '');

/** Returns the test titles in a file, as written in the source. */
function titlesOf(file: string): string[] {
  const source = readFileSync(join(RULES, file), 'utf8');
  return [...source.matchAll(/^\s*test\(\s*(['"])(.*?)\1,/gm)].map((match) => match[2]!);
}

interface Rule {
  readonly file: string;
  readonly tests: ReadonlyArray<{ file: string; title: string }>;
}

/** Returns the rules. Each rule is a bullet that ends with its file, with its tests below it. */
function rulesOf(): Rule[] {
  const section = readme.slice(readme.indexOf('\n## Rule by rule\n'));
  return section
    .split('\n- **')
    .slice(1)
    .map((entry) => {
      const [first = '', ...rest] = entry.split('\n');
      const tests = rest.filter((line) => line.startsWith('  - '));
      return {
        file: /\(`([^`]+)`\)$/.exec(first)?.[1] ?? first,
        tests: tests.map((line) => {
          const [, file = '', title = line] = /^ {2}- `([\w.]+)` (.*)$/.exec(line) ?? [];
          return { file, title };
        }),
      };
    });
}

const rules = rulesOf();
const named = rules.flatMap(({ tests }) => tests);

test('names an existing source file and at least one existing test for every rule', () => {
  expect(rules.length).toBeGreaterThan(80);
  for (const { file, tests } of rules) {
    expect([file, existsSync(join(SANDBOX, file))]).toEqual([file, true]);
    expect([file, tests.length > 0]).toEqual([file, true]);
  }
  for (const { file, title } of named) expect(titlesOf(file)).toContain(title);
});

test('lists every rule test', () => {
  const inList = new Set(named.map(({ title }) => title));
  const titles = readdirSync(RULES).flatMap(titlesOf);
  expect(titles.length).toBeGreaterThan(100);
  expect(titles.filter((title) => !title.startsWith('Endpoints:') && !inList.has(title))).toEqual(
    [],
  );
});

test('lists every choice in the table of choices and in a question to the service', () => {
  const [choices = '', questions = ''] = readme
    .slice(readme.indexOf('\n## Choices\n'), readme.indexOf('\n### What is decided\n'))
    .split('\n### Questions to the service\n');
  const unnamed = (text: string) =>
    Object.keys(DEFAULT_CHOICES).filter((name) => !text.includes(`\`${name}\``));

  expect([unnamed(choices), unnamed(questions)]).toEqual([[], []]);
});

test('lists every endpoint of the API spec with the file that implements it', () => {
  const listed = rowsBelow('Endpoints').slice(1);
  const served = ENDPOINTS.filter(({ chosen }) => !chosen);
  expect(listed.map(([method, path]) => `${method} ${code(path!)}`).sort()).toEqual(
    served.map(({ method, path }) => `${method} ${path}`).sort(),
  );
  for (const [method, path, file] of listed) {
    const source = readFileSync(join(SANDBOX, code(file!)), 'utf8');
    expect(source).toMatch(new RegExp(`method: '${method}',\\s+path: '${escape(code(path!))}'`));
  }
});

test('describes every fault preset and control route', () => {
  for (const preset of Object.keys(FAULT_PRESETS)) expect(readme).toContain(`\`${preset}\``);
  const control = readFileSync(join(SANDBOX, 'control', 'routes.ts'), 'utf8');
  const routes = [
    ...control.matchAll(/control\s*\.(get|post|put|patch|delete)(?:<[^(]*>)?\(\s*'([^']+)'/g),
  ];
  expect(routes.length).toBeGreaterThan(10);
  const missing = routes
    .map(([, method, path]) => `${method!.toUpperCase()} ${path!.replace(/:(\w+)/, '{$1}')}`)
    .filter((route) => !readme.includes(`\`${route}\``));
  expect(missing).toEqual([]);
});

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
