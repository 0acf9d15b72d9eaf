import type { Choices } from '../choices';
import type { ListMember } from './materialize';
import {
  type AccessLevel,
  activeDefinition,
  type List,
  type Permission,
  type SavedDefinition,
} from './store';

const timestamp = (ms: number): string => new Date(ms).toISOString();

/**
 * Wraps rows in the envelope that the choice `rowsEnvelope` selects, with further fields if the
 * envelope has room for them.
 */
export function envelope(
  choices: Choices,
  name: string,
  rows: readonly unknown[],
  beside: Readonly<Record<string, unknown>> = {},
): unknown {
  switch (choices.rowsEnvelope) {
    case 'named':
      return { [name]: rows, ...beside };
    case 'data':
      return { data: rows, ...beside };
    case 'array':
      return rows;
    case 'nested':
      return { result: { [name]: rows, ...beside } };
  }
}

export function listSummary(list: List, level: AccessLevel) {
  return {
    list_id: list.id,
    name: list.name,
    access_level: level,
    owner_user_id: list.ownerId,
    definition_version: activeDefinition(list).version,
    created_at: timestamp(list.createdAt),
    updated_at: timestamp(list.updatedAt),
  };
}

export function listDetail(list: List, level: AccessLevel) {
  return {
    ...listSummary(list, level),
    definition: definitionView(activeDefinition(list)),
    permissions: list.permissions.map(permissionView),
  };
}

export function definitionView({ version, registry_version, root }: SavedDefinition) {
  return { version, registry_version, root };
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

export function memberView({ company, tier, evidence, addedBy }: ListMember) {
  return {
    company_id: company.id,
    slug: company.slug,
    name: company.name,
    primary_domain: company.primaryDomain,
    tier,
    evidence,
    added_by: addedBy,
  };
}

/**
 * Returns the fields that state the total of a page of members. The choice `membersTotals` selects
 * them.
 */
export function membersBeside(
  choices: Choices,
  page: { total: number; limit: number; offset: number; materializedAt: number },
) {
  const { total, limit, offset } = page;
  const always = { limit, offset, materialized_at: timestamp(page.materializedAt) };
  switch (choices.membersTotals) {
    case 'total':
      return { ...always, total_count: total };
    case 'hasMore':
      return { ...always, has_more: offset + limit < total };
    case 'none':
      return {};
  }
}
