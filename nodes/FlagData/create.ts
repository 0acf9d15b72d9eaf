import type { IDataObject } from 'n8n-workflow';

import { createFlag } from '../../src/api/flags';
import { flagDescriptionOf, identifierOf } from '../../src/api/inputs';
import { LIMITS } from '../../src/api/limits';
import { ifNotFoundOf, orNotFound } from '../../src/n8n/per-item/not-found';
import { once } from '../../src/n8n/once';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { subdomainsOf } from '../../src/n8n/per-item/parameters';
import { perItem } from '../../src/n8n/per-item/per-item';
import { identifierProperty } from '../shared/company';
import { ifNotFoundOption, requestOptions, subdomainsOption } from '../shared/options';

/** `POST /v1/companies/{identifier}/flags` */
export const create: Operation = {
  option: {
    name: 'Create',
    value: 'create',
    description:
      "Report wrong data about a company for review. Free; the company's data does not change. n8n's Retry On Fail never flags twice, but its Retry Execution button flags again.",
    action: 'Flag company data',
  },
  properties: onlyFor('create', [
    identifierProperty(),
    {
      displayName: 'Description',
      name: 'description',
      type: 'string',
      typeOptions: { rows: 4 },
      default: '',
      placeholder: 'e.g. The company moved to Austria in 2024',
      description: `What is wrong, up to ${String(LIMITS.flagDescriptionLength)} characters; may be left empty`,
    },
    requestOptions(ifNotFoundOption, subdomainsOption),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      identifier: identifierOf(parameters.get('identifier'), 'Company', subdomainsOf(parameters)),
      description: flagDescriptionOf(parameters.get('description')),
      ifNotFound: ifNotFoundOf(parameters),
    }),
    ask: async ({ identifier, description, ifNotFound }, { run, context, itemIndex }) =>
      await orNotFound(ifNotFound, { identifier }, async () => {
        const flag = await once(
          context,
          itemIndex,
          JSON.stringify([identifier, description]),
          async () => await createFlag(run, identifier, description),
        );
        return [{ json: { identifier, ...(flag as IDataObject) } }];
      }),
  }),
};
