/**
 * Compares the output of every operation in several scenarios and On Error settings with a record,
 * from the sources and from the packed package. `npm run records` updates the record and the output schemas, from which n8n's editor lists fields before a node has
 * run; the commit explains the change.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../../src/values/json';
import { healthy, refusal } from '../../attack/faults/fault';
import type { CameOut, Happened } from '../../attack/judge/record';
import { runCell, type OnError } from '../../attack/matrix/cell';
import { FOLDERS, variantsOf, type Variant } from '../../attack/operations/variants';
import type { Strike } from '../../attack/service/front';
import { Slots } from '../../attack/service/slots';
import { ON_ERROR } from '../shared/service';

type Items = readonly IDataObject[];

/** JSON Schema from which n8n's editor shows an operation's output before the node has run. */
interface Schema {
  readonly type: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly version?: 1;
}

/** One scenario. Of the three usual items, the last one requests the same as the first. */
interface Scenario {
  readonly change?: (usual: Items) => IDataObject[];
  /** The fault that hits requests for the second item. */
  readonly strike?: Strike;
  /** Value of Max Credits; other operations skip the scenario. */
  readonly maxCredits?: number;
}

const FIELDS = ['company', 'a', 'b', 'tech', 'vendor', 'list', 'ownList', 'job', 'permission'];
const all = (value: string) => Object.fromEntries(FIELDS.map((field) => [field, value]));
const UNKNOWN = {
  ...all('nobody-tracks-this.com'),
  b: 'nor-this.com',
  tech: 'zzzz',
  list: 'lst_999999',
};

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  good: {},
  unknown: { change: ([first, other, same]) => [first!, { ...other, ...UNKNOWN }, same!] },
  invalid: { change: ([first, other, same]) => [{ ...other, ...all('!!') }, first!, same!] },
  refused: { strike: refusal(422, 'invalid_request') },
  trouble: { strike: refusal(500, 'internal_error') },
  short: { maxCredits: 1 },
};

/** Characters of an item in the record. */
const MAX_SHOWN = 2_000;

const FILE = join(__dirname, 'goldens.json');
const NODES = join(__dirname, '../../../nodes');
const recorded = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string[]>;
const { packed } = globalThis as { packed?: boolean };
const updates = process.env['GOLDENS'] === 'update' && packed !== true;

let slots: Slots;
beforeAll(async () => {
  slots = await Slots.start(16);
});
afterAll(async () => {
  await slots.close();
  if (updates) writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
});

it.each(FOLDERS)(
  '%s produces the recorded results and output schemas (after a wanted change: npm run records)',
  async (folder) => {
    const variants = (await variantsOf(folder)).filter(({ isBase }) => isBase);
    const schemas: Record<string, Schema> = {};
    const lines = variants.map(async (variant) => await linesOf(variant, folder, schemas));
    const now = Object.fromEntries(
      (await Promise.all(lines)).map((own, index) => [variants[index]!.title, own]),
    );
    if (updates) Object.assign(recorded, now);
    expect(now).toEqual(Object.fromEntries(variants.map(({ title }) => [title, recorded[title]])));

    if (updates) writeSchemas(folder, schemas);
    expect(schemas).toEqual(storedSchemas(folder));
  },
);

it('has no record of an operation that does not exist', async () => {
  const variants = await Promise.all(FOLDERS.map(variantsOf));
  const titles = variants.flat().flatMap(({ title, isBase }) => (isBase ? [title] : []));
  const findUnused = () => Object.keys(recorded).filter((title) => !titles.includes(title));
  if (updates) for (const title of findUnused()) Reflect.deleteProperty(recorded, title);
  expect(findUnused()).toEqual([]);
});

/**
 * Returns one line for each scenario and On Error setting.
 *
 * @param schemas receives the operation's output schema
 */
async function linesOf(
  variant: Variant,
  folder: string,
  schemas: Record<string, Schema>,
): Promise<string[]> {
  const cells = Object.entries(SCENARIOS)
    .filter(([, { maxCredits }]) => !maxCredits || variant.entries.includes('maxCredits'))
    .flatMap(([name, scenario]) => ON_ERROR.map((onError) => ({ name, scenario, onError })));
  const outputs: Record<string, IDataObject[]> = {};
  const lines = await Promise.all(
    cells.map(async ({ name, scenario, onError }) => {
      const { happened, given } = await runScenario(variant, scenario, onError);
      const { resource, operation } = variant.parameters as Record<string, string | undefined>;
      // API Request has no operations, and its output depends on the requested endpoint.
      if (
        ['good', 'short'].includes(name) &&
        onError === 'stopWorkflow' &&
        operation !== undefined
      ) {
        const own = happened.items.map((item) => ownFields(folder, item, given));
        const path = `${String(resource)}/${operation}`;
        outputs[name] = own;
        const both = [...(outputs['good'] ?? []), ...(outputs['short'] ?? [])];
        schemas[path] = { type: 'object', properties: propertiesOf(both), version: 1 };
      }
      const [first] = name === 'good' && onError === 'stopWorkflow' ? happened.items : [];
      return [
        `${name}, ${onError}: ${describeRun(happened)}`,
        // So that a reader sees what has changed. The digests cover the rest.
        ...(first === undefined
          ? []
          : [`the first item: ${timeless(JSON.stringify(first.json)).slice(0, MAX_SHOWN)}`]),
      ];
    }),
  );
  return lines.flat();
}

