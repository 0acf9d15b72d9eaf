import { setTimeout as sleep } from 'node:timers/promises';
import { answer, endpoint, type Endpoint, type RefuseBody } from '../../endpoint';
import { ServiceError } from '../../errors';
import { definitionSchema, filterCatalog, savedDefinitionSchema } from '../../lists/definition';
import { previewCount } from '../../lists/materialize';
import { append } from '../../lists/store';
import { filterCatalogueSchema, previewResponse } from '../../schemas/lists';
import { definitionView } from '../../lists/views';

/** A malformed or unbounded definition is 422 (Lists, rule 2). */
const invalidDefinition: RefuseBody = (message) =>
  new ServiceError(422, 'invalid_definition', message);

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
      return answer.ok(definitionView(list.definition));
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
      const basedOn = body.version ?? list.definition.version;
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
      append(list, body, service.clock.now());
      return answer.ok(definitionView(list.definition));
    },
  }),
];
