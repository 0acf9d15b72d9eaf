import { ProjectFolder } from './project-folder';

interface LintResult {
  filePath: string;
  messages: Array<{ ruleId: string | null; message: string }>;
}

let project: ProjectFolder;

beforeAll(() => {
  project = new ProjectFolder(['eslint.config.mjs', 'tsconfig.json', 'package.json']);
});
afterAll(() => {
  project.delete();
});

interface Code {
  readonly code: string;
  readonly breaks: unknown;
}

const importing = (...names: string[]) => names.map((name) => `import '${name}';\n`).join('');
const mayNotImport = (...names: string[]): Code => ({
  code: importing(...names),
  breaks: names.map(() => 'no-restricted-imports'),
});

const FILES: Readonly<Record<string, Code>> = {
  'src/client/up.ts': mayNotImport('../service/x', '../n8n/x', '../../nodes/x', 'n8n-workflow'),
  'src/client/deep/up.ts': mayNotImport('../../service/x'),
  'src/run/up.ts': mayNotImport('../service/x', '../n8n/x', 'axios'),
  'src/graph/up.ts': mayNotImport('../client/good', '../run/good', '../n8n/x', 'n8n-workflow'),
  'src/input/up.ts': mayNotImport('../run/good', '../graph/good'),
  'src/service/up.ts': mayNotImport('../n8n/x', '../graph/good', 'axios'),
  'src/n8n/up.ts': mayNotImport('../../nodes/x', '../../sandbox/x'),
  'nodes/A/up.ts': {
    code: importing('../../src/client/x', '../../test/x', 'bottleneck'),
    breaks: ['no-restricted-imports', 'no-restricted-imports', 'no-restricted-imports'],
  },
  'credentials/up.ts': mayNotImport('../src/n8n/x', '../nodes/shared/x', 'zod'),
  'sandbox/up.ts': mayNotImport('../src/service/x', '../nodes/x'),
  'src/any.ts': {
    code: 'export const x: any = 1;\n',
    breaks: ['@typescript-eslint/no-explicit-any'],
  },
  'src/floating.ts': {
    code: 'export function f(): void {\n  Promise.resolve();\n}\n',
    breaks: ['@typescript-eslint/no-floating-promises'],
  },
  'src/print.ts': { code: "console.log('x');\n", breaks: ['no-console'] },
  'src/unexplained.ts': {
    code: "// eslint-disable-next-line no-console\nconsole.log('x');\n",
    breaks: ['@eslint-community/eslint-comments/require-description'],
  },
  'src/values/circle.ts': {
    code: "import { y } from './circle-end';\n\nexport const x = y;\n",
    breaks: ['import-x/no-cycle'],
  },
  'src/values/circle-end.ts': {
    code: "import { x } from './circle';\n\nexport const y: number = x;\n",
    breaks: ['import-x/no-cycle'],
  },
  'src/undeclared.ts': {
    code: importing('semver'),
    breaks: ['import-x/no-extraneous-dependencies'],
  },
  'src/needless.ts': {
    code: '// eslint-disable-next-line no-console -- there is nothing to print\nexport const x = 1;\n',
    breaks: [null],
  },
  'nodes/A/properties.ts': {
    code:
      "import type { INodeProperties } from 'n8n-workflow';\n\n" +
      'export const properties: INodeProperties[] = [\n' +
      "  { displayName: 'not title case', name: 'x', type: 'string', default: '' },\n];\n",
    breaks: ['n8n-nodes-base/node-param-display-name-miscased'],
  },
  'nodes/B/B.node.ts': {
    code:
      "import { NodeConnectionTypes, type INodeType } from 'n8n-workflow';\n\n" +
      'export class B implements INodeType {\n' +
      "  description = { displayName: 'B', name: 'b', outputs: [NodeConnectionTypes.Main] };\n}\n",
    breaks: expect.arrayContaining([
      '@n8n/community-nodes/node-usable-as-tool',
      '@n8n/community-nodes/require-node-description-fields',
    ]),
  },
};

// `npm run lint` shows that it accepts the code of this project.
it('ESLint reports every kind of violation', () => {
  for (const [name, { code }] of Object.entries(FILES)) project.write(name, code);
  const { output } = project.run('eslint/bin/eslint.js', ['.', '--format', 'json']);
  const found = (JSON.parse(output) as LintResult[])
    .map(({ filePath, messages }) => ({
      name: filePath.slice(project.path.length + 1),
      rules: messages.map(({ ruleId }) => ruleId),
    }))
    .filter(({ name }) => name in FILES);

  expect(Object.fromEntries(found.map(({ name, rules }) => [name, rules]))).toEqual(
    Object.fromEntries(Object.entries(FILES).map(([name, { breaks }]) => [name, breaks])),
  );
});
