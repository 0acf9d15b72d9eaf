import type { IDataObject } from 'n8n-workflow';

import { previewCount as preview } from '../../../src/api/lists/definitions';
import { onlyFor, type Operation } from '../../../src/n8n/operation';
import { prepared, requiredDefinitionOf } from '../../../src/n8n/per-item/definition';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { requestOptions } from '../../shared/options';
import { definitionOptions, definitionProperties } from '../definition-properties';

/** `POST /v1/lists/preview-count` */
export const previewCount: Operation = {
  option: {
    name: 'Preview Count',
    value: 'previewCount',
    description:
      'Count the companies that a definition lets through, up to 10,000, without saving it. Free.',
    action: 'Preview the count of a definition',
  },
  properties: onlyFor('previewCount', [
    ...definitionProperties('required'),
    requestOptions(...definitionOptions),
  ]),
  execute: perItem({
    plan: requiredDefinitionOf,
    check: prepared,
    ask: async (definition, session) => {
      const { run } = session;
      const answer = await preview(run, await prepared(definition, session));
      return [{ json: answer as IDataObject }];
    },
  }),
};
