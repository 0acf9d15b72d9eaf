/** The lint settings catch what they are there for. */
import { ProjectFolder } from './project-folder';

interface LintResult {
  filePath: string;
  messages: Array<{ ruleId: string | null; message: string }>;
}

let project: ProjectFolder;

beforeAll(() => {
  project = new ProjectFolder(['eslint.config.mjs', 'tsconfig.json']);
});
afterAll(() => {
  project.delete();
});

/** Lints the files together; returns the rules broken, by file. */
function lint(files: Record<string, string>): Record<string, Array<string | null>> {
  for (const [name, content] of Object.entries(files)) project.write(name, content);
  const { output } = project.run('eslint/bin/eslint.js', ['.', '--format', 'json']);
  const results = JSON.parse(output) as LintResult[];
  return Object.fromEntries(
    results
      .map(({ filePath, messages }): [string, Array<string | null>] => [
        filePath.slice(project.path.length + 1),
        messages.map(({ ruleId }) => ruleId),
      ])
      .filter(([name]) => name in files),
  );
}

it('finds each kind of fault, and nothing in code that is as it should be', () => {
  const importing = (...names: string[]) => names.map((name) => `import '${name}';\n`).join('');
  const restricted = 'no-restricted-imports';

  expect(
    lint({
      'src/client/good.ts': "import axios from 'axios';\n\nexport const client = axios.create();\n",
      'src/client/up.ts': importing('../api/x', '../n8n/x', '../../nodes/x', 'n8n-workflow'),
      'src/client/deep/up.ts': importing('../../api/x'),
      'src/run/good.ts': importing('../client/good', '../input/x'),
      'src/run/up.ts': importing('../api/x', '../n8n/x', 'axios'),
      'src/drawing/good.ts': importing('../api/good', 'graphology'),
      'src/drawing/up.ts': importing('../client/good', '../run/good', '../n8n/x', 'n8n-workflow'),
      'src/input/up.ts': importing('../run/good', '../drawing/good'),
      'src/api/good.ts': importing('../client/good', '../run/good', 'zod/v4'),
      'src/api/up.ts': importing('../n8n/x', '../drawing/good', 'axios'),
      'src/n8n/good.ts': importing('../api/x', '../client/x', 'n8n-workflow'),
      'src/n8n/up.ts': importing('../../nodes/x', '../../sandbox/x'),
      'nodes/A/good.ts': importing('../shared/x', '../../src/n8n/x', '../../src/api/x'),
      'nodes/A/up.ts': importing('../../src/client/x', '../../test/x', 'bottleneck'),
      'credentials/good.ts': importing('n8n-workflow', './shared/x'),
      'credentials/up.ts': importing('../src/n8n/x', '../nodes/shared/x', 'zod'),
      'sandbox/good.ts': importing('fastify', './x'),
      'sandbox/up.ts': importing('../src/api/x', '../nodes/x'),
      'test/good.ts': importing('../src/client/x', '../sandbox/x', '../nodes/A/x'),
      'src/any.ts': 'export const x: any = 1;\n',
      'src/floating.ts': 'export function f(): void {\n  Promise.resolve();\n}\n',
      'src/print.ts': "console.log('x');\n",
      'src/unexplained.ts': "// eslint-disable-next-line no-console\nconsole.log('x');\n",
      'src/needless.ts':
        '// eslint-disable-next-line no-console -- there is nothing to print\nexport const x = 1;\n',
      'nodes/A/properties.ts':
        "import type { INodeProperties } from 'n8n-workflow';\n\n" +
        'export const properties: INodeProperties[] = [\n' +
        "  { displayName: 'not title case', name: 'x', type: 'string', default: '' },\n];\n",
      'nodes/B/B.node.ts':
        "import { NodeConnectionTypes, type INodeType } from 'n8n-workflow';\n\n" +
        'export class B implements INodeType {\n' +
        "  description = { displayName: 'B', name: 'b', outputs: [NodeConnectionTypes.Main] };\n}\n",
    }),
  ).toEqual({
    'src/client/good.ts': [],
    'src/client/up.ts': [restricted, restricted, restricted, restricted],
    'src/client/deep/up.ts': [restricted],
    'src/run/good.ts': [],
    'src/run/up.ts': [restricted, restricted, restricted],
    'src/drawing/good.ts': [],
    'src/drawing/up.ts': [restricted, restricted, restricted, restricted],
    'src/input/up.ts': [restricted, restricted],
    'src/api/good.ts': [],
    'src/api/up.ts': [restricted, restricted, restricted],
    'src/n8n/good.ts': [],
    'src/n8n/up.ts': [restricted, restricted],
    'nodes/A/good.ts': [],
    'nodes/A/up.ts': [restricted, restricted, restricted],
    'credentials/good.ts': [],
    'credentials/up.ts': [restricted, restricted, restricted],
    'sandbox/good.ts': [],
    'sandbox/up.ts': [restricted, restricted],
    'test/good.ts': [],
    'src/any.ts': ['@typescript-eslint/no-explicit-any'],
    'src/floating.ts': ['@typescript-eslint/no-floating-promises'],
    'src/print.ts': ['no-console'],
    'src/unexplained.ts': ['local/disable-with-reason'],
    'src/needless.ts': [null],
    'nodes/A/properties.ts': ['n8n-nodes-base/node-param-display-name-miscased'],
    'nodes/B/B.node.ts': expect.arrayContaining([
      '@n8n/community-nodes/node-usable-as-tool',
      '@n8n/community-nodes/require-node-description-fields',
    ]),
  });
});
