import { z } from 'zod/v4';
import { answer, endpoint, type Endpoint } from '../../endpoint';
import { note, userOf } from '../../lists/store';
import * as common from '../../schemas/common';
import * as schemas from '../../schemas/lists';
import { envelope, listDetail, listSummary } from '../../lists/views';
import { invalidList, listParams, section } from './shared';

export const manageEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/v1/lists',
    section,
    summary: 'Create a list',
    key: 'user',
    params: common.nothing,
    query: common.nothing,
    body: schemas.createBody,
    refuseBody: invalidList,
    responses: { 201: schemas.listDetail },
    refusals: { 422: 'invalid_definition' },
    handle({ service, account }, { body }) {
      const user = userOf(account);
      const now = service.clock.now();
      const list = service.lists.create(user, body.name, body.definition, now);
      service.recorder.count('lists');
      return answer.created(listDetail(list, 'owner'));
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/lists',
    section,
    summary: 'Lists visible to the caller',
    key: 'user',
    params: common.nothing,
    query: common.nothing,
    body: null,
    responses: { 200: schemas.listRows },
    handle({ service, account }) {
      const visible = service.lists.visibleTo(userOf(account));
      const rows = visible.map(({ list, level }) => listSummary(list, level));
      return answer.ok(envelope(service.choices, 'lists', rows));
    },
  }),
  endpoint({
    method: 'GET',
    path: '/v1/lists/{list_id}',
    section,
    summary: 'One list with definition and permissions',
    key: 'user',
    params: listParams,
    query: common.nothing,
    body: null,
    responses: { 200: schemas.listDetail },
    refusals: { 404: 'list_not_found' },
    handle({ service, account }, { params }) {
      const { list, level } = service.lists.require(params.list_id, userOf(account), 'viewer');
      return answer.ok(listDetail(list, level));
    },
  }),
  endpoint({
    method: 'PATCH',
    path: '/v1/lists/{list_id}',
    section,
    summary: 'Rename a list',
    key: 'user',
    params: listParams,
    query: common.nothing,
    body: schemas.renameBody,
    responses: { 200: schemas.listSummary },
    refusals: { 404: 'list_not_found' },
    handle({ service, account }, { params, body }) {
      const user = userOf(account);
      const { list, level } = service.lists.require(params.list_id, user, 'editor');
      list.name = body.name;
      note(list, user, 'renamed', service.clock.now());
      return answer.ok(listSummary(list, level));
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/v1/lists/{list_id}',
    section,
    summary: 'Delete a list',
    key: 'user',
    params: listParams,
    query: common.nothing,
    body: null,
    responses: { 200: schemas.deletedBody, 204: 'empty' },
    refusals: { 404: 'list_not_found' },
    handle({ service, account }, { params }) {
      const { list } = service.lists.require(params.list_id, userOf(account), 'owner');
      service.lists.delete(list);
      return answer.deleted(service.choices, { deleted: true, list_id: list.id });
    },
  }),
  endpoint({
    method: 'POST',
    path: '/v1/lists/{list_id}/owner',
    section,
    summary: 'Transfer ownership; the old owner stays as editor',
    key: 'user',
    params: listParams,
    query: common.nothing,
    body: schemas.ownerBody,
    responses: { 200: z.strictObject({ list_id: z.string(), owner_user_id: z.string() }) },
    refusals: { 404: 'list_not_found, user_not_found' },
    handle({ service, account }, { params, body }) {
      const user = userOf(account);
      const { list } = service.lists.require(params.list_id, user, 'owner');
      service.requireColleague(user.organizationId, body.user_id);
      const now = service.clock.now();
      if (body.user_id !== user.id) {
        list.ownerId = body.user_id;
        service.lists.grant(list, user.id, 'editor', now);
        note(list, user, `owner is now ${body.user_id}`, now);
      }
      return answer.ok({ list_id: list.id, owner_user_id: list.ownerId });
    },
  }),
];
