import type { IDataObject } from 'n8n-workflow';

import { listNameOf } from '../../../src/api/inputs';
import { createList } from '../../../src/api/lists/lists';
import { once } from '../../../src/n8n/once';
import { onlyFor, type Operation } from '../../../src/n8n/operation';
import { definitionOf, prepared } from '../../../src/n8n/per-item/definition';
import { additionalFieldsOf } from '../../../src/n8n/per-item/parameters';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { additionalFieldsProperty } from '../../shared/additional-fields';
import { requestOptions } from '../../shared/options';
import { definitionOptions, definitionProperties } from '../definition-properties';
import { nameProperty } from './name';

/** `POST /v1/lists` */
export const create: Operation = {
  option: {
    name: 'Create',
    value: 'create',
    description:
      "Create a list. Free. Items that ask for the same list get one list; n8n's Retry On Fail never creates it twice, but its Retry Execution button creates another.",
    action: 'Create a list',
  },
  properties: onlyFor('create', [
    nameProperty,
    ...definitionProperties('optional'),
    additionalFieldsProperty,
    requestOptions(...definitionOptions),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      name: listNameOf(parameters.get('name')),
      definition: definitionOf(parameters),
      more: additionalFieldsOf(parameters),
    }),
    check: async ({ definition }, session) =>
      definition === undefined ? undefined : await prepared(definition, session),
    ask: async ({ name, definition, more }, session) => {
      const { context, run, itemIndex } = session;
      const body = {
        name,
        ...(definition === undefined ? {} : { definition: await prepared(definition, session) }),
        ...more,
      };
      const list = await once(
        context,
        itemIndex,
        JSON.stringify(body),
        async () => await createList(run, body),
      );
      return [{ json: list as IDataObject }];
    },
  }),
};