async function runScenario(variant: Variant, scenario: Scenario, onError: OnError) {
  const { maxCredits, strike, change } = scenario;
  const { options } = variant.parameters;
  const parameters = { ...variant.parameters, options: { ...options, maxCredits } };
  const changed = maxCredits === undefined ? variant : { ...variant, parameters };
  return await slots.with(async (slot) => {
    let ofSecond: readonly string[] = [];
    const struck: Strike = async (blow) => {
      const words = ` ${decodeURIComponent(blow.asked.path)} ${blow.asked.body} `;
      // Compare whole words, because one ID can be the end of another.
      const isSecond = ofSecond.some((own) => words.split(/[^\w.-]+/).includes(own));
      await (strike !== undefined && isSecond ? strike(blow) : healthy(blow));
    };
    const cell = { variant: changed, fault: { name: '', strike: struck }, onError };
    return await runCell(cell, slot, slots.stranger, (usual) => {
      const [first, other] = usual;
      ofSecond = [...FIELDS, 'text']
        .map((field) => other?.[field])
        .filter((own) => typeof own === 'string')
        .filter((own) => own !== '' && !Object.values(first ?? {}).includes(own));
      return change?.(usual) ?? [...usual];
    });
  });
}

/**
 * Fields of lists and members that the API spec does not show. The local service has to return some
 * value for them, but users must not rely on it.
 */
const NOT_SHOWN = [
  'added_by',
  'created_at',
  'definition_version',
  'evidence',
  'granted_at',
  'owner_user_id',
  'permissions',
  'scope',
  'updated_at',
];

/** Returns the fields that the operation always outputs, without the fields of the input item. */
function ownFields(folder: string, { json, from }: CameOut, given: Items): IDataObject {
  const [input = {}] = from.map((item) => given[Number(item)] ?? {});
  const isMerged = Object.keys(input).every((name) => name in json);
  const isList = folder === 'CompanyList' || folder === 'ListMembers';
  return Object.fromEntries(
    Object.entries(json).filter(
      ([name, value]) =>
        !(isMerged && value === input[name]) && !(isList && NOT_SHOWN.includes(name)),
    ),
  );
}

function schemaOf(values: readonly unknown[]): Schema {
  // In columns, an empty cell stands for a value of any type.
  const [first = values.includes('') ? '' : undefined] = values.filter(
    (value) => value !== null && value !== undefined && value !== '',
  );
  if (Array.isArray(first)) {
    const elements = values.filter((value) => Array.isArray(value)).flat();
    return elements.length === 0 ? { type: 'array' } : { type: 'array', items: schemaOf(elements) };
  }
  if (isJsonObject(first)) {
    return {
      type: 'object',
      properties: propertiesOf(values.filter(isJsonObject) as IDataObject[]),
    };
  }
  return { type: first === undefined ? 'null' : typeof first };
}

/** Describes all fields that any object has, each by its first value that is not null. */
function propertiesOf(objects: readonly IDataObject[]): Record<string, Schema> {
  const names = new Set(objects.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      schemaOf(objects.flatMap((one) => (name in one ? [one[name]] : []))),
    ]),
  );
}

/** n8n looks here for the output schemas of a node of version 1, by `resource/operation`. */
const schemaFolder = (folder: string) => join(NODES, folder, '__schema__', 'v1.0.0');

function storedSchemas(folder: string): Record<string, Schema> {
  const top = schemaFolder(folder);
  if (!existsSync(top)) return {};
  const files = readdirSync(top, { recursive: true }).map(String);
  return Object.fromEntries(
    files
      .filter((file) => file.endsWith('.json'))
      .map((file) => [
        file.slice(0, -'.json'.length).replaceAll('\\', '/'),
        JSON.parse(readFileSync(join(top, file), 'utf8')) as Schema,
      ]),
  );
}

function writeSchemas(folder: string, schemas: Readonly<Record<string, Schema>>): void {
  rmSync(schemaFolder(folder), { recursive: true, force: true });
  for (const [operation, schema] of Object.entries(schemas)) {
    const file = join(schemaFolder(folder), `${operation}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
  }
}

/**
 * Formats the items with their linked input items, the requests sorted by path, the credits and the
 * hints. For a stopped run, the text contains only the reason. Which other requests were in flight
 * depends on the machine.
 */
function describeRun({ items, stopped, hints, asked, charged }: Happened): string {
  if (stopped !== undefined) {
    return `stopped at ${String(stopped.itemIndex)}: ${stopped.message} ${withoutFigures(stopped.description)}`;
  }
  const requests = asked.map(
    ({ method, path, body }) => `${method} ${path} ${String(body.length)}`,
  );
  return [
    `items [${items.map(itemText).join(', ')}]`,
    `requests [${requests.toSorted().join(', ')}]`,
    `credits ${String(charged)}`,
    `hints ${JSON.stringify(hints)}`,
  ].join('; ');
}

/** Removes the spent amount, which also depends on the requests in flight. */
function withoutFigures(description: unknown): string {
  return String(description).replace(/ Spent before this error: .*/, '');
}

/** Formats a result as a digest, and a failure with its message as well. */
function itemText({ json, binary, from, said }: CameOut): string {
  const files = Object.values(binary ?? {}).map(({ fileName, fileSize }) => [fileName, fileSize]);
  const digest = createHash('sha256')
    .update(timeless(JSON.stringify([json, files])))
    .digest('hex');
  return `${from.join('+')}: ${said === undefined ? '' : `"${String(said.message)}" `}${digest.slice(0, 8)}`;
}

/** Replaces times of the current run. The times in the service's data are fixed. */
function timeless(text: string): string {
  const today = Date.now();
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) =>
    Math.abs(Date.parse(time) - today) < 86_400_000 ? 'today' : time,
  );
}
