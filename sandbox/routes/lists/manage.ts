import { z } from 'zod/v4';
import { answer, endpoint, type Endpoint } from '../../endpoint';
import { readDefinition } from '../../lists/definition';
import * as schemas from '../../schemas/lists';
import { listDetail, listSummary } from '../../lists/views';

export const manageEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/v1/lists',
    body: schemas.createBody,
    responses: { 201: schemas.listDetail },
    handle({ service, user }, { body }) {
      const now = service.clock.now();
      const definition =
        body.definition === undefined ? undefined : readDefinition(body.definition);
      const list = service.lists.create(user, body.name, definition, now);
      service.recorder.created.lists += 1;
      return answer.created(listDetail(list, 'owner'));
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/lists',
    responses: { 200: schemas.listRows },
    handle({ service, user }) {
      const visible = service.lists.visibleTo(user);
      const rows = visible.map(({ list, level }) => listSummary(list, level));
      return answer.ok({ lists: rows });
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/lists/{list_id}',
    responses: { 200: schemas.listDetail },
    handle({ service, user }, { params }) {
      const { list, level } = service.lists.require(params.list_id, user, 'viewer');
      return answer.ok(listDetail(list, level));
    },
  }),
  endpoint({
    method: 'PATCH',
    path: '/v1/lists/{list_id}',
    body: schemas.renameBody,
    responses: { 200: schemas.listSummary },
    handle({ service, user }, { params, body }) {
      const { list, level } = service.lists.require(params.list_id, user, 'editor');
      list.name = body.name;
      list.updatedAt = service.clock.now();
      return answer.ok(listSummary(list, level));
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/v1/lists/{list_id}',
    responses: { 204: 'empty' },
    handle({ service, user }, { params }) {
      const { list } = service.lists.require(params.list_id, user, 'owner');
      service.lists.delete(list);
      return answer.deleted();
    },
  }),
  endpoint({
    method: 'POST',
    path: '/v1/lists/{list_id}/owner',
    body: schemas.ownerBody,
    responses: { 200: z.strictObject({ list_id: z.string(), owner_user_id: z.string() }) },
    handle({ service, user }, { params, body }) {
      const { list } = service.lists.require(params.list_id, user, 'owner');
      service.requireColleague(user.organizationId, body.user_id);
      const now = service.clock.now();
      if (body.user_id !== user.id) {
        list.ownerId = body.user_id;
        service.lists.grant(list, user.id, 'editor', now);
        list.updatedAt = now;
      }
      return answer.ok({ list_id: list.id, owner_user_id: list.ownerId });
    },
  }),
];
