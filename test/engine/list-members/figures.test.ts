/** List Members: what reading a list has cost, where the service bills members. */
import { byId } from '../shared/nodes';
import { createList, listMembers, NAME, useLists } from './list-members';

/** Members of the list. */
const SIZE = 40;

const sandbox = useLists({ companies: SIZE });
let listId: string;
beforeEach(async () => {
  sandbox.setChoices({ membersCharged: true });
  listId = await createList(sandbox, 0);
});

it.each([
  ['getMany', { limit: 10 }, 10],
  ['getMany', { returnAll: true }, SIZE],
  ['getMany', { returnAll: true, output: 'csv' }, SIZE],
  ['getMany', { countOnly: true }, 1],
  ['exportCsv', {}, SIZE],
  ['exportCsv', { output: 'items' }, SIZE],
])('%s with %j', async (operation, parameters, credits) => {
  const run = await listMembers(sandbox, { operation, listId: byId(listId), ...parameters });
  const { charged } = sandbox.report();

  expect(charged).toBe(credits);
  expect(run.customData).toMatchObject({
    company_intelligence_credits_at_most: String(charged),
    company_intelligence_rows: String(run.json(NAME).length),
  });
  expect(run.hints(NAME).at(-1)?.message).toContain(`Cost at most: ${String(charged)} credit`);
});

it('a limit says what Return All would cost', async () => {
  const run = await listMembers(sandbox, {
    operation: 'getMany',
    listId: byId(listId),
    limit: 10,
  });

  expect(run.hints(NAME).at(-1)?.message).toMatch(
    /^10 of 40 rows \(25 %\), 1 request\. Cost at most: 10 credits[,.].* Return All would cost at most 40 credits\.$/,
  );
});
