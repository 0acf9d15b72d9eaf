/**
 * The user documentation matches the nodes and examples, and its links lead to existing targets.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

import { projectRoot, runNode } from './project-folder';

function filesIn(
  folders: readonly string[],
  ending: string,
): Array<{ file: string; text: string }> {
  return folders.flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({ file: relative(projectRoot, path), text: readFileSync(path, 'utf8') })),
  );
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^```[^]*?^```/gm, '');
}

/** Returns the anchors of all headings on a page. */
function anchorsIn(markdown: string): string[] {
  const seen = new Map<string, number>();
  return [...withoutCode(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replace(/\]\([^)]*\)/g, '')
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${String(times)}`;
  });
}

const rootPages = readdirSync(projectRoot)
  .filter((name) => name.endsWith('.md'))
  .map((file) => ({ file, text: readFileSync(join(projectRoot, file), 'utf8') }));
const pages = [...rootPages, ...filesIn(['docs', 'examples', 'sandbox', 'host'], '.md')];

it.each(pages)('every link and picture in $file points to an existing file and heading', (page) => {
  const links = [...withoutCode(page.text).matchAll(/\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]+))?\)/g)];
  const broken = links.filter(([, to = '', anchor]) => {
    const path = join(projectRoot, to === '' ? page.file : join(dirname(page.file), to));
    if (!existsSync(path)) return true;
    return anchor !== undefined && !anchorsIn(readFileSync(path, 'utf8')).includes(anchor);
  });

  expect(broken.map(([link]) => link)).toEqual([]);
});

describe('the troubleshooting page', () => {
  const page = readFileSync(join(projectRoot, 'docs/guides/troubleshooting.md'), 'utf8');
  /** Lines that are completely bold. The reason and the fix follow below them. */
  const messages = [...page.matchAll(/^\*\*(.+)\*\*(?: \([a-z ]+\))?\\?$/gm)].map(
    ([, message = '']) => message,
  );
  const sources = filesIn(['src', 'nodes', 'credentials'], '.ts')
    .map(({ text }) => text.replaceAll("\\'", "'"))
    .join('\n');
  const either = /\$\{\w+ \? '([^']*)' : '([^']*)'\}/g;
  const texts = [sources, sources.replace(either, '$1'), sources.replace(either, '$2')];

  it('quotes more than 100 messages', () => {
    expect(messages.length).toBeGreaterThan(100);
  });

  it('has a fix below each message', () => {
    const blocks = page.split('\n\n');
    const withoutFix = blocks.filter(
      (block, place) =>
        /^\*\*.+\*\*/.test(block) && blocks[place + 1]?.includes('- **Fix:** ') !== true,
    );

    // A paragraph that only begins in bold is not a message.
    expect(
      withoutFix.filter((block) =>
        block.split('\n').every((line) => /\*\*(?: \([a-z ]+\))?\\?$/.test(line)),
      ),
    ).toEqual([]);
  });

  it.each(messages)('quotes a message of the source code: %s', (message) => {
    // Check each piece between the variable parts. The shortest pieces are too common to prove
    // anything.
    const pieces = message
      .split('…')
      .map((piece) => piece.trim())
      .filter((piece) => /\w{3}/.test(piece));

    expect(pieces).not.toEqual([]);
    expect(pieces.filter((piece) => !texts.some((text) => text.includes(piece)))).toEqual([]);
  });
});

it('the reference pages match the node descriptions', () => {
  const args = ['--import', 'tsx', 'scripts/reference.ts', '--check'];

  expect(runNode(args, projectRoot)).toEqual({ code: 0, output: '' });
});

it('the reference pages nest options only below parameters that contain them', () => {
  const holders = filesIn(['docs/nodes'], '.md').flatMap(({ text }) =>
    [...text.matchAll(/^- \*\*(.+?)\*\*.*(?=\n {2}- )/gm)].map(([, name = '']) => name),
  );

  expect(holders.length).toBeGreaterThan(30);
  expect(
    holders.filter((name) => ['Authentication', 'Include', 'Simplify'].includes(name)),
  ).toEqual([]);
});

it('examples/README.md lists every example with its file and screenshot', () => {
  const page = readFileSync(join(projectRoot, 'examples/README.md'), 'utf8');

  for (const { file: path, text } of filesIn(['examples/workflows'], '.json')) {
    const file = basename(path);
    const { name } = JSON.parse(text) as { name: string };
    const picture = `docs/images/examples/${file.replace(/json$/, 'png')}`;
    expect(page).toContain(`## ${name}\n\n[${file}](workflows/${file})`);
    expect(page).toContain(`(../${picture})`);
    expect(existsSync(join(projectRoot, picture))).toBe(true);
  }
});
