import { setTimeout as sleep } from 'node:timers/promises';
import { answer, endpoint, type Endpoint } from '../../endpoint';
import { ServiceError } from '../../errors';
import { filterCatalogue } from '../../lists/catalogue';
import { previewCount } from '../../lists/materialize';
import { activeDefinition, append, note } from '../../lists/store';
import { definitionSchema, savedDefinitionSchema } from '../../lists/tree';
import { filterCatalogueSchema, previewResponse } from '../../schemas/lists';
import { definitionView } from '../../lists/views';
import { invalidDefinition } from './shared';

export const definitionEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/lists/filter-fields',
    responses: { 200: filterCatalogueSchema },
    handle: () => answer.ok(filterCatalogue()),
  }),
  endpoint({
    method: 'POST',
    path: '/v1/lists/preview-count',
    body: definitionSchema,
    refuseBody: invalidDefinition,
    responses: { 200: previewResponse },
    handle: ({ service }, { body }) => answer.ok(previewCount(service, body.root)),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/lists/{list_id}/definition',
    responses: { 200: savedDefinitionSchema },
    handle({ service, user }, { params }) {
      const { list } = service.lists.require(params.list_id, user, 'viewer');
      return answer.ok(definitionView(activeDefinition(list)));
    },
  }),
  endpoint({
    method: 'PUT',
    path: '/v1/lists/{list_id}/definition',
    body: definitionSchema,
    refuseBody: invalidDefinition,
    responses: { 200: savedDefinitionSchema },
    async handle({ service, user }, { params, body }) {
      const { list } = service.lists.require(params.list_id, user, 'editor');
      const basedOn = body.version ?? activeDefinition(list).version;
      const { definitionEditMs } = service.choices;
      if (definitionEditMs > 0) await sleep(definitionEditMs);
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
