/**
 * Workflows that were stored with 0.1.0 do what they did then. Each runs twice, on the nodes of 0.1.0
 * and on those of today, against the same service.
 *
 * workflows.json holds each operation three times: as it comes out of the panel, with every option
 * added, and with every parameter and option set to something else.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { ask } from '../company-list/company-list';
import { node, runWorkflow, source } from '../harness';
import { resetSandbox, startFastSandbox, startJob } from '../refresh-and-wait/refresh-and-wait';
import { trackedDomains, userCredential } from '../shared/service';
import { loadOldPackage, type OldPackage } from './old-package';

interface StoredWorkflow {
  readonly title: string;
  readonly type: string;
  readonly parameters: INodeParameters;
}

const WORKFLOWS = JSON.parse(
  readFileSync(join(__dirname, 'workflows.json'), 'utf8'),
) as StoredWorkflow[];

/** Operations that give each row its own result; others stop at a row without a company. */
const FOR_ROWS: readonly unknown[] = [
  'enrichCompanies',
  'enrichPartnerships',
  'normalizeDomains',
  'refreshAndWait',
];

let sandbox: Sandbox;
let old: OldPackage;
beforeAll(async () => {
  sandbox = await startFastSandbox();
  old = await loadOldPackage();
});
afterAll(async () => {
  old.delete();
  await sandbox.close();
});

async function run(type: string | INodeType, { parameters }: StoredWorkflow) {
  resetSandbox(sandbox);
  const [company = '', second = ''] = trackedDomains(sandbox, 2);
  await ask(sandbox, 'POST', 'lists/lst_000002/domains', { domains: [company] });
  const job = await startJob(sandbox, [company, second]);
  const companies = FOR_ROWS.includes(parameters['operation'])
    ? [company, 'junk', `info@${second}`, 'nobody-tracks-this.com', `www.${company}`]
    : [company];
  const result = await runWorkflow({
    nodes: [
      source(companies.map((one, id) => ({ id, company: one, job }))),
      node(type, { name: 'Tested', typeVersion: 1, parameters }),
    ],
    credentials: userCredential(sandbox),
  });
  return {
    error: result.error?.message,
    items: result.error === undefined ? result.output('Tested').map(comparable) : [],
    charged: sandbox.report().charged,
  };
}

/** An item without what differs between two runs of the same version. */
function comparable({ json, binary }: { json: IDataObject; binary?: unknown }): unknown {
  return JSON.parse(
    JSON.stringify({ json, binary }).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'some time'),
  );
}

it.each(WORKFLOWS)('$title', async (workflow) => {
  const before = old.nodes.get(workflow.type);
  if (before === undefined) throw new Error('0.1.0 has no such node.');
  const then = await run(before, workflow);
  const now = await run(`n8n-nodes-company-intelligence.${workflow.type}`, workflow);

  expect(then.error).toBeUndefined();
  expect(now).toEqual(then);
});

it('0.1.0 has no operation, parameter or option that is in none of them', () => {
  const used = new Set(WORKFLOWS.flatMap(({ type, parameters }) => pathsIn(type, parameters)));
  const known = [...old.nodes.values()].flatMap(({ description }) =>
    description.properties.flatMap((property) => pathsOf(description.name, property)),
  );

  expect(known.length).toBeGreaterThan(200);
  expect(known.filter((path) => !used.has(path))).toEqual([]);
});

/** Paths of parameters with values, and of dropdowns' choices, as in `techUsers.operation=count`. */
function pathsIn(place: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [place, `${place}=${String(value)}`];
  if (Array.isArray(value)) return [place];
  return [place, ...Object.entries(value).flatMap(([key, one]) => pathsIn(`${place}.${key}`, one))];
}

/** Parameters that other tests are about, and which every node has. */
const ELSEWHERE = ['authentication'];

function pathsOf(place: string, property: INodeProperties): string[] {
  if (property.type === 'notice' || ELSEWHERE.includes(property.name)) return [];
  const path = `${place}.${property.name}`;
  if (property.name === 'operation' || property.name === 'resource') {
    return (property.options ?? []).map((one) => ('value' in one ? `${path}=${one.value}` : path));
  }
  const entries = property.type === 'collection' ? (property.options ?? []) : [];
  return [path, ...entries.map(({ name }) => `${path}.${name}`)];
}
