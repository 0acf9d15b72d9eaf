/** Labels in bold in the guides are those of the pinned n8n, of its nodes or of ours. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { CompanyIntelligenceUserApi } from '../../credentials/CompanyIntelligenceUserApi.credentials';
import { NODES } from '../nodes/nodes';

const ROOT = join(__dirname, '../..');
const GUIDES = join(ROOT, 'docs/guides');
const PAGES = [
  join(ROOT, 'README.md'),
  join(ROOT, 'examples/README.md'),
  ...readdirSync(GUIDES).map((name) => join(GUIDES, name)),
];

/** Bold text that begins a line, a list item or a table cell, or ends with a colon, is a heading. */
const HEADING = /^(?:\s*(?:[-|>]|\d+\.) )?\*\*[^*]+\*\*|\*\*[^*]+:\*\*/gm;

/** Names of other products. */
const OTHERS = ['Microsoft Excel'];

/** Everything that n8n and our nodes show, as source text in which each label stands in quotes. */
async function shownTexts(): Promise<string> {
  const { ensureHost } = await import('../../scripts/lib/host.mjs');
  const n8n = createRequire((await ensureHost()).n8n);
  const folderOf = (name: string) => dirname(n8n.resolve(`${name}/package.json`));
  const editor = join(folderOf('n8n-editor-ui'), 'dist/assets');
  const types = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'].map((name) =>
    join(folderOf(name), 'dist/types/nodes.json'),
  );
  const scripts = readdirSync(editor).filter((name) => name.endsWith('.js'));
  const own = [...NODES.map(({ node }) => node.description), new CompanyIntelligenceUserApi()];
  return [
    ...[...scripts.map((name) => join(editor, name)), ...types].map((file) =>
      readFileSync(file, 'utf8'),
    ),
    JSON.stringify(own),
  ].join('\n');
}

it('every label in bold is one that n8n or our nodes show', async () => {
  const labels = PAGES.flatMap((page) =>
    [
      ...readFileSync(page, 'utf8')
        .replace(HEADING, '')
        .matchAll(/\*\*([^*`"]+)\*\*/g),
    ].flatMap(([, path = '']) => path.split(/ → |: /).map((label) => label.trim())),
  );
  const shown = await shownTexts();
  const isShown = (label: string) =>
    ['"', "'", '`'].some((quote) => shown.includes(`${quote}${label}${quote}`)) ||
    shown.includes(`>${label}<`);

  expect(labels.length).toBeGreaterThan(50);
  const unknown = [...new Set(labels)].filter((one) => !OTHERS.includes(one) && !isShown(one));
  expect(unknown).toEqual([]);
});
