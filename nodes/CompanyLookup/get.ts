import type { IDataObject } from 'n8n-workflow';

import { getCompany } from '../../src/api/companies';
import { identifierOf } from '../../src/api/inputs';
import { ifNotFoundOf, orNotFound } from '../../src/n8n/per-item/not-found';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { subdomainsOf } from '../../src/n8n/per-item/parameters';
import { perItem } from '../../src/n8n/per-item/per-item';
import { identifierProperty, includeSections, SECTIONS } from '../shared/company';
import {
  ifNotFoundOption,
  maxCreditsOption,
  requestOptions,
  subdomainsOption,
} from '../shared/options';

/** `GET /v1/companies/{identifier}` */
export const get: Operation = {
  option: {
    name: 'Get',
    value: 'get',
    description: 'Get one company. Costs 1 credit unless it was read in the last 30 days.',
    action: 'Get a company',
  },
  properties: onlyFor('get', [
    identifierProperty(),
    includeSections,
    requestOptions(ifNotFoundOption, maxCreditsOption, subdomainsOption),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      identifier: identifierOf(parameters.get('identifier'), 'Company', subdomainsOf(parameters)),
      include: parameters.words(parameters.get('include'), 'Include', SECTIONS),
      ifNotFound: ifNotFoundOf(parameters),
    }),
    ask: async ({ identifier, include, ifNotFound }, { run }) =>
      await orNotFound(ifNotFound, { identifier }, async () => {
        const company = await getCompany(run, identifier, include);
        return [{ json: company as IDataObject }];
      }),
  }),
};
