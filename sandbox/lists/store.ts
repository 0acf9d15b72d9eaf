import type { Account } from '../accounts';
import { errors, ServiceError } from '../errors';
import type { Materialization } from './materialize';
import { REGISTRY_VERSION, type Definition, type FilterNode } from './definition';

export type Grant = 'viewer' | 'editor';
/** The API spec has no word for the owner's level. */
export type AccessLevel = Grant | 'owner';

export interface Permission {
  readonly id: number;
  /** Null for everyone in the organization. */
  readonly userId: string | null;
  level: Grant;
  readonly grantedAt: number;
}

export interface SavedDefinition {
  readonly version: number;
  readonly registry_version: string;
  readonly root: FilterNode | null;
}

export interface List {
  readonly id: string;
  readonly organizationId: string;
  ownerId: string;
  name: string;
  readonly createdAt: number;
  updatedAt: number;
  definition: SavedDefinition;
  readonly permissions: Permission[];
  /** Ids of companies added and excluded by hand. */
  readonly added: Set<number>;
  readonly excluded: Set<number>;
  /** Null if the next read must compute the members. */
  cache: Materialization | null;
}

/** The user behind a user key. */
export interface ListUser {
  readonly id: string;
  readonly organizationId: string;
}

/** Returns the user of a user key. The pipeline rejects all other keys for list endpoints. */
export function userOf(account: Account): ListUser {
  if (account.userId === null) throw errors.userCredentialRequired();
  return { id: account.userId, organizationId: account.organizationId };
}

const RANKS: Readonly<Record<AccessLevel, number>> = { viewer: 1, editor: 2, owner: 3 };

/** Saved lists with their access levels (Authentication, rule 5). */
export class ListStore {
  private readonly lists = new Map<string, List>();
  private nextList = 1;
  private nextPermission = 1;

  /** Creates a list owned by the user. Without a definition, the list is empty, at version 1. */
  create(user: ListUser, name: string, definition: Definition | undefined, now: number): List {
    const list: List = {
      id: `lst_${String(this.nextList++).padStart(6, '0')}`,
      organizationId: user.organizationId,
      ownerId: user.id,
      name,
      createdAt: now,
      updatedAt: now,
      definition: { registry_version: REGISTRY_VERSION, root: null, ...definition, version: 1 },
      permissions: [],
      added: new Set(),
      excluded: new Set(),
      cache: null,
    };
    this.lists.set(list.id, list);
    return list;
  }

  /** Returns the lists that the user can see, with the user's level. */
  visibleTo(user: ListUser): Array<{ list: List; level: AccessLevel }> {
    return [...this.lists.values()].flatMap((list) => {
      const level = levelOf(list, user);
      return level === null ? [] : [{ list, level }];
    });
  }

  /**
   * Returns a list if the user has at least the needed level.
   *
   * @param needed the lowest sufficient level
   * @throws 404 if the list does not exist or the user cannot see it; the response is the same for
   *   both
   * @throws 403 `insufficient_access` if the user can see the list but has a lower level
   */
  require(id: string, user: ListUser, needed: AccessLevel): { list: List; level: AccessLevel } {
    const list = this.lists.get(id);
    const level = list === undefined ? null : levelOf(list, user);
    if (list === undefined || level === null) {
      throw errors.notFound('list_not_found', 'There is no such list.');
    }
    if (RANKS[level] < RANKS[needed]) {
      throw new ServiceError(
        403,
        'insufficient_access',
        `This needs access level ${needed}; you have ${level}.`,
      );
    }
    return { list, level };
  }

  delete(list: List): void {
    this.lists.delete(list.id);
  }

  /** Grants access. A second grant to the same user or organization changes the level of the first. */
  grant(list: List, userId: string | null, level: Grant, now: number): Permission {
    const existing = list.permissions.find((permission) => permission.userId === userId);
    if (existing !== undefined) {
      existing.level = level;
      return existing;
    }
    const permission = { id: this.nextPermission++, userId, level, grantedAt: now };
    list.permissions.push(permission);
    return permission;
  }
}

/** Appends a definition version and invalidates the cached members (States). */
export function append(list: List, { registry_version, root }: Definition, now: number): void {
  list.definition = { version: list.definition.version + 1, registry_version, root };
  list.cache = null;
  list.updatedAt = now;
}

function levelOf(list: List, user: ListUser): AccessLevel | null {
  if (list.organizationId !== user.organizationId) return null;
  if (list.ownerId === user.id) return 'owner';
  const granted = list.permissions.filter(
    (permission) => permission.userId === null || permission.userId === user.id,
  );
  if (granted.some((permission) => permission.level === 'editor')) return 'editor';
  return granted.length > 0 ? 'viewer' : null;
}
