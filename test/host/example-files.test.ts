import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import type { Example } from './example';
import { useRealHost } from './harness';

const FOLDER = join(__dirname, '../../examples/workflows');

const EXAMPLES = readdirSync(FOLDER).map((file): readonly [string, Example] => [
  file,
  JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Example,
]);

const NODES = EXAMPLES.flatMap(([, example]) => example.nodes);

const host = useRealHost();
let descriptions: Array<INodeTypeDescription | undefined>;

beforeAll(async () => {
  descriptions = (await host.rest.request('POST', '/rest/node-types', {
    nodeInfos: NODES.map((node) => ({ name: baseType(node), version: node.typeVersion })),
  })) as typeof descriptions;
});

/** n8n derives agent tools from our nodes and shows the nodes' descriptions. */
function baseType({ type }: INode): string {
  return type.replace(/^(n8n-nodes-company-intelligence\.\w+)Tool$/, '$1');
}

it.each(EXAMPLES)('%s uses only nodes and parameters that n8n knows', (_file, example) => {
  for (const node of example.nodes) {
    const description = descriptions[NODES.indexOf(node)];
    // n8n omits the name of the package.
    expect(baseType(node).split('.').at(-1)).toBe(description?.name);
    if (description === undefined) continue;
    const { properties } = description;
    const given = [properties, node.parameters, true, false, node, description] as const;
    const known = NodeHelpers.getNodeParameters(...given);
    expect({ [node.name]: known }).toMatchObject({ [node.name]: node.parameters });
    const whole = { ...node, parameters: known ?? {} };
    const issues = NodeHelpers.getNodeParametersIssues(properties, whole, description);
    const wrong = Object.values(issues?.parameters ?? {}).flat();
    const own = wrong.filter((issue) => !issue.includes('is required'));
    expect([node.name, own]).toEqual([node.name, []]);
  }
});

it("has no breaking changes for version 3 in n8n's report", async () => {
  const path = '/rest/breaking-changes/report?version=v3';
  const { report } = (await host.rest.request('GET', path)) as {
    report: { workflowResults: unknown[]; instanceResults: Array<{ ruleId: string }> };
  };

  expect(report.workflowResults).toEqual([]);
  // This n8n already has the setting that n8n 3 requires to load packages that are not verified.
  // The compose file sets it too.
  expect(report.instanceResults.map(({ ruleId }) => ruleId)).not.toContain(
    'unverified-packages-v3',
  );
});
