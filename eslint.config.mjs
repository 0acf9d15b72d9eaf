import comments from '@eslint-community/eslint-plugin-eslint-comments/configs';
import eslint from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
// @ts-expect-error -- the plugin ships no types
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import { globalIgnores } from 'eslint/config';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

const typescript = ['**/*.ts'];
const javascript = ['**/*.js', '**/*.mjs', '**/*.cjs'];

// --- Which folder may import which ---------------------------------------------------------------

/** Folders of the product and its tools, each with the word that identifies it in an import path. */
const folders = {
  nodes: 'nodes',
  credentials: 'credentials',
  'src/n8n': 'n8n',
  'src/graph': 'graph',
  'src/watch': 'watch',
  'src/service': 'service',
  'src/input': 'input',
  'src/run': 'run',
  'src/client': 'client',
  'src/values': 'values',
  sandbox: 'sandbox',
  scripts: 'scripts',
  test: 'test',
  bench: 'bench',
  examples: 'examples',
  host: 'host',
};

const transport = ['axios', 'bottleneck', 'ioredis'];
const n8nPackages = ['n8n-workflow', 'n8n-core', '@n8n'];

/**
 * Which folder may import which. Imports go in one direction, and every folder is in this table.
 * CONTRIBUTING.md shows their order. `not` names packages that a folder must not use.
 *
 * @type {Record<string, { may: string[], not: string[] }>}
 */
const arrows = {
  nodes: {
    may: ['src/n8n', 'src/watch', 'src/service', 'src/input', 'src/run', 'src/values'],
    not: [...transport, 'n8n-core'],
  },
  'src/n8n': {
    may: [
      'src/watch',
      'src/service',
      'src/input',
      'src/run',
      'src/client',
      'src/values',
      'src/graph',
    ],
    not: [...transport, 'n8n-core'],
  },
  'src/graph': {
    may: ['src/service', 'src/input', 'src/values'],
    not: [...transport, ...n8nPackages],
  },
  'src/watch': {
    may: ['src/service', 'src/input', 'src/run', 'src/client', 'src/values'],
    not: [...transport, ...n8nPackages],
  },
  'src/service': {
    may: ['src/input', 'src/run', 'src/client', 'src/values'],
    not: [...transport, ...n8nPackages],
  },
  'src/run': {
    may: ['src/client', 'src/input', 'src/values'],
    not: [...transport, ...n8nPackages],
  },
  'src/input': { may: ['src/client', 'src/values'], not: [...transport, ...n8nPackages] },
  'src/client': { may: ['src/values'], not: n8nPackages },
  'src/values': { may: [], not: [...transport, ...n8nPackages] },
  sandbox: { may: [], not: n8nPackages },
};

/**
 * Returns one folder's restrictions as ESLint's own rule on the path of an import.
 *
 * @param {string} folder
 * @param {{ may: string[], not: string[] }} arrow
 * @returns {import('eslint').Linter.Config}
 */
