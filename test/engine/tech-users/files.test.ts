/** Tech Users with files: several items, and raw rows. */
import { parse } from 'csv-parse/sync';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { sentTo, useSandbox } from '../shared/service';
import { byId, running, textOfFile } from '../shared/nodes';

const NAME = 'Tech Users';
const techUsers = running('techUsers', NAME);

const sandbox = useSandbox();

/** Writes a file with up to 20 users of each technology. */
const usersOf = async (keys: readonly string[], parameters: INodeParameters = {}) =>
  await techUsers(
    sandbox,
    {
      operation: 'getByTechnology',
      techKey: byId('={{ $json.key }}'),
      limit: 20,
      output: 'csv',
      ...parameters,
    },
    keys.map((key) => ({ key })),
  );

function rowsOf(item: INodeExecutionData | undefined): Array<Record<string, string>> {
  return parse(textOfFile(item), { columns: true, bom: true });
}

it('writes one file per item, named after its parameters, but reads once for equal items', async () => {
  const keys = ['hubspot', 'stripe', 'hubspot'];
  const run = await usersOf(keys);
  expect(sentTo(sandbox)).toHaveLength(2);
  const alone = await Promise.all(
    keys.map(async (key) => await usersOf([key], { output: 'items' })),
  );

  expect(run.json(NAME).map((json) => [json['tech_key'], json['file_name']])).toEqual(
    keys.map((key) => [key, `${key}-companies.csv`]),
  );
  expect(run.traced()).toEqual([0, 1, 2]);
  expect(run.output(NAME).map((item) => rowsOf(item).map((row) => row['domain']))).toEqual(
    alone.map((one) => one.json(NAME).map((row) => row['domain'])),
  );
  const [one, , other] = run.output(NAME);
  expect(other?.binary?.['data']).not.toBe(one?.binary?.['data']);
});

it('sends one request at a time when several items write files', async () => {
  const keys = sandbox.world.technologies.slice(0, 12).map(({ key }) => key);
  sandbox.setLatency(20);
  const run = await usersOf(keys);

  expect(run.json(NAME)).toHaveLength(12);
  expect(sandbox.report().peakConcurrency).toBe(1);
});
