import type { IDataObject } from 'n8n-workflow';

import { listIdOf } from '../../../src/api/inputs';
import { ACCESS_LEVELS, grantAccess } from '../../../src/api/lists/permissions';
import { userFieldsOf } from '../../../src/api/lists/user';
import { once } from '../../../src/n8n/once';
import { onlyFor, type Operation } from '../../../src/n8n/operation';
import { additionalFieldsOf, type ItemParameters } from '../../../src/n8n/per-item/parameters';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { additionalFieldsProperty } from '../../shared/additional-fields';
import { listIdProperty } from '../../shared/list';
import { requestOptions } from '../../shared/options';
import { userProperty } from '../user';

const GRANT_TO = ['orgWide', 'user'] as const;

/** `POST /v1/lists/{list_id}/permissions` */
export const grant: Operation = {
  option: {
    name: 'Grant',
    value: 'grant',
    description: 'Give a user, or everyone in the organization, access to a list. Free.',
    action: 'Grant a permission',
  },
  properties: onlyFor('grant', [
    listIdProperty,
    {
      displayName: 'Access Level',
      name: 'accessLevel',
      type: 'options',
      options: [
        { name: 'Editor', value: 'editor', description: 'May read and change the list' },
        { name: 'Viewer', value: 'viewer', description: 'May read the list' },
      ],
      default: 'viewer',
      description: 'What may be done with the list',
    },
    {
      displayName: 'Grant To',
      name: 'grantTo',
      type: 'options',
      options: [
        { name: 'User', value: 'user' },
        { name: 'Whole Organization', value: 'orgWide' },
      ],
      default: 'user',
      description: 'Who gets access',
    },
    { ...userProperty('Who gets access'), displayOptions: { show: { grantTo: ['user'] } } },
    additionalFieldsProperty,
    requestOptions(),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      listId: listIdOf(parameters.get('listId')),
      body: {
        access_level: parameters.choice(
          parameters.get('accessLevel'),
          'Access Level',
          ACCESS_LEVELS,
          'viewer',
        ),
        ...holderOf(parameters),
        ...additionalFieldsOf(parameters),
      },
    }),
    ask: async ({ listId, body }, { context, run, itemIndex }) => {
      const permission = await once(
        context,
        itemIndex,
        JSON.stringify([listId, body]),
        async () => await grantAccess(run, listId, body),
      );
      return [
        { json: { list_id: listId, ...(body as IDataObject), ...(permission as IDataObject) } },
      ];
    },
  }),
};

function holderOf(parameters: ItemParameters) {
  const to = parameters.choice(parameters.get('grantTo'), 'Grant To', GRANT_TO, 'user');
  return to === 'orgWide' ? { org_wide: true } : userFieldsOf(parameters.get('user'));
}