function imports(folder, { may, not }) {
  const isOfProduct = folder.startsWith('src/') || folder === 'nodes';
  const others = isOfProduct ? folders : { ...folders, src: 'src' };
  const forbidden = Object.entries(others)
    .filter(([name]) => name !== folder && !may.includes(name))
    // Outside the product, a file can have the same name as a folder of `src`.
    .filter(([name]) => isOfProduct || !name.startsWith('src/'))
    .map(([, word]) => word);
  const message = `${folder} may import ${may.length > 0 ? may.join(', ') : 'no other folder'}; see CONTRIBUTING.md.`;
  return {
    name: `architecture/${folder}`,
    files: [`${folder}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: `^(\\.\\.?/)+(src/)?(${forbidden.join('|')})(/|$)`, message },
            { regex: `^(${not.join('|')})(/|$)`, message: `${folder} does not use this package.` },
          ],
        },
      ],
    },
  };
}

/** @type {import('eslint').Linter.Config[]} */
const architecture = [
  ...Object.entries(arrows).map(([folder, arrow]) => imports(folder, arrow)),
  {
    name: 'architecture/credentials',
    files: ['credentials/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(?!n8n-workflow$|\\./)',
              message: 'Credentials use n8n-workflow only.',
            },
          ],
        },
      ],
    },
  },
];

// --- n8n's rules ---------------------------------------------------------------------------------

/** The rules of n8n's scanner for the sources of a published package. */
const community = n8nCommunityNodesPlugin.configs.recommended;
/** Some of these rules only warn in n8n's preset. Here, all of them are errors. */
const communityRules = Object.fromEntries(
  Object.keys(community.rules ?? {}).map((rule) => [rule, /** @type {const} */ ('error')]),
);

const jsonParser = {
  parser: tseslint.parser,
  parserOptions: { extraFileExtensions: ['.json'], projectService: false, project: null },
};

export default tseslint.config(
  globalIgnores(['dist/', 'coverage/', '.cache/', 'host/', '**/node_modules/']),
  comments.recommended,
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    name: 'all code',
    files: [...typescript, ...javascript],
    extends: [eslint.configs.recommended],
    rules: {
      eqeqeq: 'error',
      '@eslint-community/eslint-comments/require-description': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'object-shorthand': 'error',
      'prefer-template': 'error',
    },
  },
  {
    name: 'TypeScript',
    files: typescript,
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/array-type': ['error', { default: 'array-simple' }],
      '@typescript-eslint/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // Modules that are loaded on first use need `require`.
      '@typescript-eslint/no-require-imports': [
        'error',
        {
          allow: [
            '^(axios|bottleneck|ioredis|lru-cache|tldts|zod)(/|$)',
            '/graph/',
            '/redis$',
            '/schemas$',
          ],
        },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // Responses and items are open records. `row['x']` deliberately marks a field as possibly
      // absent.
      '@typescript-eslint/dot-notation': 'off',
    },
  },
  {
    name: 'JavaScript',
    files: javascript,
    languageOptions: {
      globals: {
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        Buffer: 'readonly',
        clearInterval: 'readonly',
        clearTimeout: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
        process: 'readonly',
        setImmediate: 'readonly',
        setInterval: 'readonly',
        setTimeout: 'readonly',
        structuredClone: 'readonly',
        URL: 'readonly',
        URLSearchParams: 'readonly',
      },
    },
  },
  {
    name: 'CommonJS',
    files: ['gulpfile.js', '**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: {
        __dirname: 'readonly',
        afterAll: 'readonly',
        beforeEach: 'readonly',
        expect: 'readonly',
        jest: 'readonly',
      },
    },
  },
  {
    name: 'what n8n loads does not print, and is packed as one file',
    files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'src/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-globals': [
        'error',
        ...['__dirname', '__filename'].map((name) => ({
          name,
          message: 'Packing changes it. It copies files that require.resolve names by a literal.',
        })),
      ],
    },
  },
  {
    name: 'tests and test equipment',
    files: ['test/**/*.ts', 'bench/**/*.ts', 'sandbox/**/*.ts'],
    rules: {
      // If an expected value is missing, the test fails, as it should.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    name: 'tests',
    files: ['test/**/*.ts'],
    rules: {
      // jest types its asymmetric matchers (`expect.any(…)`) as any.
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
  {
    name: 'imports',
    files: [...typescript, ...javascript],
    plugins: { 'import-x': importX },
    settings: {
      'import-x/extensions': ['.ts', '.js', '.mjs', '.cjs'],
      'import-x/resolver-next': [
        createNodeResolver({ extensions: ['.ts', '.js', '.mjs', '.cjs'] }),
      ],
    },
    rules: {
      'import-x/no-cycle': 'error',
      'import-x/no-extraneous-dependencies': 'error',
    },
  },
  ...architecture,
  {
    name: 'n8n community nodes',
    files: ['nodes/**/*.{ts,json}', 'credentials/**/*.ts'],
    // The scanner ignores comments that disable a rule.
    linterOptions: { noInlineConfig: true },
    plugins: community.plugins ?? {},
    rules: communityRules,
  },
  {
    name: 'codex files and output schemas',
    files: ['nodes/**/*.json'],
    languageOptions: jsonParser,
  },
  {
    name: 'n8n community package',
    files: ['package.json'],
    languageOptions: jsonParser,
    plugins: { ...community.plugins, 'n8n-nodes-base': n8nNodesBase },
    rules: {
      ...communityRules,
      ...n8nNodesBase.configs.community.rules,
      // Both rules need facts that exist only after the package is published: the author's address
      // and the package's page. Until then, both rules are off. `npm publish` first runs `npm run
      // lint:release`, which turns them on.
      '@n8n/community-nodes/valid-author': 'off',
      '@n8n/community-nodes/require-homepage': 'off',
    },
  },
  {
    name: 'n8n credentials',
    files: ['credentials/**/*.ts'],
    plugins: { 'n8n-nodes-base': n8nNodesBase },
    rules: {
      ...n8nNodesBase.configs.credentials.rules,
      // This rule is for n8n's own repository, where the field is a path. It contradicts the rule
      // …-not-http-url.
      'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
    },
  },
  {
    name: 'n8n nodes',
    files: ['nodes/**/*.ts'],
    plugins: { 'n8n-nodes-base': n8nNodesBase },
    rules: {
      ...n8nNodesBase.configs.nodes.rules,
      // These two rules require the literal ['main']. n8n 2 requires NodeConnectionTypes: the rule
      // node-connection-type-literal of its newer plugin forbids the literal.
      'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
      'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
    },
  },
);
