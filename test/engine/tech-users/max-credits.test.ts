/** Max Credits with lists whose length nobody knows beforehand, and with many items at once. */
import { byId, runNode } from '../shared/nodes';
import { useSandbox, trackedDomains } from '../shared/service';
import { errorItemOf } from '../shared/error-items';

const sandbox = useSandbox();

const settings = { onError: 'continueErrorOutput' } as const;

/** A technology with at least two users, and how many it has. */
async function aTechnology(): Promise<{ techKey: string; users: number }> {
  for (const { key: techKey } of [...sandbox.world.technologies].reverse()) {
    const answer = await fetch(`${sandbox.baseUrl}/v1/technologies/${techKey}/companies?limit=1`, {
      headers: { 'X-API-Key': sandbox.keys.otherOrganization },
    });
    const { technology } = (await answer.json()) as { technology: { total_companies: number } };
    const users = technology.total_companies;
    if (users > 1 && users < 500) return { techKey, users };
  }
  throw new Error('There is no technology with a few users.');
}

async function readAll(techKey: string, maxCredits: number) {
  sandbox.reset();
  const name = 'Tech Users';
  const parameters = {
    operation: 'getByTechnology',
    techKey: byId(techKey),
    returnAll: true,
    options: { maxCredits },
  };
  const run = await runNode(sandbox, 'techUsers', parameters, [{}], settings);
  return { rows: run.json(name, 0), failed: run.json(name, 1) };
}

it('Return All reads a short list although a full page would be more than Max Credits', async () => {
  const { techKey, users } = await aTechnology();
  const { rows } = await readAll(techKey, users + 1);

  expect(rows).toHaveLength(users);
  expect(sandbox.report().charged).toBe(users);
});

it('Return All refuses a list that is longer than Max Credits, for 1 credit', async () => {
  const { techKey, users } = await aTechnology();
  const { failed } = await readAll(techKey, users - 1);

  expect(failed).toEqual([expect.objectContaining(errorItemOf('max_credits_reached'))]);
  expect(sandbox.report()).toMatchObject({ requests: 1, charged: 1 });
});

it('credits that unknown companies did not cost are used for other items', async () => {
  const unknown = Array.from({ length: 60 }, (_unused, index) => `unknown-${String(index)}.com`);
  const known = trackedDomains(sandbox, 5);
  const name = 'Company Lookup';
  const parameters = {
    identifier: '={{ $json.domain }}',
    options: { maxCredits: 25, ifNotFound: 'item', output: 'result' },
  };
  const items = [...unknown, ...known].map((domain) => ({ domain }));
  const run = await runNode(sandbox, 'companyLookup', parameters, items, settings);
  expect(run.json(name, 1)).toEqual([]);
  expect(run.json(name, 0).filter((json) => json['found'] === true)).toHaveLength(5);
  expect(sandbox.report()).toMatchObject({ requests: 65, charged: 5 });
});
