import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod/v4';
import { answer, endpoint, type Endpoint } from '../../endpoint';
import { ServiceError } from '../../errors';
import { filterCatalog, readDefinition, savedDefinitionSchema } from '../../lists/definition';
import { previewCount } from '../../lists/materialize';
import { append } from '../../lists/store';
import { filterCatalogueSchema, previewResponse } from '../../schemas/lists';

export const definitionEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/lists/filter-fields',
    responses: { 200: filterCatalogueSchema },
    handle: () => answer.ok(filterCatalog()),
  }),
  endpoint({
    method: 'POST',
    path: '/v1/lists/preview-count',
    body: z.unknown(),
    responses: { 200: previewResponse },
    handle: ({ service }, { body }) => answer.ok(previewCount(service, readDefinition(body).root)),
  }),
  endpoint({
    method: 'GET',
    path: '/v1/lists/{list_id}/definition',
    responses: { 200: savedDefinitionSchema },
    handle({ service, user }, { params }) {
      const { list } = service.lists.require(params.list_id, user, 'viewer');
      return answer.ok(list.definition);
    },
  }),
  endpoint({
    method: 'PUT',
    path: '/v1/lists/{list_id}/definition',
    body: z.unknown(),
    responses: { 200: savedDefinitionSchema },
    async handle({ service, user }, { params, body }) {
      const definition = readDefinition(body);
      const { list } = service.lists.require(params.list_id, user, 'editor');
      const basedOn = definition.version ?? list.definition.version;
      const { definitionEditMs } = service.choices;
      if (definitionEditMs > 0) await sleep(definitionEditMs);
      service.lists.require(params.list_id, user, 'editor');
      const current = list.definition.version;
      if (basedOn !== current) {
        throw new ServiceError(
          409,
          'definition_version_conflict',
          `The definition is at version ${current}, not ${basedOn}. Read it again and retry.`,
        );
      }
      append(list, definition, service.clock.now());
      return answer.ok(list.definition);
    },
  }),
];
