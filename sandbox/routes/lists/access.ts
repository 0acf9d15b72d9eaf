import { answer, endpoint, type Endpoint } from '../../endpoint';
import { errors } from '../../errors';
import * as schemas from '../../schemas/lists';
import { permissionView } from '../../lists/views';

export const accessEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/lists/{list_id}/permissions',
    responses: { 200: schemas.permissionRows },
    handle({ service, user }, { params }) {
      const { list } = service.lists.require(params.list_id, user, 'viewer');
      return answer.ok({ permissions: list.permissions.map(permissionView) });
    },
  }),
  endpoint({
    method: 'POST',
    path: '/v1/lists/{list_id}/permissions',
    body: schemas.grantBody,
    responses: { 201: schemas.permission },
    handle({ service, user }, { params, body }) {
      const { list } = service.lists.require(params.list_id, user, 'owner');
      if (body.userId !== null) service.requireColleague(user.organizationId, body.userId);
      const now = service.clock.now();
      const permission = service.lists.grant(list, body.userId, body.level, now);
      service.recorder.created.grants += 1;
      list.updatedAt = now;
      return answer.created(permissionView(permission));
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/v1/lists/{list_id}/permissions/{permission_id}',
    responses: { 204: 'empty' },
    handle({ service, user }, { params }) {
      const { list } = service.lists.require(params.list_id, user, 'owner');
      const index = list.permissions.findIndex(
        (permission) => String(permission.id) === params.permission_id,
      );
      if (index < 0) throw errors.notFound('permission_not_found', 'There is no such permission.');
      list.permissions.splice(index, 1);
      list.updatedAt = service.clock.now();
      return answer.deleted();
    },
  }),
];
