import { z } from 'zod/v4';
import { answer, endpoint, type Endpoint } from '../../endpoint';
import { errors } from '../../errors';
import { note, userOf } from '../../lists/store';
import * as common from '../../schemas/common';
import * as schemas from '../../schemas/lists';
import { envelope, permissionView } from '../../lists/views';
import { listParams, section } from './shared';

export const accessEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/v1/lists/{list_id}/permissions',
    section,
    summary: 'Who has access',
    key: 'user',
    params: listParams,
    query: common.nothing,
    body: null,
    responses: { 200: schemas.permissionRows },
    refusals: { 404: 'list_not_found' },
    handle({ service, account }, { params }) {
      const { list } = service.lists.require(params.list_id, userOf(account), 'viewer');
      const rows = list.permissions.map(permissionView);
      return answer.ok(envelope(service.choices, 'permissions', rows));
    },
  }),
  endpoint({
    method: 'POST',
    path: '/v1/lists/{list_id}/permissions',
    section,
    summary: 'Grant access to a user or to the whole organization',
    key: 'user',
    params: listParams,
    query: common.nothing,
    body: schemas.grantBody,
    responses: { 201: schemas.permission },
    refusals: { 404: 'list_not_found, user_not_found' },
    handle({ service, account }, { params, body }) {
      const user = userOf(account);
      const { list } = service.lists.require(params.list_id, user, 'owner');
      if (body.userId !== null) service.requireColleague(user.organizationId, body.userId);
      const now = service.clock.now();
      const permission = service.lists.grant(list, body.userId, body.level, now);
      service.recorder.count('grants');
      note(list, user, `granted ${body.level} to ${body.userId ?? 'everyone'}`, now);
      return answer.created(permissionView(permission));
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/v1/lists/{list_id}/permissions/{permission_id}',
    section,
    summary: 'Revoke access',
    key: 'user',
    params: z.object({ list_id: z.string(), permission_id: z.string() }),
    query: common.nothing,
    body: null,
    responses: { 200: schemas.deletedBody, 204: 'empty' },
    refusals: { 404: 'list_not_found, permission_not_found' },
    handle({ service, account }, { params }) {
      const user = userOf(account);
      const { list } = service.lists.require(params.list_id, user, 'owner');
      const index = list.permissions.findIndex(
        (permission) => String(permission.id) === params.permission_id,
      );
      if (index < 0) throw errors.notFound('permission_not_found', 'There is no such permission.');
      list.permissions.splice(index, 1);
      note(list, user, `revoked permission ${params.permission_id}`, service.clock.now());
      return answer.deleted(service.choices, { deleted: true });
    },
  }),
];
