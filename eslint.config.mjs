import eslint from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
// @ts-expect-error -- the plugin ships no types
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import { globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const typescript = ['**/*.ts'];
const javascript = ['**/*.js', '**/*.mjs', '**/*.cjs'];

// --- Which folder may import which ---------------------------------------------------------------
// nodes → src/n8n → src/api → src/client; credentials, src/domains and sandbox stand alone.

/**
 * Forbids imports for one folder, as ESLint's own rule on the text of the import.
 *
 * @param {string} folder where the imports may not be
 * @param {string} reason what to do instead; shown with each error
 * @param {{ folders?: string[], packages?: string[], regex?: string }} forbidden folders are names of
 *   folders of the tree, however many `../` lead to them
 * @returns {import('eslint').Linter.Config}
 */
function imports(folder, reason, { folders = [], packages = [], regex }) {
  const patterns = [];
  if (folders.length > 0) {
    patterns.push({ regex: `^(\\.\\.?/)+(src/)?(${folders.join('|')})(/|$)`, message: reason });
  }
  if (packages.length > 0) {
    patterns.push({ regex: `^(${packages.join('|')})(/|$)`, message: reason });
  }
  if (regex !== undefined) patterns.push({ regex, message: reason });
  return {
    name: `architecture/${folder}`,
    files: [`${folder}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

const outside = ['sandbox', 'scripts', 'test', 'bench', 'examples', 'host'];
const n8nPackages = ['n8n-workflow', 'n8n-core', '@n8n'];
const transportPackages = ['axios', 'bottleneck', 'ioredis'];

const architecture = [
  imports(
    'nodes',
    'A node talks to src/n8n (and to the shapes in src/api), never to the transport.',
    {
      folders: [...outside, 'client'],
      packages: [...transportPackages, 'n8n-core'],
    },
  ),
  imports('credentials', 'Credentials use n8n-workflow and the builders in nodes/shared only.', {
    regex: '^(?!n8n-workflow$|\\./|\\.\\./nodes/shared/)',
  }),
  imports('src', 'src may not depend on what is built on top of it or beside it.', {
    folders: [...outside, 'nodes', 'credentials'],
  }),
  imports(
    'src/n8n',
    'src/n8n uses src/api and src/client; requests are sent by src/client alone.',
    {
      folders: [...outside, 'nodes', 'credentials'],
      packages: [...transportPackages, 'n8n-core'],
    },
  ),
  imports('src/api', 'src/api builds on src/client and knows nothing of n8n.', {
    folders: [...outside, 'nodes', 'credentials', 'n8n'],
    packages: [...transportPackages, ...n8nPackages],
  }),
  imports('src/client', 'src/client knows neither the calls of src/api nor n8n.', {
    folders: [...outside, 'nodes', 'credentials', 'n8n', 'api'],
    packages: n8nPackages,
  }),
  imports('src/domains', 'src/domains is plain text handling: no requests, no n8n.', {
    folders: [...outside, 'nodes', 'credentials', 'n8n', 'api', 'client'],
    packages: [...transportPackages, ...n8nPackages],
  }),
  imports(
    'sandbox',
    'The local service is written from the interface alone, without the product.',
    {
      folders: ['src', 'nodes', 'credentials', 'client', 'api', 'n8n', 'scripts', 'test', 'bench'],
      packages: n8nPackages,
    },
  ),
];

// --- A reason beside every eslint-disable --------------------------------------------------------

/** @type {import('eslint').Rule.RuleModule} */
const disableWithReason = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { missing: 'Say why: `eslint-disable… <rule> -- <reason>`.' },
  },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const text = comment.value.trim();
        if (text.startsWith('eslint-disable') && !/\s--\s+\S/.test(text) && comment.loc) {
          context.report({ loc: comment.loc, messageId: 'missing' });
        }
      }
    },
  }),
};

// --- n8n's rules ---------------------------------------------------------------------------------

const community = n8nCommunityNodesPlugin.configs.recommendedWithoutN8nCloudSupport;
/** n8n warns of some of these; here nothing is left at a warning. */
const communityRules = Object.fromEntries(
  Object.keys(community.rules ?? {}).map((rule) => [rule, /** @type {const} */ ('error')]),
);

const packageJsonParser = {
  parser: tseslint.parser,
  parserOptions: { extraFileExtensions: ['.json'], projectService: false, project: null },
};

export default tseslint.config(
  globalIgnores(['dist/', 'coverage/', '.cache/', 'host/', '**/node_modules/']),
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { local: { rules: { 'disable-with-reason': disableWithReason } } },
  },
  {
    name: 'all code',
    files: [...typescript, ...javascript],
    extends: [eslint.configs.recommended],
    rules: {
      eqeqeq: 'error',
      'local/disable-with-reason': 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
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
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // Answers of the service and items are open records: `row['x']` says "maybe there" on purpose.
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
      globals: { __dirname: 'readonly', jest: 'readonly' },
    },
  },
  {
    name: 'what n8n loads does not print',
    files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'src/**/*.ts'],
    rules: { 'no-console': 'error' },
  },
  {
    name: 'tests and test equipment',
    files: ['test/**/*.ts', 'bench/**/*.ts', 'sandbox/**/*.ts'],
    rules: {
      // What they expect to be there and is not makes a test fail, as it should.
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
  ...architecture,
  {
    name: 'n8n community nodes',
    files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
    plugins: community.plugins ?? {},
    rules: communityRules,
  },
  {
    name: 'n8n community package',
    files: ['package.json'],
    languageOptions: packageJsonParser,
    plugins: { ...community.plugins, 'n8n-nodes-base': n8nNodesBase },
    rules: {
      ...communityRules,
      ...n8nNodesBase.configs.community.rules,
      // The package needs axios, bottleneck, ioredis, tldts and zod at run time; it is not for n8n Cloud's
      // verified list, which alone asks for no dependencies.
      '@n8n/community-nodes/no-runtime-dependencies': 'off',
      // Both ask for facts that exist only once somebody publishes the package: whose address it is
      // and where its page is. Nothing is made up to satisfy them.
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
      // For n8n's own repository, where the field is a path; contradicts …-not-http-url below it.
      'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
    },
  },
  {
    name: 'n8n nodes',
    files: ['nodes/**/*.ts'],
    plugins: { 'n8n-nodes-base': n8nNodesBase },
    rules: {
      ...n8nNodesBase.configs.nodes.rules,
      // These two want the literal ['main']; n8n 2 wants NodeConnectionTypes (its newer plugin's
      // node-connection-type-literal forbids the literal).
      'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
      'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
    },
  },
);
