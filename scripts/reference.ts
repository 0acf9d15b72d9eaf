/**
 * Writes docs/nodes/: a reference page for each node, made of what n8n shows of it. n8n's panel and
 * the README link there. `npm run reference` after a change of a node's texts; with `--check` it only
 * says which pages are not current (exit code 1).
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';
import { format } from 'prettier';

const root = join(__dirname, '..');

const FOLDER = join(root, 'docs', 'nodes');

/** What chooses an operation; its own lines would only repeat the headings. */
const CHOICES = ['resource', 'operation'];

type Chosen = Readonly<Record<string, string>>;

/** The page of each node that package.json lists, by its file name. */
async function referencePages(): Promise<Map<string, string>> {
  const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    n8n: { nodes: string[] };
  };
  const pages = new Map<string, string>();
  for (const file of n8n.nodes) {
    const source = file.replace(/^dist\/(.*)\.js$/, '$1.ts');
    const folder = source.split('/').at(-2) ?? '';
    const module = (await import(join(root, source))) as Record<string, new () => INodeType>;
    const Type = module[folder];
    if (Type === undefined) throw new Error(`${source} exports no ${folder}`);
    pages.set(`${folder}.md`, await format(pageOf(new Type()), { parser: 'markdown' }));
  }
  return pages;
}

function pageOf({ description }: INodeType): string {
  const { displayName, properties } = description;
  const head = [
    `# ${displayName}`,
    sentence(description.description),
    'Generated from the node by `npm run reference`. See the [README](../../README.md) for credentials, costs and errors, which all nodes share.',
  ];
  const resources = choices(properties, 'resource', {});
  const operations = (resources.length > 0 ? resources : [{ name: '', chosen: {} }]).flatMap(
    (resource) =>
      choices(properties, 'operation', resource.chosen).map(
        ({ name, description: about, chosen }) => ({
          head: [`## ${resource.name === '' ? '' : `${resource.name}: `}${name}`, sentence(about)],
          entries: entriesOf(properties, chosen),
        }),
      ),
  );
  if (operations.length === 0) return [...head, textOf(entriesOf(properties, {}))].join('\n\n');
  const shared = sharedBy(operations.map(({ entries }) => entries));
  if (shared.length > 0) head.push('All operations have:', textOf(shared));
  const parts = operations.flatMap((one) => [...one.head, textOf(without(shared, one.entries))]);
  return [...head, ...parts].join('\n\n');
}

/** The line of a parameter, and below it those of the options in it. */
interface Entry {
  readonly line: string;
  readonly nested: readonly string[];
}

function textOf(entries: readonly Entry[]): string {
  return entries.flatMap(({ line, nested }) => [line, ...nested]).join('\n');
}

/** Entries that each of several operations has, with the options that each has: they are said once. */
function sharedBy(operations: ReadonlyArray<readonly Entry[]>): Entry[] {
  const [first = [], ...others] = operations;
  if (others.length === 0) return [];
  return first.flatMap((entry) => {
    const same = others.map((entries) => entries.find(({ line }) => line === entry.line));
    if (same.includes(undefined)) return [];
    const nested = entry.nested.filter((line) => same.every((one) => one?.nested.includes(line)));
    return nested.length > 0 || entry.nested.length === 0 ? [{ line: entry.line, nested }] : [];
  });
}

/** What is left to say of an operation: an entry that holds options stays while one of them is left. */
function without(shared: readonly Entry[], entries: readonly Entry[]): Entry[] {
  return entries.flatMap((entry) => {
    const said = shared.find(({ line }) => line === entry.line);
    if (said === undefined) return [entry];
    const nested = entry.nested.filter((line) => !said.nested.includes(line));
    return nested.length > 0 ? [{ line: entry.line, nested }] : [];
  });
}

/** The entries of a dropdown, and what choosing each of them means. */
function choices(properties: readonly INodeProperties[], dropdown: string, chosen: Chosen) {
  const property = properties.find((one) => one.name === dropdown && isShown(one, chosen));
  return ((property?.options ?? []) as INodePropertyOptions[]).map((one) => ({
    name: one.name,
    description: one.description,
    chosen: { ...chosen, [dropdown]: String(one.value) },
  }));
}

/** Whether a parameter belongs to an operation, whatever the other parameters say. */
function isShown({ displayOptions }: INodeProperties, chosen: Chosen): boolean {
  // What a model is told of a tool is put together from the texts that are here anyway.
  if (displayOptions?.show?.['@tool'] !== undefined) return false;
  return CHOICES.every((name) => {
    const shownFor = displayOptions?.show?.[name];
    return shownFor === undefined || shownFor.some((value) => value === chosen[name]);
  });
}

function entriesOf(properties: readonly INodeProperties[], chosen: Chosen): Entry[] {
  return properties
    .filter((one) => !CHOICES.includes(one.name) && one.type !== 'notice' && isShown(one, chosen))
    .map((one) => entryOf(one, ''));
}

function entryOf(property: INodeProperties, indent: string): Entry {
  const { displayName, required, type, options = [] } = property;
  const words = [sentence(property.description)];
  const nested: string[] = [];
  for (const option of options) {
    if ('values' in option) {
      nested.push(...option.values.map((one) => textOf([entryOf(one, `${indent}  `)])));
    } else if ('type' in option) {
      nested.push(textOf([entryOf(option, `${indent}  `)]));
    }
  }
  // Those that the service is asked for are in no page.
  if ((type === 'options' || type === 'multiOptions') && options.length > 0) {
    const which = type === 'options' ? 'One' : 'Any';
    words.push(`${which} of: ${options.map(({ name }) => name).join(', ')}.`);
  }
  if (required === true) words.push('Required.');
  else words.push(defaultOf(property));
  const line = `${indent}- **${displayName}**: ${words.filter(Boolean).join(' ')}`.trimEnd();
  return { line, nested };
}

function defaultOf({ default: value, options = [] }: INodeProperties): string {
  if (typeof value === 'boolean') return `Default: ${value ? 'on' : 'off'}.`;
  if (typeof value === 'number') return `Default: ${value}.`;
  if (typeof value !== 'string' || value === '') return '';
  const choice = options.find((one) => 'value' in one && one.value === value);
  return `Default: ${choice?.name ?? `\`${value}\``}.`;
}

function sentence(description = ''): string {
  const words = text(description);
  return words === '' || /[.!?]$/.test(words) ? words : `${words}.`;
}

/** Without n8n's links, which are HTML. */
function text(description = ''): string {
  return description.replaceAll(/<a [^>]*>(.*?)<\/a>/g, '$1').replaceAll(/\s+/g, ' ');
}

async function main(): Promise<void> {
  const pages = await referencePages();
  const old = readdirSync(FOLDER).filter((name) => !pages.has(name));
  if (process.argv.includes('--check')) {
    const isCurrent = ([name, page]: [string, string]): boolean =>
      existsSync(join(FOLDER, name)) && readFileSync(join(FOLDER, name), 'utf8') === page;
    const outdated = [...pages].filter((one) => !isCurrent(one)).map(([name]) => name);
    if (outdated.length + old.length === 0) return;
    console.error(`Out of date: ${[...outdated, ...old].join(', ')}. Run: npm run reference`);
    process.exitCode = 1;
    return;
  }
  for (const name of old) rmSync(join(FOLDER, name));
  for (const [name, page] of pages) writeFileSync(join(FOLDER, name), page);
}

void main();
