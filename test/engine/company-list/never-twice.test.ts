/** Company List: a repeatable request takes effect once, even if its response is lost. */
import type { INodeParameters } from 'n8n-workflow';

import { sentTo, useSandbox } from '../shared/service';
import { ask, byId } from '../shared/nodes';
import { companyList, INVISIBLE, OWN, SHARED } from './company-list';

const sandbox = useSandbox({ companies: 500 });

const RETRY = { retryOnFail: true, maxTries: 4, waitBetweenTries: 1 } as const;

const definition = '{ "root": { "field": "country", "operator": "equals", "value": "France" } }';

const DELETE = { resource: 'list', operation: 'delete' };
const REVOKE = {
  resource: 'permission',
  operation: 'revoke',
  listId: byId(SHARED),
  permissionId: byId('1'),
};

const run = async (parameters: INodeParameters) =>
  await companyList(sandbox, { listId: byId(OWN), ...parameters });
const sent = (method: string) => sentTo(sandbox).filter((one) => one.method === method);

it('replaces a definition once, even when another item keeps failing', async () => {
  await companyList(
    sandbox,
    {
      resource: 'definition',
      operation: 'replace',
      listId: byId('={{ $json.list }}'),
      definitionMode: 'json',
      definition,
    },
    [{ list: INVISIBLE }, { list: OWN }],
    { ...RETRY, onError: 'continueRegularOutput' },
  );

  expect(await ask(sandbox, 'GET', `lists/${OWN}/definition`)).toMatchObject({ version: 2 });
});

describe.each([DELETE, REVOKE])(
  '$resource $operation, when the retry after a lost response returns 404',
  (effect) => {
    beforeEach(() => {
      sandbox.addFault({ preset: 'html502', match: { method: 'DELETE' }, when: 'first' });
    });

    it('fails when the check afterwards returns 404 too, as with a wrong Base URL', async () => {
      sandbox.addFault({
        preset: 'errorHtml',
        options: { status: 404 },
        when: { from: 2, to: 99 },
      });
      const result = await run(effect);

      expect(result.error).toMatchObject({ httpCode: '404' });
      expect(sent('GET')).toHaveLength(1);
    });

    it('fails when the check afterwards still finds the entry', async () => {
      sandbox.addFault({
        preset: 'errorHtml',
        options: { status: 404 },
        match: { method: 'DELETE' },
        when: { nth: 2 },
      });
      const result = await run(effect);

      expect(result.error?.message).toMatch(/nothing to delete, but still lists the entry/);
      expect(sent('DELETE')).toHaveLength(2);
    });
  },
);
