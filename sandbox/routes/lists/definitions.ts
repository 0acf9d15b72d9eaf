import { setTimeout as sleep } from 'node:timers/promises';
import { answer, endpoint, type Endpoint } from '../../endpoint';
import { ServiceError } from '../../errors';
import { filterCatalogue } from '../../lists/catalogue';
import { previewCount } from '../../lists/materialize';
import { activeDefinition, append, note, userOf } from '../../lists/store';
import { definitionSchema, savedDefinitionSchema } from '../../lists/tree';
import * as common from '../../schemas/common';
import { filterCatalogueSchema, previewResponse } from '../../schemas/lists';
import { definitionView } from '../../lists/views';
import { invalidDefinition, listParams, section } from './shared';

export const definitionEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/lists/filter-fields',
    section,
    summary: 'Catalogue of filterable fields and operators',
    key: 'user',
    params: common.nothing,
    query: common.nothing,
    body: null,
    responses: { 200: filterCatalogueSchema },
    handle: () => answer.ok(filterCatalogue()),
  }),
  endpoint({
    method: 'POST',
    path: '/v1/lists/preview-count',
    section,
    summary: 'How many companies a definition tree lets through, up to 10,000',
    key: 'user',
    params: common.nothing,
    query: common.nothing,
    body: definitionSchema,
    refuseBody: invalidDefinition,
    responses: { 200: previewResponse },
    refusals: { 422: 'invalid_definition' },
    handle: ({ service }, { body }) => answer.ok(previewCount(service, body.root)),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/lists/{list_id}/definition',
    section,
    summary: 'The active definition tree',
    key: 'user',
    params: listParams,
    query: common.nothing,
    body: null,
    responses: { 200: savedDefinitionSchema },
    refusals: { 404: 'list_not_found' },
    handle({ service, account }, { params }) {
      const { list } = service.lists.require(params.list_id, userOf(account), 'viewer');
      return answer.ok(definitionView(activeDefinition(list)));
    },
  }),
  endpoint({
    method: 'PUT',
    path: '/v1/lists/{list_id}/definition',
    section,
    summary: 'Replace the definition: a new version, and members are computed anew',
    key: 'user',
    params: listParams,
    query: common.nothing,
    body: definitionSchema,
    refuseBody: invalidDefinition,
    responses: { 200: savedDefinitionSchema },
    refusals: {
      404: 'list_not_found',
      409: 'definition_version_conflict',
      422: 'invalid_definition',
    },
    async handle({ service, account }, { params, body }) {
      const user = userOf(account);
      const { list } = service.lists.require(params.list_id, user, 'editor');
      const basedOn = body.version ?? activeDefinition(list).version;
      await sleep(service.choices.definitionEditMs);
      service.lists.require(params.list_id, user, 'editor');
      const current = activeDefinition(list).version;
      if (basedOn !== current) {
        throw new ServiceError(
          409,
          'definition_version_conflict',
          `The definition is at version ${current}, not ${basedOn}. Read it again and retry.`,
        );
      }
      const now = service.clock.now();
      append(list, user, body, now);
      note(list, user, `definition version ${current + 1}`, now);
      return answer.ok(definitionView(activeDefinition(list)));
    },
  }),
];
