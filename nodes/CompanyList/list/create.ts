import { withoutVersion } from '../../../src/api/lists/definitions';
import { createList } from '../../../src/api/lists/lists';
import { prepared } from '../../../src/n8n/per-item/definition';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { additionalFields } from '../../shared/additional-fields';
import { requestOptions } from '../../shared/options';
import { anyDefinition, definitionOptions } from '../definition-properties';
import { listName } from './name';

/** `POST /v1/lists` */
export const create = perItem({
  option: {
    name: 'Create',
    value: 'create',
    description:
      'Create a list. Free. Equal items share one. Retry On Fail never creates it twice; Retry Execution does.',
    action: 'Create list',
  },
  parameters: {
    name: listName,
    definition: anyDefinition,
    more: additionalFields,
    options: requestOptions(definitionOptions),
  },
  check: async ({ definition }, session) =>
    definition === undefined ? undefined : await prepared(definition, session),
  changes: 'once',
  ask: async ({ name, definition, more }, session) =>
    await createList(session.run, {
      name,
      ...(definition === undefined
        ? {}
        : { definition: withoutVersion(await prepared(definition, session)) }),
      ...more,
    }),
});
