import { grantAccess } from '../../../src/api/lists/permissions';
import { choice, shownFor, type Parameter } from '../../../src/n8n/parameters/declare';
import { perItem } from '../../../src/n8n/per-item/per-item';
import type { Row } from '../../../src/run/answers/rows';
import { additionalFields } from '../../shared/additional-fields';
import { listId } from '../../shared/list';
import { requestOptions } from '../../shared/options';
import { user } from '../user';

const grantTo = choice({
  displayName: 'Grant To',
  name: 'grantTo',
  type: 'options',
  options: [
    { name: 'User', value: 'user' },
    { name: 'Whole Organization', value: 'orgWide' },
  ],
  default: 'user',
  description: 'Who gets access',
});
const grantee = shownFor({ grantTo: ['user'] }, user('Who gets access'));

/** Who gets access, as fields of the body. */
const holder: Parameter<Row> = {
  properties: [...grantTo.properties, ...grantee.properties],
  read: (place) => (grantTo.read(place) === 'orgWide' ? { org_wide: true } : grantee.read(place)),
};

/** `POST /v1/lists/{list_id}/permissions` */
export const grant = perItem({
  option: {
    name: 'Grant',
    value: 'grant',
    description: 'Give a user, or everyone in the organization, access to a list. Free.',
    action: 'Grant permission',
  },
  parameters: {
    list_id: listId,
    access_level: choice({
      displayName: 'Access Level',
      name: 'accessLevel',
      type: 'options',
      options: [
        { name: 'Editor', value: 'editor', description: 'May read and change the list' },
        { name: 'Viewer', value: 'viewer', description: 'May read the list' },
      ],
      default: 'viewer',
      description: 'What may be done with the list',
    }),
    holder,
    more: additionalFields,
    options: requestOptions({}),
  },
  changes: 'once',
  ask: async ({ list_id, access_level, holder: to, more }, { run }) => {
    const body = { access_level, ...to, ...more };
    return { list_id, ...body, ...(await grantAccess(run, list_id, body)) };
  },
});
