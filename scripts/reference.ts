/**
 * Writes docs/nodes/: a reference page for each node, from the texts that n8n shows for it, and
 * README.md, a list of all operations. n8n's panel and the README link to these pages. Run `npm run
 * reference` after a change of a text. With `--check`, it only lists the outdated pages (exit code 1).
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type {
  INodeProperties,
  INodePropertyOptions,
  INodeType,
  INodeTypeDescription,
} from 'n8n-workflow';
import { format } from 'prettier';

const root = join(__dirname, '..');

const FOLDER = join(root, 'docs', 'nodes');

/** Parameters that select an operation. Their own lines would only repeat the headings. */
const CHOICES = ['resource', 'operation'];

type Chosen = Readonly<Record<string, string>>;

/** Returns the page of each node in package.json and the list of operations, by path. */
async function referencePages(): Promise<Map<string, string>> {
  const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    n8n: { nodes: string[] };
  };
  const pages = new Map<string, string>();
  const overview = [
    '# Operations',
    'What each operation does and costs, the fields that it returns, and the defaults of its parameters. Each name links to all parameters.',
    GENERATED,
  ];
  for (const file of n8n.nodes) {
    const source = file.replace(/^dist\/(.*)\.js$/, '$1.ts');
    const folder = source.split('/').at(-2) ?? '';
    const module = (await import(join(root, source))) as Record<string, new () => INodeType>;
    const Type = module[folder];
    if (Type === undefined) throw new Error(`${source} exports no ${folder}`);
    const { description } = new Type();
    pages.set(
      join(FOLDER, `${folder}.md`),
      await format(pageOf(description), { parser: 'markdown' }),
    );
    overview.push(...overviewOf(description, folder));
  }
  pages.set(join(FOLDER, 'README.md'), await format(overview.join('\n\n'), { parser: 'markdown' }));
  return pages;
}

const GENERATED =
  'Generated from the node by `npm run reference`. All nodes share their [credentials](../../README.md#credentials), [costs](../guides/costs.md), [statuses and columns](../guides/results.md) and [errors](../guides/troubleshooting.md).';

interface Operation {
  readonly title: string;
  readonly about: string;
  readonly chosen: Chosen;
  readonly entries: readonly Entry[];
}

function operationsOf(properties: readonly INodeProperties[]): Operation[] {
  const resources = choices(properties, 'resource', {});
  return (resources.length > 0 ? resources : [{ name: '', chosen: {} }]).flatMap((resource) =>
    choices(properties, 'operation', resource.chosen).map(({ name, description, chosen }) => ({
      title: `${resource.name === '' ? '' : `${resource.name}: `}${name}`,
      about: sentence(description),
      chosen,
      entries: entriesOf(properties, chosen),
    })),
  );
}

function pageOf({ displayName, description, properties }: INodeTypeDescription): string {
  const head = [`# ${displayName}`, sentence(description), GENERATED];
  const operations = operationsOf(properties);
  if (operations.length === 0) return [...head, textOf(entriesOf(properties, {}))].join('\n\n');
  if (operations.length >= MIN_LISTED) {
    head.push(operations.map(({ title }) => `- [${title}](#${anchorOf(title)})`).join('\n'));
  }
  const shared = sharedBy(operations.map(({ entries }) => entries));
  if (shared.length > 0) head.push('All operations have:', textOf(shared));
  const parts = operations.flatMap(({ title, about, entries }) => [
    `## ${title}`,
    about,
    textOf(without(shared, entries)),
  ]);
  return [...head, ...parts].join('\n\n');
}

/** Returns a node's part of the list of operations. */
function overviewOf(
  { displayName, description, properties }: INodeTypeDescription,
  folder: string,
) {
  const operations = operationsOf(properties).map(({ title, about, chosen }) => {
    const returned = fieldsOf(folder, chosen);
    const defaults = properties
      .filter((one) => one.required !== true && isListed(one, chosen))
      // All nodes with either key have it.
      .filter(({ name }) => name !== 'authentication')
      .flatMap((one) => {
        const text = defaultOf(one).replace(/^Default: (.*)\.$/, '$1');
        return text === '' ? [] : [`${one.displayName}: ${text}`];
      });
    return [
      `- **[${title}](${folder}.md#${anchorOf(title)})**: ${about}`,
      ...(returned === '' ? [] : [`  - Returns ${returned}.`]),
      ...(defaults.length === 0 ? [] : [`  - Defaults: ${defaults.join(', ')}.`]),
    ].join('\n');
  });
  return [`## [${displayName}](${folder}.md)`, sentence(description), operations.join('\n')];
}

/** Number of fields that the list of operations names. */
const NAMED_FIELDS = 6;

/** Returns the first fields in an operation's output schema. */
function fieldsOf(folder: string, { resource = '', operation = '' }: Chosen): string {
  const path = join(root, 'nodes', folder, '__schema__/v1.0.0', resource, `${operation}.json`);
  if (!existsSync(path)) return '';
  const { properties } = JSON.parse(readFileSync(path, 'utf8')) as { properties: object };
  const names = Object.keys(properties).map((name) => `\`${name}\``);
  const more = names.length - NAMED_FIELDS;
  return `${names.slice(0, NAMED_FIELDS).join(', ')}${more > 0 ? ` and ${String(more)} more fields` : ''}`;
}

