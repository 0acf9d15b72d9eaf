import { previewCount as preview } from '../../../src/api/lists/definitions';
import { prepared } from '../../../src/n8n/per-item/definition';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { additionalFields } from '../../shared/additional-fields';
import { requestOptions } from '../../shared/options';
import { definitionOptions, someDefinition, wrapIn } from '../definition-properties';

/** `POST /v1/lists/preview-count` */
export const previewCount = perItem({
  option: {
    name: 'Preview Count',
    value: 'previewCount',
    description:
      'Count the companies that match a definition, up to 10,000, without saving it. Free.',
    action: 'Preview definition count',
  },
  parameters: {
    definition: someDefinition,
    more: additionalFields,
    options: requestOptions({ ...definitionOptions, wrapIn }),
  },
  check: async ({ definition }, session) => await prepared(definition, session),
  ask: async ({ definition, more, options }, session) =>
    await preview(session.run, await prepared(definition, session), { ...options, more }),
});
