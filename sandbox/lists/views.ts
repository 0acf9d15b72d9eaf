import type { ListMember } from './materialize';
import { type AccessLevel, type List, type Permission } from './store';

const timestamp = (ms: number): string => new Date(ms).toISOString();

export function listSummary(list: List, level: AccessLevel) {
  return {
    list_id: list.id,
    name: list.name,
    access_level: level,
    owner_user_id: list.ownerId,
    definition_version: list.definition.version,
    created_at: timestamp(list.createdAt),
    updated_at: timestamp(list.updatedAt),
  };
}

export function listDetail(list: List, level: AccessLevel) {
  return {
    ...listSummary(list, level),
    definition: list.definition,
    permissions: list.permissions.map(permissionView),
  };
}

export function permissionView({ id, userId, level, grantedAt }: Permission) {
  return {
    permission_id: id,
    scope: userId === null ? 'org_wide' : 'user',
    user_id: userId,
    access_level: level,
    granted_at: timestamp(grantedAt),
  };
}

export function memberView({ company, tier, addedBy }: ListMember) {
  return {
    company_id: company.id,
    slug: company.slug,
    name: company.name,
    primary_domain: company.primaryDomain,
    tier,
    added_by: addedBy,
  };
}