/** Minimum number of operations with which a page begins with a list of them. */
const MIN_LISTED = 5;

/** Returns GitHub's anchor of a heading. */
function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(':', '').replaceAll(' ', '-');
}

/** The line of a parameter, and the lines of its options. */
interface Entry {
  readonly line: string;
  readonly nested: readonly string[];
}

function textOf(entries: readonly Entry[]): string {
  return entries.flatMap(({ line, nested }) => [line, ...nested]).join('\n');
}

/** Returns the entries and options that all operations share. The page lists them only once. */
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

/**
 * Returns an operation's entries without the shared ones. An entry with options remains if one of
 * its options is not shared.
 */
function without(shared: readonly Entry[], entries: readonly Entry[]): Entry[] {
  return entries.flatMap((entry) => {
    const said = shared.find(({ line }) => line === entry.line);
    if (said === undefined) return [entry];
    const nested = entry.nested.filter((line) => !said.nested.includes(line));
    return nested.length > 0 ? [{ line: entry.line, nested }] : [];
  });
}

/** Returns the entries of a dropdown, with the parameter values after the selection of each. */
function choices(properties: readonly INodeProperties[], dropdown: string, chosen: Chosen) {
  const property = properties.find((one) => one.name === dropdown && isShown(one, chosen));
  return ((property?.options ?? []) as INodePropertyOptions[]).map((one) => ({
    name: one.name,
    description: one.description,
    chosen: { ...chosen, [dropdown]: String(one.value) },
  }));
}

/** Returns whether a parameter belongs to an operation, for any values of the other parameters. */
function isShown({ displayOptions }: INodeProperties, chosen: Chosen): boolean {
  // Skip the tool description, because it repeats texts that are already on the page.
  if (displayOptions?.show?.['@tool'] !== undefined) return false;
  return CHOICES.every((name) => {
    const shownFor = displayOptions?.show?.[name];
    return shownFor === undefined || shownFor.some((value) => value === chosen[name]);
  });
}

function isListed(one: INodeProperties, chosen: Chosen): boolean {
  return !CHOICES.includes(one.name) && one.type !== 'notice' && isShown(one, chosen);
}

function entriesOf(properties: readonly INodeProperties[], chosen: Chosen): Entry[] {
  return properties.filter((one) => isListed(one, chosen)).map((one) => entryOf(one, ''));
}

/**
 * Returns the line of a parameter, and those of its options.
 *
 * @param indent Two spaces for each parameter that contains this one
 */
function entryOf(property: INodeProperties, indent: string): Entry {
  const { displayName, required, type, options = [] } = property;
  const words = [sentence(property.description)];
  const nested = options
    .flatMap((one) => ('values' in one ? one.values : 'type' in one ? [one] : []))
    .map((one) => textOf([entryOf(one, `${indent}  `)]));
  // Options that n8n loads from the service are not listed.
  if ((type === 'options' || type === 'multiOptions') && options.length > 0) {
    const which = type === 'options' ? 'One' : 'Any';
    words.push(`${which} of: ${options.map(({ name }) => name).join(', ')}.`);
  }
  if (required === true) words.push('Required.');
  else words.push(defaultOf(property));
  const line = `${indent}- **${displayName}**: ${words.filter(Boolean).join(' ')}`.trimEnd();
  return { line, nested };
}

/** Options that have no effect until they are added; their default is what n8n then fills in. */
const NOT_SET = ['hasPartnerPage', 'partnerCountMax', 'partnerCountMin', 'rejectFreeMail'];

function defaultOf({ name, default: value, options = [] }: INodeProperties): string {
  const label = NOT_SET.includes(name) ? 'Not set. When added' : 'Default';
  const usual: unknown[] = Array.isArray(value) ? value : [value];
  const chosen = options.filter((one) => 'value' in one && usual.includes(one.value));
  if (chosen.length > 0) return `${label}: ${chosen.map((one) => one.name).join(', ')}.`;
  if (typeof value === 'boolean') return `${label}: ${value ? 'on' : 'off'}.`;
  if (typeof value === 'number') return `${label}: ${value}.`;
  if (typeof value !== 'string' || value === '') return '';
  return `${label}: \`${value}\`.`;
}

function sentence(description = ''): string {
  const words = text(description);
  return words === '' || /[.!?]$/.test(words) ? words : `${words}.`;
}

/** Removes n8n's links, which are HTML. */
function text(description = ''): string {
  return description.replaceAll(/<a [^>]*>(.*?)<\/a>/g, '$1').replaceAll(/\s+/g, ' ');
}

async function main(): Promise<void> {
  const pages = await referencePages();
  const old = readdirSync(FOLDER)
    .map((name) => join(FOLDER, name))
    .filter((path) => !pages.has(path));
  if (process.argv.includes('--check')) {
    const outdated = [...pages].filter(
      ([path, page]) => !existsSync(path) || readFileSync(path, 'utf8') !== page,
    );
    const names = [...outdated.map(([path]) => path), ...old].map((path) => basename(path));
    if (names.length === 0) return;
    console.error(`Out of date: ${names.join(', ')}. Run: npm run reference`);
    process.exitCode = 1;
    return;
  }
  for (const path of old) rmSync(path);
  for (const [path, page] of pages) writeFileSync(path, page);
}

void main();
