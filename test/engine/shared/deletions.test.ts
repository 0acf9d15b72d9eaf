/**
 * Deletions: their effect, and what they do when the first response is lost. A 404 for the retry means
 * that the first request deleted the entry.
 */
import type { INodeParameters } from 'n8n-workflow';

import { OWN, SHARED } from '../company-list/company-list';
import { createList } from '../list-members/list-members';
import { ask, byId, runNode } from './nodes';
import { trackedDomains, useSandbox } from './service';

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

describe.each(Object.entries(DELETIONS))('%s', (_title, prepare) => {
  it.each([undefined, 'resetAfter', 'resetBefore', 'html502'] as const)(
    'deletes the entry and outputs deleted: true, even after a lost response: %s',
    async (preset) => {
      const { type, name, parameters, path, entry, others = '"', output } = await prepare();
      const textAt = async () => JSON.stringify(await ask(sandbox, 'GET', path));
      expect(await textAt()).toContain(entry);
      if (preset !== undefined) sandbox.addFault({ preset, match: { method: 'DELETE' } });
      const run = await runNode(sandbox, type, parameters);

      expect(run.json(name)).toEqual([output]);
      const after = await textAt();
      expect(after).not.toContain(entry);
      expect(after).toContain(others);
    },
  );

  it('fails when the first response is a 404', async () => {
    const { type, parameters } = await prepare();
    await runNode(sandbox, type, parameters);
    const { error } = await runNode(sandbox, type, parameters);

    expect(error).toMatchObject({ httpCode: '404' });
  });
});
