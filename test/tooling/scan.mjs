/**
 * Lints an unpacked package as n8n's scanner of community packages does, which takes packages from
 * the registry only. Prints the number of errors by rule: of the configuration for self-hosted n8n,
 * and of the one for n8n Cloud.
 *
 *     node test/tooling/scan.mjs <folder>
 */
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { ESLint } from 'eslint';
import { parser } from 'typescript-eslint';
// @ts-expect-error -- it ships no types
import base from 'eslint-plugin-n8n-nodes-base';

const cwd = process.argv[2];
const { recommended, recommendedWithoutN8nCloudSupport } = n8nCommunityNodesPlugin.configs;

/** @param {object} config */
async function errorsOf(config) {
  const eslint = new ESLint({
    cwd,
    allowInlineConfig: false,
    overrideConfigFile: true,
    overrideConfig: /** @type {import('eslint').Linter.Config[]} */ ([
      config,
      { rules: { 'no-console': 'error' } },
      { plugins: { 'n8n-nodes-base': base } },
      { files: ['package.json'], rules: base.configs.community.rules },
      { files: ['**/*.json'], languageOptions: { parser } },
    ]),
  });
  const results = await eslint.lintFiles(['**/*.js', 'package.json']);
  /** @type {Record<string, number>} */
  const errors = {};
  for (const { ruleId, severity } of results.flatMap(({ messages }) => messages)) {
    if (severity === 2) errors[String(ruleId)] = (errors[String(ruleId)] ?? 0) + 1;
  }
  return errors;
}

const selfHosted = await errorsOf(recommendedWithoutN8nCloudSupport);
const cloud = await errorsOf(recommended);
process.stdout.write(JSON.stringify({ selfHosted, cloud }));
