/** No read shows a parameter that changes nothing: not what is sent, nor what comes out, nor what fails. */
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { OPERATIONS, shownFor } from '../../nodes/contracts';
import { READS, runCase, type CaseChange, type OperationCase } from './operations';
import { sentTo, startUnlimitedSandbox } from './service';

let sandbox: Sandbox;
beforeAll(async () => {
  // A time that stands still, so that answers differ by what was asked alone.
  sandbox = await startUnlimitedSandbox({ now: () => Date.UTC(2026, 0, 1) });
});
afterAll(async () => {
  await sandbox.close();
});

type Value = INodeParameters[string];
type Collection = 'filters' | 'options' | undefined;

/** Tests of their own show these: on services that throttle or never answer, and on cells like `=1`. */
const NOT_HERE = new Set(['maxRateLimitWaitMinutes', 'requestTimeoutSeconds', 'escapeFormulas']);

/** What a parameter needs beside it to matter. */
const BESIDE: Readonly<Record<string, INodeParameters>> = {
  byteOrderMark: { output: 'csv' },
  limit: { returnAll: false },
  returnAll: { limit: 0 },
  subdomains: { filters: { partnerWith: 'app.hubspot.com' } },
  technologyColumns: { include: ['technologies'], simplify: true },
};

/** A value is as good as another, as long as it is valid. */
function otherValues({ name, type, options = [], default: usual }: INodeProperties): Value[] {
  const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
  switch (type) {
    case 'boolean':
      return [true, false];
    case 'number':
      return [1, 2, 0];
    case 'multiOptions':
      return choices.map((one) => [one]);
    case 'options':
      return choices.filter((one) => one !== usual);
    default:
      return name === 'partnerWith' ? ['hubspot.com'] : ['stripe', 'e', '=1'];
  }
}

/** The items of the case, one that is not known, and one below the domain of the first. */
function itemsOf(one: OperationCase) {
  const items = one.items(sandbox);
  const below = Object.entries(items[0] ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' && value.includes('.') ? `app.${value}` : value,
  ]);
  return [
    ...items,
    ...(one.unknown === undefined ? [] : [one.unknown.item]),
    Object.fromEntries(below) as IDataObject,
  ];
}

async function evidenceOf(one: OperationCase, change: CaseChange): Promise<string> {
  sandbox.reset();
  const run = await runCase(sandbox, one, itemsOf(one), {
    ...change,
    settings: { onError: 'continueRegularOutput' },
  });
  const files = run
    .output(one.name)
    .map(({ binary }) => binary?.['data']?.bytes ?? binary?.['data']);
  const sent = sentTo(sandbox).map(({ method, path, query }) => [method, path, query]);
  return JSON.stringify([sent.map(String), sent, run.json(one.name), files, run.error?.message]);
}

function with_(collection: Collection, name: string, value: Value): CaseChange {
  const beside = BESIDE[name] ?? {};
  if (collection === undefined) return { parameters: { ...beside, [name]: value } };
  if (collection === 'options') return { parameters: beside, options: { [name]: value } };
  return { parameters: { ...beside, [collection]: { [name]: value } } };
}

async function changesNothing(
  one: OperationCase,
  property: INodeProperties,
  collection: Collection,
): Promise<boolean> {
  const { name } = property;
  const usual = await evidenceOf(one, { parameters: BESIDE[name] ?? {} });
  for (const value of otherValues(property)) {
    if ((await evidenceOf(one, with_(collection, name, value))) !== usual) return false;
  }
  return true;
}

/** Parameters of a case that change nothing in it. */
async function idleIn(one: OperationCase): Promise<string[]> {
  const { operation, resource } = one.parameters;
  const { node } = OPERATIONS.find(
    (each) =>
      each.node.description.name === one.type &&
      each.operation === operation &&
      each.resource === resource,
  )!;
  const idle: string[] = [];
  for (const property of shownFor(node, operation as string, resource as string | undefined)) {
    const { name, type } = property;
    // What the case itself says is what makes its items differ.
    if (type === 'notice' || name in one.parameters) continue;
    const collection = name === 'options' || name === 'filters' ? name : undefined;
    const declared =
      collection === undefined ? [property] : ((property.options ?? []) as INodeProperties[]);
    for (const each of declared.filter((candidate) => !NOT_HERE.has(candidate.name))) {
      if (await changesNothing(one, each, collection)) idle.push(each.name);
    }
  }
  return idle;
}

const operationOf = ({ type, parameters: { resource, operation } }: OperationCase) =>
  [type, resource, operation].filter((part) => typeof part === 'string').join(' ');

it.each([...new Set(READS.map(operationOf))])('%s', async (operation) => {
  const cases = READS.filter((one) => operationOf(one) === operation);
  let idle = await idleIn(cases[0]!);
  // Some belong to one way of asking: each of them does something in one of the cases.
  for (const other of cases.slice(1)) {
    const left = new Set(await idleIn(other));
    idle = idle.filter((name) => left.has(name));
  }

  expect(idle).toEqual([]);
});
