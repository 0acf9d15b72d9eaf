/**
 * Deletions: their effect, and what they do when the first response is lost. A 404 for the retry
 * counts as success only if a check confirms that the entry is gone.
 */
import type { INodeParameters } from 'n8n-workflow';

import { OWN, SHARED } from '../company-list/company-list';
import { createList } from '../list-members/list-members';
import { ask, byId, runNode } from './nodes';
import { sentTo, trackedDomains, useSandbox } from './service';

const sandbox = useSandbox({ companies: 500 });

interface Deletion {
  readonly type: string;
  readonly name: string;
  readonly parameters: INodeParameters;
  /** A request whose response contains the entry. */
  readonly path: string;
  readonly entry: string;
  /** Another entry of that response, which remains. */
  readonly others?: string;
  readonly output: Readonly<Record<string, unknown>>;
}

const COMPANY_LIST = { type: 'companyList', name: 'Company List' };

/** Prepares each deletion. */
const DELETIONS: Readonly<Record<string, () => Promise<Deletion> | Deletion>> = {
  'Delete a list': () => ({
    ...COMPANY_LIST,
    parameters: { resource: 'list', operation: 'delete', listId: byId(OWN) },
    path: 'lists',
    entry: OWN,
    output: { list_id: OWN, deleted: true },
  }),
  'Revoke a permission': () => ({
    ...COMPANY_LIST,
    parameters: {
      resource: 'permission',
      operation: 'revoke',
      listId: byId(SHARED),
      permissionId: byId('1'),
    },
    path: `lists/${SHARED}/permissions`,
    entry: 'org_wide',
    output: { list_id: SHARED, permission_id: '1', deleted: true },
  }),
  'Remove Domain': async () => {
    const list = await createList(sandbox);
    const [domain = '', other = ''] = trackedDomains(sandbox, 2);
    await ask(sandbox, 'POST', `lists/${list}/domains`, { domains: [domain, other] });
    return {
      type: 'listMembers',
      name: 'List Members',
      parameters: { operation: 'removeDomain', listId: byId(list), domain: `www.${domain}` },
      path: `lists/${list}/members`,
      entry: domain,
      others: other,
      output: { list_id: list, domain, deleted: true },
    };
  },
};

const sent = (method: string) => sentTo(sandbox).filter((one) => one.method === method);
const textAt = async (path: string) => JSON.stringify(await ask(sandbox, 'GET', path));

describe.each(Object.entries(DELETIONS))('%s', (_title, prepare) => {
  it.each(['empty', 'body'] as const)(
    'deletes the entry and outputs deleted: true when the response is: %s',
    async (deleteAnswer) => {
      sandbox.setChoices({ deleteAnswer });
      const { type, name, parameters, path, entry, others = '', output } = await prepare();
      const before = await textAt(path);
      const run = await runNode(sandbox, type, parameters);

      expect(run.json(name)).toEqual([output]);
      expect(before).toContain(entry);
      const after = await textAt(path);
      expect(after).not.toContain(entry);
      expect(after).toContain(others);
    },
  );

  describe('when the retry after a lost response returns 404', () => {
    /** Loses the response, and then returns 404 to the given methods. */
    async function loseResponse(...methods: string[]) {
      const { type, parameters } = await prepare();
      const reads = sent('GET').length;
      sandbox.addFault({ preset: 'html502', match: { method: 'DELETE' }, when: 'first' });
      for (const method of methods) {
        const options = { status: 404 };
        sandbox.addFault({ preset: 'errorHtml', options, match: { method }, when: 'every' });
      }
      const { error } = await runNode(sandbox, type, parameters);
      return { error, checks: sent('GET').length - reads };
    }

    it('fails when the check afterwards returns 404 too, as with a wrong Base URL', async () => {
      const { error, checks } = await loseResponse('DELETE', 'GET');

      expect(error).toMatchObject({ httpCode: '404' });
      expect(checks).toBe(1);
    });

    it('fails when the check afterwards still finds the entry', async () => {
      const { error } = await loseResponse('DELETE');

      expect(error?.message).toMatch(/nothing to delete, but still lists the entry/);
      expect(sent('DELETE')).toHaveLength(2);
    });
  });
});
