/**
 * The reference of messages (docs/guides/messages.md), collected from the source code. It has every text
 * that users can see in an error, a warning or a hint, so no message can be missing from it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as ts from 'typescript';

/** Headings of the page, by the files whose messages they hold. The last one takes all other files. */
const TOPICS: ReadonlyArray<readonly [heading: string, files: RegExp]> = [
  ['Credential and Redis', /^credentials|credential-test|client\/settings|redis|n8n-versions/],
  [
    'Requests and responses',
    /^src\/client\/(?!limiter)|run\/responses|after-failure|service\/endpoint\.ts/,
  ],
  ['Rate limits and credits', /limiter|credit|prices|run-guards|format\.ts/],
  ['Rows and their companies', /^src\/input\/(?!inputs)|n8n\/rows|BulkEnrich|enrichment|run\//],
  ['Saved lists', /lists\/|CompanyList|ListMembers\/|dropdowns/],
  ['Refresh jobs', /jobs|RefreshAndWait/],
  ['Files and pictures', /n8n\/files|^src\/graph|graphs/],
  ['Triggers', /[tT]rigger|^src\/watch/],
  ['Agents', /n8n\/agents/],
  ['Parameters and everything else', /./],
];

/** Names of properties that hold the fix of a message. */
const FIX = ['hint', 'fix', 'description'];
const MESSAGE = ['message', 'reason'];

/** An object with all properties of one of these lists declares a part of a node's panel: see docs/nodes. */
const PANEL = [['action'], ['displayName'], ['returns'], ['name', 'value']];

/** Files whose texts are data or code: names of countries, words in paths, scripts in Redis. */
const DATA = /names\/(countries|legal-forms|no-company)|input\/tokens|redis-scripts|xml/;

/** Errors of programmers, which no user sees. */
const INTERNAL = /^(?:Range)?Error$/;

/** Functions that make a set or list of the words of a text. */
const WORDS = /^toSet$|['"]\.split$/;

/** A shorter text is a word of a file or a request, not a message. */
const MIN_WORDS = 3;

interface Message {
  readonly text: string;
  /** What to do about it; empty for a text without a fix of its own. */
  readonly fix: string;
}

/** Returns the page. */
export function messagesPage(root: string): string {
  const byTopic = new Map<string, Message[]>(TOPICS.map(([heading]) => [heading, []]));
  const files = sourceFiles(root).map((path) =>
    ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true),
  );
  const constants = new Map(files.flatMap(constantsOf));
  for (const file of files) {
    const [heading = ''] = TOPICS.find(([, paths]) => paths.test(file.fileName)) ?? [];
    byTopic.get(heading)?.push(...messagesIn(file, constants));
  }
  const sections = [...byTopic].map(([heading, messages]) => sectionOf(heading, messages));
  return [
    '# Messages',
    'All texts of errors, warnings and hints, word for word. `…` stands for a part that varies.',
    'An error ends with the own words of the service, if it sent some: _(the service says: …)_.',
    'Find your message with the search of your browser. [Troubleshooting](troubleshooting.md) begins with the symptom instead.',
    'Generated from the code by `npm run reference`.',
    TOPICS.map(
      ([heading]) => `- [${heading}](#${heading.toLowerCase().replaceAll(' ', '-')})`,
    ).join('\n'),
    ...sections,
  ].join('\n\n');
}

function sourceFiles(root: string): string[] {
  return ['credentials', 'nodes', 'src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((path) => !DATA.test(path))
      .sort(),
  );
}

function sectionOf(heading: string, messages: readonly Message[]): string {
  const unique = new Map(messages.map((one) => [`${one.text}\n${one.fix}`, one]));
  const sorted = [...unique.values()].sort((a, b) => a.text.localeCompare(b.text, 'en'));
  const errors = sorted.filter(({ fix }) => fix !== '');
  const fixed = new Set(errors.flatMap(({ text, fix }) => [text, fix]));
  const others = sorted.filter(({ text, fix }) => fix === '' && !fixed.has(text));
  return [
    `## ${heading}`,
    errors.map(({ text, fix }) => `- ${code(text)}: ${escape(fix)}`).join('\n'),
    others.length === 0 ? '' : 'Parts of messages, warnings and hints:',
    others.map(({ text }) => `- ${code(text)}`).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const code = (text: string): string => `\`${text}\``;
const escape = (text: string): string => text.replaceAll(/[*_<{[\]]/g, '\\$&');

/** Texts of constants by their names, which are unique enough in this code. */
type Constants = ReadonlyMap<string, ts.Expression>;

function constantsOf(file: ts.SourceFile): Array<[string, ts.Expression]> {
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) =>
      declarationList.declarations.flatMap(
        ({ name, initializer }): Array<[string, ts.Expression]> =>
          initializer !== undefined && isText(initializer) ? [[name.getText(), initializer]] : [],
      ),
    );
}

/** Returns the messages in a source file: pairs of a message and its fix, and all other sentences. */
function messagesIn(file: ts.SourceFile, constants: Constants): Message[] {
  const messages: Message[] = [];
  const visit = (node: ts.Node): void => {
    if (isHidden(node)) return;
    for (const text of messageIn(node, constants)) messages.push(text);
    if (isText(node)) {
      messages.push(...textsOf(node, constants).map((text) => ({ text, fix: '' })));
    }
    // The parts are visited too, because a variable part can hold another text.
    ts.forEachChild(node, visit);
  };
  visit(file);
  return messages
    .map(({ text, fix }) => ({ text: text.trim(), fix: /^[… ]*$/.test(fix) ? '' : fix.trim() }))
    .filter(({ text, fix }) => isSentence(text, fix === '' ? MIN_WORDS : 1));
}

/** Returns whether a text is a part of a sentence, and not code, a path or a list of field names. */
function isSentence(text: string, fewestWords: number): boolean {
  const words = text.split(/\s+/).filter((word) => /^["(']?[A-Za-z'-]{2,}[,;:.)"']*$/.test(word));
  if (/^[a-z ]*_[a-z_ ]*$/.test(text)) return false;
  const varies = text.includes('…') ? 1 : 0;
  return words.length >= Math.max(1, fewestWords - varies) && !/[{}]|\(\)|=>|--/.test(text);
}

/** Returns whether a node is a type, an import, a programming error or a declaration of a panel. */
function isHidden(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return true;
  if (ts.isNewExpression(node)) return INTERNAL.test(node.expression.getText());
  if (ts.isCallExpression(node)) return WORDS.test(node.expression.getText());
  return PANEL.some((names) => names.every((name) => propertyOf(node, name) !== undefined));
}

/** Returns the messages with fixes of an error, or of an object with both. */
function messageIn(node: ts.Node, constants: Constants): Message[] {
  const isError = ts.isNewExpression(node);
  const parts = isError ? [...(node.arguments ?? [])] : [node];
  const plain = isError
    ? parts.filter((part) => textsOf(part, constants).some((text) => isSentence(text, 1)))
    : [];
  const named = (names: readonly string[]) =>
    parts.flatMap((part) => names.flatMap((name) => propertyOf(part, name) ?? [])).at(0);
  const message = named(MESSAGE) ?? plain[0];
  const fix = named(FIX) ?? plain[1];
  if (message === undefined || fix === undefined) return [];
  return textsOf(message, constants).flatMap((text) =>
    textsOf(fix, constants).map((what) => ({ text, fix: what })),
  );
}

function propertyOf(node: ts.Node, wanted: string): ts.Expression | undefined {
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const property = node.properties.find(({ name }) => name?.getText() === wanted);
  return property !== undefined && ts.isPropertyAssignment(property)
    ? property.initializer
    : undefined;
}

function isText(node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** Returns the texts that an expression can be, with `…` for each part that varies. */
function textsOf(node: ts.Node, constants: Constants): string[] {
  const of = (part: ts.Node) => textsOf(part, constants);
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return of(node.expression);
  if (ts.isConditionalExpression(node)) return [...of(node.whenTrue), ...of(node.whenFalse)];
  if (ts.isIdentifier(node)) {
    const constant = constants.get(node.text);
    return constant === undefined ? ['…'] : of(constant);
  }
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce<string[]>(
      (begun, { expression, literal }) =>
        begun.flatMap((text) =>
          alternatives(of(expression)).map((part) => text + part + literal.text),
        ),
      [node.head.text],
    );
  }
  return ['…'];
}

/** Returns few alternatives as they are, and `…` for many. */
function alternatives(texts: readonly string[]): readonly string[] {
  return texts.length > 2 ? ['…'] : texts;
}
