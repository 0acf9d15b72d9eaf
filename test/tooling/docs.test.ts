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

const withoutCode = (markdown: string) => markdown.replace(/^```[^]*?^```/gm, '');

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

it('every message that a guide quotes exists in the code', () => {
  const code = filesIn(['src', 'nodes', 'credentials'], '.ts')
    .map(({ text }) => text)
    .join('\n');
  const quoted = filesIn(['docs/guides'], '.md').flatMap(({ file, text }) =>
    [
      ...withoutCode(text)
        .replace(/`[^`\n]*`/g, '')
        .matchAll(/"([^"\n]+)"/g),
    ].map(([, message = '']) => ({ file, message })),
  );

  expect(quoted.length).toBeGreaterThan(10);
  // An ellipsis stands for what differs from run to run.
  const isInCode = (message: string) => message.split('…').every((part) => code.includes(part));
  expect(quoted.filter(({ message }) => !isInCode(message))).toEqual([]);
});

it('the pages about nodes match the code', () => {
  const args = ['--import', 'tsx', 'scripts/reference.ts', '--check'];

  expect(runNode(args, projectRoot)).toEqual({ code: 0, output: '' });
});

const examples = filesIn(['examples/workflows'], '.json').map(({ file, text }) => ({
  file: basename(file),
  ...(JSON.parse(text) as { name: string }),
}));

it('examples/README.md lists every example with its file and its picture, whose alt text is its own', () => {
  const page = readFileSync(join(projectRoot, 'examples/README.md'), 'utf8');
  const texts = [...page.matchAll(/!\[([^\]]+)\]/g)].map(([, alt]) => alt);

  for (const { file, name } of examples) {
    expect(page).toContain(`## ${name}\n\n[${file}](workflows/${file})`);
    expect(page).toContain(`](../docs/images/examples/${file.replace(/json$/, 'png')})`);
  }
  expect(new Set(texts).size).toBe(examples.length);
});
